import { expect } from 'vitest';
import type { Sent } from '../support/matrix.ts';
import { all, ask, describeForms, type Form, field, json, namespace } from './forms.ts';

/** The forms in which production clients send and read items, metadata, collections and shapes. */

const put = (body: Sent['body'], query = '', headers: Sent['headers'] = json) =>
  ask(`PUT /item/VX-1/metadata${query}`, body, headers);
const get = (query: string, headers: Sent['headers'] = json) =>
  ask(`GET /item/VX-1/metadata${query}`, undefined, headers);
const xml = { accept: 'application/xml', 'content-type': 'application/xml' };
const timespan = (...given: readonly object[]) => ({ timespan: given });
const fieldsIn = (...fields: readonly object[]) => ({
  item: [
    {
      metadata: { timespan: [{ field: expect.arrayContaining(fields.map((each) => expect.objectContaining(each))) }] },
    },
  ],
});

const forms: readonly Form[] = [
  {
    name: 'clients.md 1.7: seconds with decimals and a sample rate answer times in its base',
    given: [put(timespan({ start: '1.5', end: '3', field: [field('c_note', 'a')] }))],
    sent: get('?interval=0.00-10.00&sampleRate=PAL&field=c_note'),
    contains: ['"start":"37.5@PAL","end":"75@PAL"'],
  },
  {
    name: 'clients.md 1.9: include=type,extradata tells the definition and its data',
    given: [
      ask('PUT /metadata-field/c_data', { type: 'string', data: [{ key: 'extradata', value: '{"x":1}' }] }),
      put(timespan({ field: [field('c_data', 'a')] })),
    ],
    sent: get('?include=type,extradata&field=c_data&interval=generic'),
    json: fieldsIn({ name: 'c_data', type: expect.objectContaining({ name: 'c_data', type: 'string' }) }),
    contains: ['"data":[{"key":"extradata","value":"{\\"x\\":1}"}]'],
  },
  {
    name: 'clients.md 1.10: one leading minus leaves out the whole list of groups',
    given: [
      put(timespan({ group: ['Film', 'Shot', 'Cut'].map((name) => ({ name, field: [field('c_note', name)] })) })),
    ],
    sent: get('?group=-Film,Shot&interval=generic'),
    contains: ['"name":"Cut"'],
    lacks: ['"name":"Film"', '"name":"Shot"'],
  },
  {
    name: 'clients.md 1.14: an alias renames a field in the answer',
    sent: get('?field=title:Name&interval=generic'),
    json: fieldsIn({ name: 'Name' }),
  },
  {
    name: 'clients.md 2.17: any root name is read',
    sent: put(
      `<metadata ${namespace}><timespan><field><name>title</name><value>root</value></field></timespan></metadata>`,
      '',
      xml,
    ),
    contains: ['>root</value>'],
  },
  {
    name: 'clients.md 2.18: the timespan may stand before the main group, and comments between fields',
    sent: put(
      `<MetadataDocument ${namespace}><timespan start="-INF" end="+INF"><!-- c --><field><name>title</name><value>t</value></field></timespan><group>Film</group></MetadataDocument>`,
      '',
      xml,
    ),
    contains: ['<group>Film</group><timespan'],
  },
  {
    name: 'clients.md 2.27: another main group takes the place of the one before',
    given: [put({ group: ['Film'] })],
    sent: put({ group: ['Shot'] }),
    json: { item: [{ metadata: { group: ['Shot'] } }] },
  },
  ...['application/json; charset=utf-8', 'application/xml'].map((type) => ({
    name: `clients.md 2.20: nothing of the type ${type} is no document`,
    sent: put(undefined, '', { ...json, 'content-type': type }),
  })),
  { name: 'clients.md 2.21: {} is no metadata', sent: put({}) },
  { name: 'clients.md 2.21: {} is no collection', sent: ask('POST /collection', {}) },
  { name: 'clients.md 2.21: {} makes a placeholder', sent: ask('POST /import/placeholder?container=1', {}) },
  {
    name: 'clients.md 2.22: a shape with something for an id gets one of its own',
    sent: ask('POST /item/VX-2/shape/create?updateItemMetadata=True', { id: 'VX' }),
    contains: ['{"id":"VX-'],
  },
  {
    name: 'clients.md 2.23: a number is a text',
    sent: put(timespan({ field: [{ name: 'c_note', value: [{ value: 123 }] }] })),
    contains: ['"value":"123"'],
  },
  {
    name: 'clients.md 2.24: mode=add on a value keeps the others',
    given: [put(timespan({ field: [field('c_list', 'one')] }))],
    sent: put(timespan({ field: [{ name: 'c_list', value: [{ value: 'two', mode: 'add' }] }] })),
    contains: ['"value":"one"', '"value":"two"'],
  },
  {
    name: 'clients.md 2.26: a group with its name first and a mode on the inner one',
    sent: put(
      `<MetadataDocument ${namespace}><timespan start="-INF" end="+INF"><group mode="add"><name>Film</name><group mode="add"><name>Cut</name><field><name>c_note</name><value>inner</value></field></group></group></timespan></MetadataDocument>`,
      '',
      xml,
    ),
    contains: ['<name>Cut</name><field'],
  },
  {
    name: 'clients.md 3.32: every timespan and group has its lists, also empty ones',
    given: [put(timespan({ start: '7', end: '8', group: [{ name: 'Film', mode: 'add' }] }))],
    sent: get('?interval=7-8'),
    contains: ['"field":[],"group":[{"name":"Film","field":[],"group":[]'],
  },
  {
    name: 'clients.md 3.32: a page behind the last collection has an empty list',
    sent: ask('GET /collection?first=1000'),
    contains: ['"collection":[]', '"facet":[],"suggestion":[],"autocomplete":[]'],
  },
  { name: 'clients.md 3.32: and one behind the last item', sent: ask('GET /item?first=1000'), contains: ['"item":[]'] },
  {
    name: 'clients.md 3.34: several values of a computed field are several fields',
    given: [ask('POST /item/VX-1/shape/create')],
    sent: get('?field=__shape'),
    contains: ['{"name":"__shape","value":[{"value":"VX-1"}]},{"name":"__shape","value":[{"value":"VX-'],
  },
  {
    name: 'clients.md 3.35: the creator is stored, and is no computed field',
    sent: get('?field=user,__user'),
    json: fieldsIn({ name: 'user', uuid: expect.any(String), user: 'system' }),
    lacks: ['"name":"__user","value"'],
  },
  {
    name: 'clients.md 3.39: placeholders are no shapes of an item, and count as shapes',
    sent: ask('GET /item/VX-3/shape'),
    contains: ['{}'],
  },
  {
    name: 'clients.md 3.40: a placeholder has one shape at once',
    sent: ask('GET /item/VX-3/metadata?field=__shape_size,__placeholder_shape_size'),
    json: fieldsIn(
      { name: '__shape_size', value: [{ value: '1' }] },
      { name: '__placeholder_shape_size', value: [{ value: '1' }] },
    ),
  },
  {
    name: 'clients.md 3.44: a shape tag is answered as it was put, without a name',
    given: [ask('PUT /shape-tag/c_tag', { format: 'mp4', video: { codec: 'h264' } })],
    sent: ask('GET /shape-tag/c_tag'),
    json: { format: 'mp4', video: { codec: 'h264' } },
    lacks: ['"name"'],
  },
  {
    name: 'a client encodes the slash of a media type, and another one does not',
    given: [ask('PUT /item/VX-2/shape/VX-2/mime/video%2Fmp4'), ask('PUT /item/VX-2/shape/VX-2/mime/audio/ogg')],
    sent: ask('GET /item/VX-2/shape/VX-2/mime'),
    json: { uri: ['video/mp4', 'audio/ogg'] },
  },
  {
    name: 'clients.md 3.50: a field has name, values and marks in this order in XML',
    sent: get('?field=title', { accept: 'application/xml' }),
    contains: [
      '<item id="VX-1"><metadata><revision>',
      '<timespan start="-INF" end="+INF"><field uuid="',
      '><name>title</name><value ',
    ],
  },
  {
    name: 'clients.md 3.54: entries of lists have start and end in XML',
    sent: ask('GET /item?number=1', undefined, { accept: 'application/xml' }),
    contains: ['start="-INF" end="+INF"'],
  },
  {
    name: 'clients.md 4.72: a client sets the main group of an item by its path',
    given: [ask('PUT /item/VX-2/field-group/Shot'), ask('PUT /item/VX-2/field-group/Film')],
    sent: ask('GET /item/VX-2/field-group'),
    json: { uri: ['Film'] },
  },
  {
    name: 'clients.md 4.72: and takes it away',
    given: [ask('DELETE /item/VX-2/field-group/Film')],
    sent: ask('GET /item/VX-2/field-group'),
    lacks: ['Film'],
  },
  {
    name: 'the original has main groups of collections at the same path',
    given: [ask('PUT /collection/VX-1/field-group/Shot'), ask('PUT /collection/VX-1/field-group/Film')],
    sent: ask('GET /collection/VX-1/field-group'),
    json: { uri: ['Film'] },
  },
  {
    name: 'and takes them away there',
    given: [ask('DELETE /collection/VX-1/field-group/Film')],
    sent: ask('GET /collection/VX-1/field-group'),
    lacks: ['Film'],
  },
  {
    name: 'clients.md 4.72: an unknown group is none of its',
    sent: ask('PUT /item/VX-2/field-group/Nothing'),
    status: 404,
    contains: ['"type":"metadata-field-group"'],
  },
  {
    name: 'clients.md 4.85: the PUT of a namespace answers its pattern',
    sent: ask(
      'PUT /external-id/clients',
      `<ExternalIdentifierNamespaceListDocument ${namespace}><pattern>tape.*</pattern><priority>3</priority></ExternalIdentifierNamespaceListDocument>`,
      xml,
    ),
    contains: ['<pattern>tape.*</pattern><priority>3</priority>'],
  },
  { name: 'clients.md 4.86: a member without a type is an item', sent: ask('PUT /collection/VX-1/VX-1') },
  {
    name: 'clients.md 4.91: missing items of a list are passed over',
    sent: ask('DELETE /item?id=VX-999,VX-998'),
  },
  {
    name: 'clients.md 5.100: members are counted in the document of a collection',
    given: [ask('PUT /collection/VX-1/VX-2')],
    sent: ask('GET /collection/VX-1'),
    json: {
      content: [
        { id: 'VX-1', type: 'item' },
        { id: 'VX-2', type: 'item' },
      ],
    },
  },
  {
    name: 'clients.md 5.102: the title of a collection is its name, both ways',
    given: [ask('PUT /collection/VX-1/metadata', timespan({ field: [field('title', 'renamed')] }))],
    sent: ask('GET /collection/VX-1'),
    json: { name: 'renamed' },
  },
  {
    name: 'clients.md 6: rename without a body, with a type',
    given: [ask('PUT /collection/VX-1/rename?name=again', undefined, { 'content-type': 'text/plain' })],
    sent: ask('GET /collection/VX-1?content=metadata&field=title'),
    json: { name: 'again', metadata: { timespan: [{ field: [{ value: [{ value: 'again' }] }] }] } },
  },
  {
    name: 'clients.md 5.103: an item that is asked for by an external id tells its own',
    given: [ask('PUT /external-id/own', { pattern: 'tape_.*' }), ask('PUT /item/VX-1/external-id/tape_1')],
    sent: ask('GET /item/tape_1'),
    json: { id: 'VX-1' },
  },
];

const given: readonly Sent[] = [
  ...['c_note', 'c_list'].map((name) => ask(`PUT /metadata-field/${name}`, { type: 'string' })),
  ...['Film', 'Shot', 'Cut'].map((name) => ask(`PUT /metadata-field/field-group/${name}`)),
  ...['one', 'two', 'three'].map((title) =>
    ask('POST /import/placeholder?container=1', timespan({ ...all, field: [field('title', title)] })),
  ),
  ask('POST /collection?name=first'),
];

describeForms('production clients and what they make', given, forms);
