import { describe } from 'vitest';
import { fieldPath, groupPath, namespace, newField, newFieldGroup } from '../../support/assets.ts';
import type { Sent } from '../../support/matrix.ts';
import { by, json, plain, xml } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { fetchEntry } from '../../support/storages.ts';
import { definer, givenTo, viewer } from '../../support/world.ts';

const invalid = (id: string, part: object) => ({
  jsonPart: { invalidInput: { context: 'metadata-field', id, ...part } },
});

const longName = `x_${'a'.repeat(253)}`;

const rules = [{ condition: { field: { name: 'x_kind', value: 'series' } }, inheritedName: 'x_b' }] as const;

const enumeration = { field: [{ key: 'a', value: 'A & B' }, { key: 'c' }] };
const lookup =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><SimpleMetadataDocument xmlns="urn:portico:schema"><field><key>a</key><value>A &amp; B</value></field><field><key>c</key><value>c</value></field></SimpleMetadataDocument>';
const withLookup = [newField('x_a', { type: 'string', values: enumeration })];
const asLookup = (value: string) => ({ field: [{ key: '__values', value }] });

/** The original keeps the enumeration of a field among its metadata, where clients read and set it. */
const lookups: readonly Scenario[] = [
  {
    name: 'an enumeration is among the metadata, as XML in a text',
    given: [...withLookup, by(`PUT ${fieldPath('x_a', '/metadata/color')}`, 'red')],
    ...by(`GET ${fieldPath('x_a', '/metadata')}`),
    status: 200,
    says: { json: { field: [{ key: 'color', value: 'red' }, asLookup(lookup).field[0]] } },
  },
  {
    name: 'an enumeration that PUT values has set is one key of the metadata',
    given: [newField('x_a'), by(`PUT ${fieldPath('x_a', '/values')}`, enumeration)],
    ...by(`GET ${fieldPath('x_a', '/metadata/__values')}`, undefined, plain),
    status: 200,
    says: { exact: lookup },
  },
  ...['?data=all', '?data=__values', '?data=__*'].map(
    (query): Scenario => ({
      name: `an enumeration is answered with ${query}`,
      given: withLookup,
      ...by(`GET ${fieldPath('x_a', query)}`),
      status: 200,
      says: { jsonPart: { data: asLookup(lookup).field } },
    }),
  ),
  {
    name: 'a list of fields has enumerations for those who ask for the key',
    given: [...withLookup, newField('x_b')],
    ...by('GET /API/metadata-field?data=__values&number=1000'),
    status: 200,
    says: {
      contains: [
        `"data":[{"key":"__values","value":${JSON.stringify(lookup)}}]`,
        '{"name":"x_b","type":"string","origin":"VX"}',
      ],
    },
  },
  {
    name: 'a field group has the enumerations of its fields for those who ask for the key',
    given: [...withLookup, newFieldGroup('g', { field: [{ name: 'x_a' }] })],
    ...by(`GET ${groupPath('g', '?data=__values')}`),
    status: 200,
    says: { contains: [`"data":[{"key":"__values","value":${JSON.stringify(lookup)}}]`] },
  },
  ...['/API/metadata-field?data=all&number=1000', groupPath('g', '?data=all')].map(
    (path): Scenario => ({
      name: `all data in lists of fields leave enumerations out: ${path}`,
      given: [...withLookup, newFieldGroup('g', { field: [{ name: 'x_a' }] })],
      ...by(`GET ${path}`),
      status: 200,
      says: { lacks: ['__values'] },
    }),
  ),
  {
    name: 'a field without an enumeration has no such key',
    given: [newField('x_a', { type: 'string', values: {} })],
    ...by(`GET ${fieldPath('x_a', '/metadata')}`),
    status: 200,
    says: { json: { field: [] } },
  },
  ...[
    ['a document', by(`PUT ${fieldPath('x_a', '/metadata')}`, asLookup(lookup))],
    ['a text', by(`PUT ${fieldPath('x_a', '/metadata/__values')}`, lookup, { 'content-type': 'text/plain' })],
    ['the data of the field', newField('x_a', { data: asLookup(lookup).field })],
    ['JSON in a text', newField('x_a', { data: asLookup(JSON.stringify(enumeration)).field })],
    ['another namespace', newField('x_a', { data: asLookup(lookup.replace('urn:portico', 'http://x')).field })],
  ].map(
    ([how, request]): Scenario => ({
      name: `an enumeration is set by ${how}`,
      given: [newField('x_a'), request as Sent],
      ...by(`GET ${fieldPath('x_a', '/values')}`),
      status: 200,
      says: {
        json: {
          field: [
            { key: 'a', value: 'A & B' },
            { key: 'c', value: 'c' },
          ],
        },
      },
    }),
  ),
  {
    name: 'a document that has values and old data keeps the values',
    given: [...withLookup, newField('x_a', { values: { field: [{ key: 'new' }] }, data: asLookup(lookup).field })],
    ...by(`GET ${fieldPath('x_a', '/values')}`),
    status: 200,
    says: { json: { field: [{ key: 'new', value: 'new' }] } },
  },
  ...['/metadata', '/metadata/__values', '/metadata/*'].map(
    (path): Scenario => ({
      name: `DELETE ${path} takes the enumeration away`,
      given: [...withLookup, by(`DELETE ${fieldPath('x_a', path)}`)],
      ...by(`GET ${fieldPath('x_a', '?includeValues=true')}`),
      status: 200,
      says: { exact: '{"name":"x_a","type":"string","values":{},"origin":"VX"}' },
    }),
  ),
  {
    name: 'a change of other metadata leaves the enumeration',
    given: [...withLookup, by(`PUT ${fieldPath('x_a', '/metadata')}`, { field: [{ key: 'color', value: 'red' }] })],
    ...by(`GET ${fieldPath('x_a', '/metadata/__values')}`, undefined, plain),
    status: 200,
    says: { exact: lookup },
  },
  ...['<SimpleMetadataDocument>', 'a, b', `<a>${'<b>'.repeat(2000)}`, `<a>${'<b/>'.repeat(20_000)}</a>`].map(
    (text): Scenario => ({
      name: `an enumeration that cannot be read is refused: ${text.slice(0, 30)}`,
      given: withLookup,
      ...by(`PUT ${fieldPath('x_a', '/metadata')}`, asLookup(text)),
      status: 400,
      says: { contains: ['"context":"__values"', 'Expected a SimpleMetadataDocument'] },
    }),
  ),
  {
    name: 'a system field gets no enumeration by its metadata',
    ...by(`PUT ${fieldPath('created', '/metadata/__values')}`, lookup, { ...json, 'content-type': 'text/plain' }),
    status: 400,
    says: invalid('created', {}),
  },
];

const rows: readonly Scenario[] = [
  ...lookups,
  {
    name: 'a definition is answered in its recorded order',
    ...newField('event_rating', {
      type: 'integer',
      integerRestriction: { minInclusive: 1, maxInclusive: 5 },
      inheritance: 'true',
    }),
    status: 200,
    says: {
      exact:
        '{"name":"event_rating","type":"integer","integerRestriction":{"minInclusive":1,"maxInclusive":5},"origin":"VX","inheritance":"true"}',
    },
  },
  {
    name: 'recorded: defaultValue 0 comes back as a text, and empty restrictions and defaults are kept',
    ...newField('x_a', { type: 'string', stringRestriction: {}, defaultValue: 0 }),
    status: 200,
    says: { exact: '{"name":"x_a","type":"string","stringRestriction":{},"defaultValue":"0","origin":"VX"}' },
  },
  {
    name: 'rules of inheritance are answered as they were sent, in the order of the types',
    ...newField('x_a', { type: 'string', inheritanceRule: rules, inheritance: 'true' }),
    status: 200,
    says: {
      exact:
        '{"name":"x_a","type":"string","origin":"VX","inheritanceRule":[{"condition":{"field":{"name":"x_kind","value":"series"}},"inheritedName":"x_b"}],"inheritance":"true"}',
    },
  },
  {
    name: 'rules of inheritance stay with a PUT without them',
    given: [newField('x_a', { type: 'string', inheritanceRule: rules })],
    ...newField('x_a', { sortable: true }),
    status: 200,
    says: { jsonPart: { inheritanceRule: rules, sortable: true } },
  },
  {
    name: 'a rule of inheritance needs a name that is inherited',
    ...newField('x_a', { type: 'string', inheritanceRule: [{ condition: rules[0].condition }] }),
    status: 400,
  },
  {
    name: 'a PUT is a merge, and the type may change',
    given: [newField('x_a', { type: 'string', defaultValue: '0', sortable: true })],
    ...newField('x_a', { type: 'integer' }),
    status: 200,
    says: { json: { name: 'x_a', type: 'integer', defaultValue: '0', origin: 'VX', sortable: true } },
  },
  {
    name: 'XML with any root, in any order, with the name in it',
    ...by(
      `PUT ${fieldPath('gnm_title')}`,
      '<field><origin>GX</origin><data><key>extradata</key><value>{"a":1}</value></data><name>other</name><defaultValue></defaultValue><type>string-exact</type></field>',
      { ...xml, 'content-type': 'application/xml' },
    ),
    status: 200,
    says: {
      contains: [
        '<MetadataFieldDocument xmlns="',
        '><name>gnm_title</name><type>string-exact</type><defaultValue></defaultValue><origin>VX</origin></MetadataFieldDocument>',
      ],
    },
  },
  {
    name: 'a definition needs a type',
    ...newField('x_a', {}),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldDocument/type' } } },
  },
  { name: 'an unknown type is refused', ...newField('x_a', { type: 'text' }), status: 400 },
  ...(
    [
      ['title2', 'a category'],
      ['__x_a', 'another name than computed fields'],
      ['1x_a', 'a category'],
      ['x_', 'a category'],
      ['x_a-b', 'a category'],
      [`x_${'a'.repeat(254)}`, 'at most 255 characters'],
    ] as const
  ).map(
    ([name, expected]): Scenario => ({
      name: `the name ${name.slice(0, 10)} is refused`,
      ...newField(name),
      status: 400,
      says: { ...invalid(name.slice(0, 80), { value: name.slice(0, 80) }), contains: [`Expected ${expected}`] },
    }),
  ),
  {
    name: 'names are case-sensitive, and have underscores in their rest',
    given: [newField('af_p5_barcodes', { type: 'date' })],
    ...newField(`af_p5_Barcodes`),
    status: 200,
  },
  {
    name: 'a name of 255 characters is taken, and answered whole',
    given: [newField(longName)],
    ...by('GET /API/metadata-field/terse-schema', undefined, { accept: 'application/xml' }),
    status: 200,
    says: { contains: [`<xs:element name="${longName}" type="TerseValueType"/>`] },
  },
  {
    name: 'recorded: an unknown field is not found, as a namespace',
    ...by(`GET ${fieldPath('x_none')}`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'x_none' } } },
  },
  {
    name: 'terse-schema is no field',
    ...by(`GET ${fieldPath('terse-schema')}`, undefined, { accept: '*/*' }),
    status: 200,
    answers: { 'content-type': /^application\/xml/ },
    says: { contains: ['<xs:element name="created" type="TerseValueType"/>', '</xs:schema>'] },
  },
  {
    name: 'merged-access is no field',
    ...by(`GET ${fieldPath('merged-access')}/?username=admin`),
    status: 200,
    says: { lacks: ['notFound'] },
  },
  {
    name: 'a client that asks for JSON gets a JSON Schema of terse metadata',
    given: Array.from({ length: 3 }, (_, index) => newField(`x_${index}`)),
    ...by(`GET ${fieldPath('terse-schema')}`),
    status: 200,
    says: { jsonPart: { properties: { created: { $ref: '#/$defs/values' }, x_2: {} } } },
  },
  {
    name: 'DELETE finds no field in field-group',
    ...by('DELETE /API/metadata-field/field-group'),
    status: 405,
    answers: { allow: /^GET/ },
  },
  {
    name: 'a system field keeps its type',
    ...newField('created', { type: 'string' }),
    status: 400,
    says: invalid('created', {}),
  },
  {
    name: 'a system field takes data, beside what it is already',
    ...newField('created', { name: 'created', type: 'date', data: [{ key: 'k', value: 'v' }] }),
    status: 200,
    says: { json: { name: 'created', type: 'date', origin: 'VX', system: 'true' } },
  },
  {
    name: 'a system field has no enumeration',
    ...newField('created', { values: { field: [{ key: 'a' }] } }),
    status: 400,
  },
  {
    name: 'a system field takes the empty enumeration that was read',
    ...newField('created', { type: 'date', values: {}, origin: 'VX', system: 'true' }),
    status: 200,
  },
  {
    name: 'a field that the service writes keeps what its values are',
    given: [newField('title', { type: 'string-exact', inheritance: 'true' })],
    ...newField('title', { type: 'integer' }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldDocument/type', value: 'integer' } } },
  },
  {
    name: 'limits of another type are refused',
    ...newField('x_a', { type: 'date', stringRestriction: { minLength: 1 } }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldDocument/stringRestriction' } } },
  },
  {
    name: 'limits are in order',
    ...newField('x_a', { type: 'float', floatRestriction: { minInclusive: 1.5, maxInclusive: 1 } }),
    status: 400,
    says: { contains: ['at least 1.5'] },
  },
  {
    name: 'a pattern is a regular expression without look-around',
    ...newField('x_a', { type: 'string', stringRestriction: { pattern: '(?=a)' } }),
    status: 400,
    says: { contains: ['look-around'] },
  },
  {
    name: 'a default value is one of the type',
    ...newField('x_a', { type: 'integer', defaultValue: 'many' }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldDocument/defaultValue', id: 'x_a', value: 'many' } } },
  },
  {
    name: 'index is written only when it is not the default, and floats are numbers',
    given: [
      newField('x_a', { type: 'float', index: 'noindex', boost: 1.5, floatRestriction: { minInclusive: '0.5' } }),
    ],
    ...newField('x_a', { index: 'extend', fullText: 'false' }),
    status: 200,
    says: {
      exact:
        '{"name":"x_a","type":"float","index":"extend","fullText":false,"boost":1.5,"floatRestriction":{"minInclusive":0.5},"origin":"VX"}',
    },
  },
  {
    name: 'data is answered for those who ask for its keys',
    given: [
      newField('x_a', {
        type: 'string',
        data: [
          { key: 'ui_a', value: '1' },
          { key: 'extradata', value: '{}' },
        ],
      }),
    ],
    ...by(`GET ${fieldPath('x_a', '?data=ui_*,other')}`),
    status: 200,
    says: { json: { name: 'x_a', type: 'string', data: [{ key: 'ui_a', value: '1' }], origin: 'VX' } },
  },
  {
    name: 'keys of data are set, and others stay',
    given: [
      newField('x_a', {
        type: 'string',
        data: [
          { key: 'a', value: '1' },
          { key: 'b', value: '2' },
        ],
      }),
      newField('x_a', { data: [{ key: 'b', value: '3' }] }),
    ],
    ...by(`GET ${fieldPath('x_a', '?data=all')}`),
    status: 200,
    says: {
      jsonPart: {
        data: [
          { key: 'a', value: '1' },
          { key: 'b', value: '3' },
        ],
      },
    },
  },
  {
    name: 'recorded: includeValues tells no values as an empty element',
    given: [newField('x_a')],
    ...by(`GET ${fieldPath('x_a', '?includeValues=1')}`),
    status: 200,
    says: { exact: '{"name":"x_a","type":"string","values":{},"origin":"VX"}' },
  },
  {
    name: 'an enumeration keeps its order',
    given: [
      newField('x_a', {
        type: 'string',
        values: {
          field: [
            { key: 'b', value: 'B' },
            { key: 'a', value: 'A' },
          ],
        },
      }),
    ],
    ...by(`GET ${fieldPath('x_a', '?includeValues=true')}`),
    status: 200,
    says: {
      jsonPart: {
        values: {
          field: [
            { key: 'b', value: 'B' },
            { key: 'a', value: 'A' },
          ],
        },
      },
    },
  },
  {
    name: 'PUT values replaces the enumeration',
    given: [newField('x_a', { type: 'string', values: { field: [{ key: 'a', value: 'A' }] } })],
    ...by(`PUT ${fieldPath('x_a', '/values')}`, { field: [{ key: 'c', value: 'C' }] }),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'allowed values are those of the enumeration',
    given: [newField('x_a', { type: 'string', values: { field: [{ key: 'a', value: 'A' }] } })],
    ...by(`POST ${fieldPath('x_a', '/allowed-values')}`, { constraint: [{ field: 'x_b', id: '1' }] }),
    status: 200,
    says: { json: { value: [{ id: 'a', value: 'A' }] } },
  },
  {
    name: 'a field goes, with an empty answer',
    given: [newField('x_a')],
    ...by(`DELETE ${fieldPath('x_a')}`),
    status: 200,
    says: { exact: '' },
  },
  { name: 'an unknown field does not go', ...by(`DELETE ${fieldPath('x_a')}`), status: 404 },
  {
    name: 'a system field does not go',
    ...by(`DELETE ${fieldPath('created')}`),
    status: 400,
    says: invalid('created', {}),
  },
  {
    name: 'a key of a field is set as text',
    given: [newField('x_a')],
    ...by(`PUT ${fieldPath('x_a', '/metadata/extradata')}`, '{"a":1}'),
    status: 204,
  },
  {
    name: 'a field is found by its external id',
    given: [namespace, newField('x_a'), by(`PUT ${fieldPath('x_a', '/external-id/urn:x:a')}`)],
    ...by(`GET ${fieldPath('urn:x:a')}`),
    status: 200,
    says: { json: { name: 'x_a', type: 'string', externalId: ['urn:x:a'], origin: 'VX' } },
  },
  {
    name: 'a taken external id is refused with 400',
    given: [namespace, newField('x_a', { type: 'string', externalId: ['a b'] })],
    ...newField('x_b', { type: 'string', externalId: ['a b'] }),
    status: 400,
  },
  {
    name: 'an external id that no namespace has is refused',
    ...newField('x_b', { type: 'string', externalId: ['a b'] }),
    status: 400,
  },
  { name: 'a user with the role defines fields', ...newField('x_a'), as: definer, status: 200 },
  { name: 'a user without the role defines no fields', ...newField('x_a'), as: viewer, status: 403 },
  {
    name: 'a list as text has lines that end with CR LF',
    given: [newField('x_a')],
    ...by('GET /API/metadata-field/?first=2&number=2', undefined, plain),
    status: 200,
    says: { exact: 'created\r\ndurationSeconds\r\n' },
  },
];

describe('metadata fields', () => {
  itHolds(fetchEntry, rows, { given: givenTo('definitions') });
});
