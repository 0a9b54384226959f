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

const found = (...ids: readonly string[]) => ({ hits: ids.length, item: ids.map((id) => ({ id })) });
const counted = (field: string, ...counts: readonly (readonly [value: string, count: number])[]) => ({
  facet: [{ field, count: counts.map(([fieldValue, value]) => ({ fieldValue, value })) }],
});

/** Criteria and facets that the vendor's tool offers in its forms. */
const criteria: readonly Form[] = [
  {
    name: 'the tool finds items by their storage groups',
    given: [
      ask('POST /storage', { type: 'LOCAL', method: [{ uri: 'file:///srv/one/' }] }),
      ask('POST /storage', { type: 'LOCAL', method: [{ uri: 'file:///srv/two/' }] }),
      ...['Near', 'Far'].flatMap((group) => [
        ask(`PUT /storage/storage-group/${group}`),
        ask(`PUT /storage/storage-group/${group}/VX-1`),
      ]),
      ask('PUT /storage/storage-group/Far/VX-2'),
      ...[1, 2].map((number) => ask(`POST /storage/VX-${number}/file?path=${number}.mov&state=CLOSED`)),
      ask('POST /item/VX-1/shape/create', { containerComponent: { file: [{ id: 'VX-1' }] } }),
      ask('POST /item/VX-2/shape/create', { containerComponent: { file: [{ id: 'VX-2' }] } }),
    ],
    sent: ask('PUT /item', byName('__storagegroup', 'Near')),
    json: found('VX-1'),
  },
  { name: 'by how many there are', sent: ask('PUT /item', byName('__storagegroup_size', '1')), json: found('VX-2') },
  { name: 'by their versions', sent: ask('PUT /item', byName('__version_size', '1')), json: found('VX-2', 'VX-1') },
  { name: 'by who made them', sent: ask('PUT /item', byName('__user', 'admin')), json: found('VX-2', 'VX-1') },
  { name: 'and finds none of others', sent: ask('PUT /item', byName('__user', 'ann')), json: found() },
  ...(
    [
      [
        '__storagegroup',
        [
          ['Far', 2],
          ['Near', 1],
        ],
      ],
      [
        '__storagegroup_size',
        [
          ['1', 1],
          ['2', 1],
        ],
      ],
      ['__version_size', [['1', 2]]],
      ['__user', [['admin', 2]]],
    ] as const
  ).map(
    ([field, counts]): Form => ({
      name: `a facet of ${field}`,
      sent: ask('PUT /item', { facet: [{ field, count: true }] }),
      json: counted(field, ...counts),
    }),
  ),
  {
    name: 'a facet of storage groups among the hits of a search',
    sent: ask('PUT /item', { ...byName('title', 'two'), facet: [{ field: '__storagegroup' }] }),
    json: counted('__storagegroup', ['Far', 1]),
  },
];

const given: readonly Sent[] = [
  ask('PUT /metadata-field/field-group/Long'),
  ...['one', 'two'].map((title) =>
    ask('POST /import/placeholder?container=1', { timespan: [{ ...all, field: [field('title', title)] }] }),
  ),
];

describeForms('production programs', given, [...longFields, ...nestedGroups, ...criteria]);
