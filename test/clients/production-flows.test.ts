import type { Sent } from '../support/matrix.ts';
import { all, ask, describeForms, type Form, field, json, namespace } from './forms.ts';

/** Requests of scripts and programs in production, each with what it was for: client after client, in one service. */

/** The longest name, and those of fields as production systems have them. */
const longNames = [
  'gnm_master_dailymotion_dailymotioncategory',
  'original_shape_mi_original_shape_mi_md5_hash',
  `c_${'x'.repeat(253)}`,
];
const byName = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });

const longFields: readonly Form[] = longNames.flatMap((name): Form[] => [
  {
    name: `a field with a name of ${name.length} letters has a value`,
    given: [
      ask(`PUT /metadata-field/${name}`, { type: 'string-exact', stringRestriction: { maxLength: 80 } }),
      ask('PUT /item/VX-1/metadata', { timespan: [{ ...all, field: [field(name, `value of ${name.length}`)] }] }),
    ],
    sent: ask(`GET /item/VX-1?content=metadata&field=${name}&terse=true`),
    json: { terse: { [name]: [{ value: `value of ${name.length}` }] } },
  },
  {
    name: 'and is searched, counted and sorted by',
    sent: ask('PUT /item?content=metadata&field=title', {
      ...byName(name, `value of ${name.length}`),
      facet: [{ field: name, count: true }],
      sort: [{ field: name, order: 'ascending' }],
      highlight: { field: [name] },
    }),
    json: {
      hits: 1,
      item: [{ id: 'VX-1' }],
      facet: [{ field: name, count: [{ fieldValue: `value of ${name.length}`, value: 1 }] }],
    },
  },
  {
    name: 'and is a member of a group, has data, access and a lock',
    given: [
      ask(`PUT /metadata-field/field-group/Long/${name}`),
      ask(`PUT /metadata-field/${name}/metadata/label`, 'Label', { ...json, 'content-type': 'text/plain' }),
      ask(`POST /metadata-field/${name}/access`, { user: 'admin', permission: 'DELETE' }),
      ask(`POST /item/VX-1/metadata-lock?field=${name}&timeout=60`),
    ],
    sent: ask('GET /metadata-field/field-group/Long?data=all'),
    contains: [
      `"field":[{"name":"${longNames[0]!}",`,
      `"name":"${name}"},"type":"string-exact","stringRestriction":{"maxLength":80},"data":[{"key":"label"`,
    ],
  },
]);

const levels = `<MetadataFieldGroupDocument ${namespace}><name>Programme</name>
<field><name>prg_title</name><type>string</type></field>
<group><name>Season</name><schema min="0" max="-1" name="Season"/><field><name>prg_season</name><type>integer</type></field>
<group><name>Episode</name><field><name>prg_episode</name><type>integer</type></field></group></group>
</MetadataFieldGroupDocument>`;

const nestedGroups: readonly Form[] = [
  {
    name: 'a set-up script sends its groups as one document, three levels deep',
    given: [ask('PUT /metadata-field/field-group/Programme', levels, { 'content-type': 'application/xml' })],
    sent: ask('GET /metadata-field/field-group/Programme?traverse=true'),
    json: {
      field: [{ name: 'prg_title' }],
      group: [
        {
          name: 'Season',
          field: [{ type: 'integer' }],
          group: [{ name: 'Episode', field: [{ name: 'prg_episode' }] }],
        },
      ],
    },
  },
  {
    name: 'and its next version adds a field to the innermost one',
    given: [
      ask(
        'PUT /metadata-field/field-group/Programme',
        levels.replace(
          '</type></field></group>',
          '</type></field><field><name>prg_day</name><type>date</type></field></group>',
        ),
        { 'content-type': 'application/xml' },
      ),
    ],
    sent: ask('GET /metadata-field/field-group/Episode'),
    json: { field: [{ name: 'prg_episode' }, { name: 'prg_day', type: 'date' }] },
  },
];

const given: readonly Sent[] = [
  ask('PUT /metadata-field/field-group/Long'),
  ...['one', 'two'].map((title) =>
    ask('POST /import/placeholder?container=1', { timespan: [{ ...all, field: [field('title', title)] }] }),
  ),
];

describeForms('production programs', given, [...longFields, ...nestedGroups]);
