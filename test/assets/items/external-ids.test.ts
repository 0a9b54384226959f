import { join, newCollection, newItem } from '../../support/assets.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { by, json } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';

const namespace = (name: string, pattern: string, priority = 0) =>
  by(`PUT /API/external-id/${name}`, { pattern, priority });
const all = namespace('all', '.*');

const id = (entityType: string, externalId: string, entityId: string) => ({ entityType, externalId, entityId });

const rows: readonly Scenario[] = [
  {
    name: 'an external id is deleted in short',
    given: [all, newItem('?externalId=tape'), by('DELETE /API/item/VX-1/tape')],
    ...by('GET /API/item/tape'),
    status: 404,
  },
  {
    name: 'an external id that the item does not have is not deleted',
    given: [newItem()],
    ...by('DELETE /API/item/VX-1/tape'),
    status: 404,
    says: { jsonPart: { notFound: { type: 'ExternalId' } } },
  },
  {
    name: 'an external id has no GET',
    given: [newItem()],
    ...by('GET /API/item/VX-1/tape'),
    status: 404,
    answers: { 'portico-error': 'no-such-path' },
  },
  {
    name: 'an external id of a collection is deleted at the path of a member',
    given: [all, newCollection('?externalId=box'), by('DELETE /API/collection/VX-1/box')],
    ...by('GET /API/collection/box'),
    status: 404,
  },
  {
    name: 'a member of that name goes first',
    given: [all, newCollection('?externalId=box'), newItem('?externalId=box'), join('VX-1', 'box')],
    ...by('DELETE /API/collection/VX-1/box'),
    status: 200,
    events: [['collection/modify', 'VX-1']],
  },
  {
    name: 'duplicates are listed by type, namespace, value and entities',
    given: [namespace('tapes', 't.*'), newItem('?externalId=t1')],
    ...by('POST /API/external-id/duplicates', {
      id: [
        id('Item', 't1', 'OLD-7'),
        id('Item', 't2', 'OLD-8'),
        id('Item', 't2', 'OLD-8'),
        id('Item', 't3', 'OLD-8'),
        id('collection', 't3', 'OLD-9'),
        id('Item', 'x', 'OLD-8'),
        id('item', 'x', 'OLD-10'),
      ],
    }),
    status: 200,
    says: {
      json: {
        duplicate: [
          {
            entityType: 'Item',
            namespace: 'tapes',
            externalId: 't1',
            entity: [
              { id: 'VX-1', isKnown: true },
              { id: 'OLD-7', isKnown: false },
            ],
          },
          {
            entityType: 'Item',
            externalId: 'x',
            entity: [
              { id: 'OLD-8', isKnown: false },
              { id: 'OLD-10', isKnown: false },
            ],
          },
        ],
      },
    },
  },
  {
    name: 'an unknown type of entity has no duplicates',
    ...by('POST /API/external-id/duplicates', { id: [id('Tape', 'a', 'b')] }),
    status: 400,
  },
  {
    name: 'the external ids of a deleted item are free',
    given: [all, newItem('?externalId=tape'), by('DELETE /API/item/tape'), newItem('?externalId=tape')],
    ...by('GET /API/item/tape'),
    status: 200,
    says: { jsonPart: { id: 'VX-2' } },
  },
  {
    name: 'an external id belongs to the namespace of the least priority that matches it',
    given: [namespace('all', '.*', 2), namespace('tapes', 'T\\d+', 1), newItem('?externalId=T1,x')],
    ...by('GET /API/item/T1/external-id'),
    status: 200,
    says: {
      json: {
        id: [
          { entityId: 'VX-1', entityType: 'Item', namespace: 'tapes', externalId: 'T1' },
          { entityId: 'VX-1', entityType: 'Item', namespace: 'all', externalId: 'x' },
        ],
      },
    },
  },
  {
    name: 'an external id of no namespace makes no item',
    given: [namespace('tapes', 'T\\d+')],
    ...newItem('?externalId=T1x'),
    status: 400,
  },
  {
    name: 'an external id that another item has makes no item',
    given: [all, newItem('?externalId=a')],
    ...newItem('?externalId=a'),
    status: 400,
  },
  {
    name: 'an item is given what it has already',
    given: [all, newItem('?externalId=a')],
    ...by('PUT /API/item/VX-1/external-id/a'),
    status: 200,
  },
  {
    name: 'an external id is given with a slash, and found in content',
    given: [all, newItem(), by('PUT /API/item/VX-1/external-id/a%2Fb')],
    ...by('GET /API/item/VX-1?content=external'),
    status: 200,
    says: {
      exact:
        '{"externalId":[{"entityId":"VX-1","entityType":"Item","namespace":"all","externalId":"a/b"}],"id":"VX-1"}',
    },
  },
  {
    name: 'a namespace goes with its external ids',
    given: [all, newItem('?externalId=a'), by('DELETE /API/external-id/all')],
    ...by('GET /API/item/a'),
    status: 404,
  },
  {
    name: 'a changed pattern leaves external ids',
    given: [all, newItem('?externalId=a'), namespace('all', 'b')],
    ...by('GET /API/item/a'),
    status: 200,
  },
  {
    name: 'a collection has external ids of its own',
    given: [all, newItem('?externalId=a'), by('POST /API/collection?externalId=a')],
    ...by('GET /API/collection/a?content=external'),
    status: 200,
    says: { jsonPart: { externalId: [{ entityType: 'Collection', entityId: 'VX-1' }] } },
  },
  {
    name: 'a namespace is answered, and read under the root of a list',
    ...by(
      'PUT /API/external-id/all',
      '<ExternalIdentifierNamespaceListDocument xmlns="urn:x"><pattern>.*</pattern><priority>3</priority></ExternalIdentifierNamespaceListDocument>',
      { ...json, 'content-type': 'application/xml' },
    ),
    status: 200,
    says: { json: { name: 'all', pattern: '.*', priority: 3 } },
  },
  {
    name: 'namespaces are listed as they are asked',
    given: [namespace('b', 'b', 2), namespace('a', 'a', 2), namespace('c', 'c', 1)],
    ...by('GET /API/external-id'),
    status: 200,
    says: { jsonPart: { namespace: [{ name: 'c' }, { name: 'a' }, { name: 'b' }] } },
  },
  { name: 'a namespace has a regular expression', ...namespace('all', '('), status: 400 },
  { name: 'an unknown namespace is not found', ...by('GET /API/external-id/none'), status: 404 },
  { name: 'an unknown namespace does not go', ...by('DELETE /API/external-id/none'), status: 404 },
  {
    name: 'an external id is taken from whatever has it',
    given: [all, newItem('?externalId=a'), by('DELETE /API/external-id/id/a')],
    ...by('GET /API/item/a'),
    status: 404,
  },
  { name: 'an external id that nothing has is not found', ...by('DELETE /API/external-id/id/a'), status: 404 },
];

describeMatrix('an external id', (entry) => itHolds(entry, rows));
