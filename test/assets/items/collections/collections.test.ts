import { expect } from 'vitest';
import { newCollection } from '../../../support/assets.ts';
import { describeMatrix } from '../../../support/matrix.ts';
import { by, json, plain, xml } from '../../../support/requests.ts';
import { itHolds, type Scenario } from '../../../support/scenario.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';

const made = ['collection/create', 'VX-1'] as const;
const named = ['collection/metadata/modify', 'VX-1'] as const;
const gone = ['collection/delete', 'VX-1'] as const;
const missing = { jsonPart: { notFound: { type: 'Collection', id: 'VX-9' } } };

const rows: readonly Scenario[] = [
  {
    name: 'recorded: a collection without a name has no name',
    ...newCollection(),
    status: 200,
    says: { json: { loc: expectedLoc('VX-1'), id: 'VX-1' } },
    events: [made, named],
  },
  {
    name: 'recorded: a collection is made with a name, and located without a slash at the end',
    ...newCollection('?name=test_collection_1'),
    status: 200,
    answers: { location: /^http:\/\/[^/]+\/API\/collection\/VX-1$/ },
    says: { json: { loc: expectedLoc('VX-1'), id: 'VX-1', name: 'test_collection_1' } },
    events: [made, named],
  },
  {
    name: 'an empty JSON object is no document',
    ...by('POST /API/collection', {}),
    status: 200,
    says: { contains: ['"id":"VX-1"'] },
    events: [made, named],
  },
  {
    name: 'a text is the id of the new collection',
    ...by('POST /API/collection', undefined, plain),
    status: 200,
    says: { exact: 'VX-1' },
    events: [made, named],
  },
  {
    name: 'recorded: one collection is located with a slash at the end',
    given: [newCollection('?name=a')],
    ...by('GET /API/collection/VX-1'),
    status: 200,
    says: { json: { loc: expectedLoc('VX-1', '/'), id: 'VX-1', name: 'a' } },
  },
  {
    name: 'a collection of another system keeps its age and its owner',
    given: [newCollection('?name=a&created=2011-05-06T07:08:09Z&owner=owner')],
    ...by('GET /API/collection/VX-1?content=metadata&field=created,user', undefined, json, owner),
    status: 200,
    says: { contains: ['"value":"2011-05-06T07:08:09.000Z"', '"value":"owner"'] },
  },
  {
    name: 'a caller makes a collection in the name of somebody else: only administrators do',
    ...newCollection('?owner=stranger', owner),
    status: 403,
  },
  {
    name: 'a collection comes in XML',
    given: [newCollection('?name=a%26b')],
    ...by('GET /API/collection/VX-1', undefined, xml),
    status: 200,
    says: { contains: ['<CollectionDocument xmlns="', '<id>VX-1</id><name>a&amp;b</name>'] },
  },
  {
    name: 'recorded: an unknown collection is not found',
    ...by('GET /API/collection/VX-9'),
    status: 404,
    says: missing,
  },
  {
    name: 'recorded: an unknown collection is not deleted',
    ...by('DELETE /API/collection/VX-9'),
    status: 404,
    says: missing,
  },
  {
    name: 'a collection is deleted as recorded',
    given: [newCollection()],
    ...by('DELETE /API/collection/VX-1'),
    status: 200,
    answers: { 'content-type': 'application/json', 'content-length': '0' },
    says: { exact: '' },
    events: [gone],
  },
  {
    name: 'recorded: several are deleted, and missing ones passed over',
    given: [newCollection(), newCollection()],
    ...by('DELETE /API/collection?id=VX-1,VX-9,VX-2'),
    status: 200,
    says: { exact: '' },
    events: [gone, ['collection/delete', 'VX-2']],
  },
  { name: 'nothing is deleted without ids', ...by('DELETE /API/collection'), status: 400 },
  {
    name: 'recorded: collections are listed, the newest first',
    given: [newCollection('?name=a'), newCollection()],
    ...by('GET /API/collection;first=1'),
    status: 200,
    says: {
      json: {
        hits: 2,
        collection: [
          { loc: expectedLoc('VX-2'), id: 'VX-2' },
          { loc: expectedLoc('VX-1'), id: 'VX-1', name: 'a' },
        ],
        facet: [],
        suggestion: [],
        autocomplete: [],
      },
    },
  },
  {
    name: 'a page past the end is an empty list',
    given: [newCollection()],
    ...by('GET /API/collection?first=7'),
    status: 200,
    says: { jsonPart: { hits: 1, collection: [] } },
  },
  {
    name: 'a list goes on behind a cursor',
    given: [newCollection(), newCollection(), newCollection()],
    ...by('GET /API/collection?cursor=3&number=1&count=false'),
    status: 200,
    says: { jsonPart: { collection: [{ id: 'VX-2' }], nextCursor: '2' }, lacks: ['hits'] },
  },
  { name: 'a cursor is one of an answer', ...by('GET /API/collection?cursor=x'), status: 400 },
  {
    name: 'a list as text has ids',
    given: [newCollection(), newCollection()],
    ...by('GET /API/collection', undefined, plain),
    status: 200,
    says: { exact: 'VX-2\r\nVX-1\r\n' },
  },
  {
    name: 'renaming sets the title',
    given: [newCollection('?name=a')],
    ...by('PUT /API/collection/VX-1/rename?name=b', '', { 'content-type': 'text/plain' }),
    status: 200,
    says: { exact: '' },
    events: [named],
  },
  {
    name: 'a renamed collection has its name, whatever title it has in a language',
    given: [
      newCollection(),
      by('PUT /API/collection/VX-1/metadata', {
        timespan: [{ field: [{ name: 'title', value: [{ value: 'Hafen', lang: 'de' }] }] }],
      }),
      by('PUT /API/collection/VX-1/rename?name=port', '', { 'content-type': 'text/plain' }),
    ],
    ...by('GET /API/collection/VX-1'),
    status: 200,
    says: { jsonPart: { name: 'port' } },
  },
  {
    name: 'the service says in one change set what was made, by whom and when',
    given: [newCollection('?name=a', owner)],
    ...by('GET /API/collection/VX-1/metadata/changes'),
    status: 200,
    says: {
      jsonPart: {
        changeSet: [
          {
            id: 'VX-1',
            metadata: { timespan: [{ field: expect.arrayContaining(createdBy('owner', 'a')) }] },
          },
        ],
      },
    },
  },
  {
    name: 'a collection is not renamed without a name',
    given: [newCollection('?name=a')],
    ...by('PUT /API/collection/VX-1/rename'),
    status: 400,
  },
  {
    name: 'a document renames, and leaves the members that it does not speak of',
    given: [newCollection(), newCollection(), by('PUT /API/collection/VX-1/VX-2?type=collection')],
    ...by('PUT /API/collection/VX-1', { name: 'b' }),
    status: 200,
    says: { jsonPart: { name: 'b', content: [{ id: 'VX-2' }] } },
    events: [named],
  },
  {
    name: 'the owner sees a collection',
    given: [newCollection('', owner)],
    ...by('GET /API/collection/VX-1', undefined, json, owner),
    status: 200,
  },
  {
    name: 'a stranger does not see a collection',
    given: [newCollection('', owner)],
    ...by('GET /API/collection/VX-1', undefined, json, stranger),
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
  },
  {
    name: 'a list has the collections of its reader only',
    given: [newCollection('', owner), newCollection('', stranger), newCollection()],
    ...by('GET /API/collection', undefined, json, stranger),
    status: 200,
    says: { jsonPart: { hits: 1, collection: [{ id: 'VX-2' }] } },
  },
  {
    name: 'a stranger deletes none of several, where one is not the own',
    given: [newCollection('', owner), newCollection('', stranger)],
    ...by('DELETE /API/collection?id=VX-2,VX-1', undefined, json, stranger),
    status: 403,
  },
];

/** The fields of a new collection, each by the service. */
function createdBy(user: string, name: string): unknown[] {
  const values = { collectionId: 'VX-1', title: name, user, created: expect.stringMatching(/^\d{4}-.*Z$/) };
  return Object.entries(values).map(([field, value]) =>
    expect.objectContaining({ name: field, user: 'system', value: [expect.objectContaining({ value })] }),
  );
}

/** Whatever the host is. */
function expectedLoc(id: string, end = ''): unknown {
  return expect.stringMatching(new RegExp(`^http://[\\w.:]+/API/collection/${id}${end}$`));
}

describeMatrix('a collection', (entry) => itHolds(entry, rows, { given: givenTo('assets') }));
