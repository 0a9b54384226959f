import { expect } from 'vitest';
import { newCollection, newItem } from '../../support/assets.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { by, json, plain, xml } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';

const create = 'POST /API/import/placeholder';
const made = ['item/create', 'VX-1', { itemId: 'VX-1' }] as const;
const gone = ['item/delete', 'VX-1', { itemId: 'VX-1' }] as const;
const described = ['metadata/modify', 'VX-1'] as const;
const title = (value: string) => ({ timespan: [{ field: [{ name: 'title', value: [{ value }] }] }] });
const changeSet = (changeSetId: string, ...fields: readonly string[]) =>
  [
    'metadata/modify',
    'VX-1',
    { changeSetId, changes: expect.arrayContaining(fields.map((field) => expect.objectContaining({ field }))) },
  ] as const;

const rows: readonly Scenario[] = [
  {
    name: 'a placeholder is item, shape and three change sets in one commit, in this order',
    ...by(`${create}?container=1&video=1`, title('Harbour')),
    status: 200,
    answers: { location: /^http:\/\/[^/]+\/API\/item\/VX-1$/ },
    says: { json: { id: 'VX-1' } },
    events: [
      made,
      ['shape/create', 'VX-1', { shapeTag: ['original'] }],
      changeSet('VX-1', 'title'),
      changeSet('VX-2', 'created', 'mediaType', 'itemId', 'user'),
      changeSet('VX-3', 'shapeTag'),
    ],
  },
  {
    name: 'an item without components has no shape',
    ...newItem(),
    status: 200,
    says: { exact: '{"id":"VX-1"}' },
    events: [made, described],
  },
  {
    name: 'a new item as text is its id',
    ...by(create, undefined, plain),
    status: 200,
    says: { exact: 'VX-1' },
    events: [made, described],
  },
  {
    name: 'an unknown field makes no item',
    ...by(create, { timespan: [{ field: [{ name: 'no_such', value: [{ value: 'x' }] }] }] }),
    status: 404,
    says: { jsonPart: { notFound: { type: 'metadata-field', id: 'no_such' } } },
  },
  { name: 'an unknown tag makes no item', ...newItem('?container=1&importTag=no_such'), status: 404 },
  { name: 'a count of components is a number', ...newItem('?video=x'), status: 400 },
  {
    name: 'recorded: an item without content is its id',
    given: [newItem('?container=1')],
    ...by('GET /API/item/VX-1'),
    status: 200,
    says: { exact: '{"id":"VX-1"}' },
  },
  {
    name: 'an item comes in XML',
    given: [newItem()],
    ...by('GET /API/item/VX-1', undefined, xml),
    status: 200,
    says: { contains: ['<ItemDocument xmlns="', ' id="VX-1"></ItemDocument>'] },
  },
  {
    name: 'recorded: the metadata of a new placeholder',
    given: [by(`${create}?container=1`, title('Harbour'))],
    ...by('GET /API/item/VX-1?content=metadata&field=title,mediaType,shapeTag,__collection_size'),
    status: 200,
    says: {
      contains: [
        '"name":"title","value":[{"value":"Harbour"',
        '"name":"mediaType","value":[{"value":"none"',
        '"name":"shapeTag","value":[{"value":"original"',
        '{"name":"__collection_size","value":[{"value":"0"}]}',
      ],
    },
  },
  {
    name: 'content comes in the order of the document, whatever the order of its words',
    given: [newItem('?container=1')],
    ...by('GET /API/item/VX-1?content=access,metadata&field=title&includeTransientMetadata=false'),
    status: 200,
    says: { contains: ['{"metadata":{', '},"access":[{"type":"GENERIC","permission":"ALL"},', '"id":"VX-1"}'] },
  },
  {
    name: 'unknown content is refused',
    given: [newItem()],
    ...by('GET /API/item/VX-1?content=x'),
    status: 400,
  },
  {
    name: 'recorded: an unknown item is not found',
    ...by('GET /API/item/VX-9'),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Item', id: 'VX-9' } } },
  },
  {
    name: 'items are listed, the newest first, with both ends',
    given: [newItem(), newItem()],
    ...by('GET /API/item'),
    status: 200,
    says: {
      jsonPart: {
        hits: 2,
        item: [
          { id: 'VX-2', start: '-INF', end: '+INF' },
          { id: 'VX-1', start: '-INF', end: '+INF' },
        ],
      },
    },
  },
  {
    name: 'a list of items as text has addresses where the caller wants them',
    given: [newItem(), newItem()],
    ...by('GET /API/item?url=true&number=1', undefined, plain),
    status: 200,
    says: { contains: ['/API/item/VX-2\r\n'], lacks: ['VX-1'] },
  },
  {
    name: 'a list goes on behind a cursor',
    given: [newItem(), newItem(), newItem()],
    ...by('GET /API/item?cursor=*&number=2'),
    status: 200,
    says: { jsonPart: { hits: 3, nextCursor: '2' } },
  },
  {
    name: 'a deleted item is gone, with its shape',
    given: [newItem('?container=1')],
    ...by('DELETE /API/item/VX-1'),
    status: 200,
    says: { exact: '' },
    events: [['shape/delete', 'VX-1'], gone],
  },
  {
    name: 'a deleted item answers 404',
    given: [newItem(), by('DELETE /API/item/VX-1')],
    ...by('GET /API/item/VX-1'),
    status: 404,
  },
  {
    name: 'several items are deleted, and missing ones passed over',
    given: [
      newItem(),
      newItem(),
      newCollection(),
      by('PUT /API/collection/VX-1/VX-1'),
      by('PUT /API/collection/VX-1/VX-2'),
    ],
    ...by('DELETE /API/item?id=VX-2,VX-9&id=VX-1'),
    status: 200,
    events: [['collection/modify', 'VX-1'], ['item/delete', 'VX-2'], gone],
  },
  { name: 'nothing is deleted without ids', ...by('DELETE /API/item'), status: 400 },
  {
    name: 'no item is deleted if one of them is of somebody else',
    given: [newItem('', owner), newItem('', stranger)],
    ...by('DELETE /API/item?id=VX-2,VX-1', undefined, json, stranger),
    status: 403,
  },
  {
    name: 'the owner sees an item, as its owner',
    given: [newItem('', owner)],
    ...by('GET /API/item/VX-1?content=access', undefined, json, owner),
    status: 200,
    says: { contains: ['{"type":"URI","permission":"OWNER"}'] },
  },
  {
    name: 'an item of another system keeps its age and its owner',
    given: [newItem('?created=2011-05-06T07:08:09Z&owner=owner')],
    ...by('GET /API/item/VX-1?content=metadata,access&field=created,user', undefined, json, owner),
    status: 200,
    says: {
      contains: ['"value":"2011-05-06T07:08:09.000Z"', '"value":"owner"', '{"type":"URI","permission":"OWNER"}'],
    },
  },
  {
    name: 'an item of another system is listed by its age',
    given: [newItem(), newItem('?created=2011-05-06T07:08:09Z')],
    ...by('PUT /API/item', { sort: [{ field: 'created', order: 'ascending' }] }),
    status: 200,
    says: { jsonPart: { item: [{ id: 'VX-2' }, { id: 'VX-1' }] } },
  },
  { name: 'an owner must exist', ...newItem('?owner=nobody'), status: 404 },
  {
    name: 'a caller makes an item in the name of somebody else: only administrators do',
    ...newItem('?owner=stranger', owner),
    status: 403,
  },
  {
    name: 'a caller makes an item older than it is: only administrators do',
    ...newItem('?created=2011-05-06T07:08:09Z', owner),
    status: 403,
  },
  {
    name: 'a stranger does not see an item',
    given: [newItem('', owner)],
    ...by('GET /API/item/VX-1', undefined, json, stranger),
    status: 403,
  },
  {
    name: 'a list has the items of its reader only',
    given: [newItem('', owner), newItem('', stranger), newItem()],
    ...by('GET /API/item', undefined, json, owner),
    status: 200,
    says: { jsonPart: { hits: 1, item: [{ id: 'VX-1' }] } },
  },
];

describeMatrix('an item', (entry) => itHolds(entry, rows, { given: givenTo('assets') }));
