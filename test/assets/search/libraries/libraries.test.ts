import { describe, expect, it } from 'vitest';
import { join, newCollection, newItem, newLibrary } from '../../../support/assets.ts';
import { openWorld } from '../../../support/matrix.ts';
import { by, json, jsonOf, plain, send, xml } from '../../../support/requests.ts';
import { itHolds, type Scenario } from '../../../support/scenario.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';

const path = '/API/library/VX*1';
const items = (...ids: readonly string[]) => ({ item: ids.map((id) => ({ id })) });
const metadata = { timespan: [{ field: [{ name: 'title', value: [{ value: 'Hafen' }] }] }] };

/** Three items; a library with the items 1 and 2. */
const given = [newItem(), newItem(), newItem(), newLibrary(['VX-1', 'VX-2'])];

const rows: readonly Scenario[] = [
  {
    name: 'ids of libraries have a star and numbers of their own',
    ...by('POST /API/library'),
    status: 200,
    answers: { location: /^http:\/\/[^/]+\/API\/library\/VX\*2$/ },
    says: { json: { uri: ['VX*2'] } },
  },
  {
    name: 'a library that is made is its id in a text',
    ...by('POST /API/library', undefined, plain),
    status: 200,
    says: { exact: 'VX*2' },
  },
  {
    name: 'a library tells its items, the newest first, with its own id',
    ...by(`GET ${path}`),
    status: 200,
    says: {
      json: {
        hits: 2,
        library: 'VX*1',
        item: [
          { id: 'VX-2', start: '-INF', end: '+INF' },
          { id: 'VX-1', start: '-INF', end: '+INF' },
        ],
        facet: [],
        suggestion: [],
        autocomplete: [],
      },
    },
  },
  {
    name: 'a library is told in XML with both ends of each item',
    ...by(`GET ${path}?number=1`, undefined, xml),
    status: 200,
    says: { contains: ['<hits>2</hits><library>VX*1</library><item id="VX-2" start="-INF" end="+INF">'] },
  },
  {
    name: 'a page of a library, and what its items have',
    ...by(`GET ${path}?first=2&number=1&content=metadata&field=itemId&count=false`),
    status: 200,
    says: { contains: ['"value":"VX-1"'], lacks: ['hits', 'VX-2'] },
  },
  {
    name: 'pages of a library go by cursors, too',
    ...by(`GET ${path}?cursor=*&number=1`),
    status: 200,
    says: { jsonPart: { nextCursor: '2', item: [{ id: 'VX-2' }] } },
  },
  {
    name: 'the last page of a library has a cursor, too',
    ...by(`GET ${path}?cursor=2&number=1`),
    status: 200,
    says: { jsonPart: { nextCursor: '1', item: [{ id: 'VX-1' }] } },
  },
  {
    name: 'the page behind the end of a library is empty, with the same cursor',
    ...by(`GET ${path}?cursor=1&number=1`),
    status: 200,
    says: { jsonPart: { nextCursor: '1', item: [] } },
  },
  {
    name: 'a library is not made with an unknown item',
    ...by('POST /API/library', items('VX-9')),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Item', id: 'VX-9' } } },
  },
  {
    name: 'an external id of another library is refused',
    given: [by('PUT /API/external-id/tapes', { pattern: 'tape.*' }), newLibrary([], '?externalId=tape7')],
    ...by('POST /API/library?externalId=tape7'),
    status: 400,
  },
  {
    name: 'a library is found by its external id',
    given: [by('PUT /API/external-id/tapes', { pattern: 'tape.*' }), by(`PUT ${path}/external-id/tape7`)],
    ...by('GET /API/library/tape7'),
    status: 200,
    says: { jsonPart: { library: 'VX*1' } },
  },
  {
    name: 'an unknown library has no items',
    ...by('GET /API/library/VX*9'),
    status: 404,
    says: { contains: ['Library'] },
  },
  {
    name: 'items of a document are added',
    given: [by(`PUT ${path}`, items('VX-3', 'VX-1'))],
    ...by(`GET ${path}`, undefined, plain),
    status: 200,
    says: { exact: 'VX-3\r\nVX-2\r\nVX-1\r\n' },
  },
  { name: 'an item is added', ...by(`PUT ${path}/VX-3`), status: 200, says: { exact: '' } },
  { name: 'an item that is inside already stays', ...by(`PUT ${path}/VX-1`), status: 200 },
  { name: 'an unknown item is not added', ...by(`PUT ${path}/VX-9`), status: 404 },
  { name: 'an item leaves a library', ...by(`DELETE ${path}/VX-1`), status: 200, says: { exact: '' } },
  { name: 'what is not inside does not leave', ...by(`DELETE ${path}/VX-3`), status: 404 },
  {
    name: 'no call changes the items of a library that refreshes itself',
    given: [by(`PUT ${path}/settings`, { autoRefresh: true })],
    ...by(`PUT ${path}/VX-3`),
    status: 409,
    answers: { 'portico-error': 'library-refreshed' },
  },
  {
    name: 'no call changes the items of a library that keeps none',
    given: [by(`PUT ${path}/settings`, { updateMode: 'TRANSIENT' })],
    ...by(`DELETE ${path}/VX-1`),
    status: 409,
  },
  {
    name: 'the settings of a library',
    ...by(`GET ${path}/settings`),
    status: 200,
    says: { json: { id: 'VX*1', username: 'admin', updateMode: 'MERGE', autoRefresh: false } },
  },
  {
    name: 'settings that the document leaves out stay, and those of the service are passed over',
    given: [
      by(`PUT ${path}/settings`, { updateMode: 'REPLACE', updateFrequency: 60 }),
      by(`PUT ${path}/settings`, {
        id: 'VX*7',
        username: 'stranger',
        lastUpdate: '2020-01-01T00:00:00Z',
        autoRefresh: true,
      }),
    ],
    ...by(`GET ${path}/settings`),
    status: 200,
    says: {
      json: { id: 'VX*1', username: 'admin', updateMode: 'REPLACE', autoRefresh: true, updateFrequency: 60 },
    },
  },
  { name: 'a mode is a known one', ...by(`PUT ${path}/settings`, { updateMode: 'KEEP' }), status: 400 },
  {
    name: 'a frequency is not negative',
    ...by(`PUT ${path}/settings`, { updateFrequency: -1 }),
    status: 400,
    says: { contains: ['updateFrequency'] },
  },
  {
    name: 'the libraries are listed, the newest first',
    given: [newLibrary(), by('PUT /API/library/VX*2/settings', { updateMode: 'REPLACE', updateFrequency: 30 })],
    ...by('GET /API/library'),
    status: 200,
    says: { json: { hits: 2, uri: ['VX*2', 'VX*1'] } },
  },
  {
    name: 'libraries are listed by what their settings say',
    given: [newLibrary(), by('PUT /API/library/VX*2/settings', { updateMode: 'REPLACE', updateFrequency: 30 })],
    ...by('GET /API/library?updateMode=replace&autoRefresh=false&frequencyFrom=30&frequencyTo=30'),
    status: 200,
    says: { json: { hits: 1, uri: ['VX*2'] } },
  },
  {
    name: 'a list has only libraries that the caller may read',
    given: [...givenTo('assets'), newLibrary([], '', owner)],
    ...by('GET /API/library', undefined, json, owner),
    status: 200,
    says: { json: { hits: 1, uri: ['VX*2'] } },
  },
  {
    name: 'a library is for those who may read it',
    given: givenTo('assets'),
    ...by(`GET ${path}`, undefined, json, stranger),
    status: 403,
  },
  {
    name: 'readers see only items that they may read',
    given: [
      ...givenTo('assets'),
      newItem('', owner),
      newLibrary(['VX-4'], '', owner),
      by('PUT /API/library/VX*2/VX-1'),
    ],
    ...by('GET /API/library/VX*2', undefined, json, owner),
    status: 200,
    says: { jsonPart: { hits: 1, item: [{ id: 'VX-4' }] }, lacks: ['VX-1'] },
  },
  {
    name: 'an item that the caller may not read does not come into a library',
    given: givenTo('assets'),
    ...by('POST /API/library', items('VX-1'), json, owner),
    status: 403,
  },
  {
    name: 'a library has access entries',
    given: [...givenTo('assets'), by(`POST ${path}/access`, { permission: 'READ', user: 'owner' })],
    ...by('GET /API/library', undefined, json, owner),
    status: 200,
    says: { json: { hits: 1, uri: ['VX*1'] } },
  },
  {
    name: 'the libraries of an item',
    ...by('GET /API/item/VX-1/library'),
    status: 200,
    says: { json: { uri: ['VX*1'] } },
  },
  {
    name: 'a library is deleted, and its items stay',
    given: [join('VX-1', 'VX-3')].slice(1),
    ...by(`DELETE ${path}`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a collection is told of a member library that goes',
    given: [newCollection(), join('VX-1', 'VX*1', 'library')],
    ...by('DELETE /API/library?id=VX*1,VX*9'),
    status: 200,
    events: [['collection/modify', 'VX-1']],
  },
  { name: 'an unknown library is not deleted', ...by('DELETE /API/library/VX*9'), status: 404 },
  { name: 'a deletion of several names them', ...by('DELETE /API/library'), status: 400 },
  {
    name: 'a deletion is a job where the caller asks for one',
    ...by(`DELETE ${path}?async=true`),
    status: 200,
    says: { jsonPart: { type: 'DELETE_LIBRARY', status: 'READY' } },
    events: [['job/create', 'VX-1']],
  },
  {
    name: 'a library is a member of a collection',
    given: [newCollection(), join('VX-1', 'VX*1', 'library')],
    ...by('GET /API/collection/VX-1?children=library'),
    status: 200,
    says: { contains: ['"id":"VX*1","uri":"', '/API/library/VX*1"', '"type":"library"'] },
  },
  {
    name: 'the items of a library become members one by one',
    given: [newCollection(), join('VX-1', 'VX-2')],
    ...by('PUT /API/collection/VX-1/VX*1?type=library&addItems=true&metadata=role%3Dlead'),
    status: 200,
    events: [['collection/modify', 'VX-1']],
  },
  {
    name: 'a deleted item leaves its libraries',
    given: [by('DELETE /API/item/VX-2')],
    ...by(`GET ${path}`),
    status: 200,
    says: { jsonPart: { hits: 1, item: [{ id: 'VX-1' }] } },
  },
  {
    name: 'a library has key-value metadata',
    given: [by(`PUT ${path}/metadata`, { field: [{ key: 'k', value: 'v' }] })],
    ...by(`GET ${path}/metadata`),
    status: 200,
    says: { json: { field: [{ key: 'k', value: 'v' }] } },
  },
  {
    name: 'the items of a library get no unknown field',
    ...by(`PUT ${path}/item-metadata`, { timespan: [{ field: [{ name: 'x_none', value: [{ value: '1' }] }] }] }),
    status: 404,
    says: { jsonPart: { notFound: { type: 'metadata-field' } } },
  },
];

describe('a library', () => {
  itHolds({ name: 'fetch', open: (options) => openWorld('fetch', options) }, rows, { given });

  it('has at most as many items as the setting says', async () => {
    const world = await openWorld('fetch', { settings: { maxLibraryItems: 2 } });
    for (const sent of given) await send(world, sent);
    const more = [by(`PUT ${path}/VX-3`), newLibrary(['VX-1', 'VX-2', 'VX-3'])];
    for (const sent of more) {
      const refused = await world.send(sent);
      expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('maxLibraryItems')]);
    }
    expect(await jsonOf(world, `GET ${path}`)).toMatchObject({ hits: 2 });
  });

  it('gives its items to a collection once, in the order in which they were made', async () => {
    const world = await openWorld('fetch');
    const first = [newItem(), newItem(), newItem(), newLibrary(['VX-3', 'VX-1', 'VX-2']), newCollection()];
    for (const sent of [...first, join('VX-1', 'VX-2')]) await send(world, sent);
    const add = by('PUT /API/collection/VX-1/VX*1?type=library&addItems=true');
    await send(world, add);
    await send(world, add);
    expect(await jsonOf(world, 'GET /API/collection/VX-1')).toMatchObject({
      content: [{ id: 'VX-2' }, { id: 'VX-1' }, { id: 'VX-3' }],
    });
  });
});

describe('metadata for all items of a library', () => {
  it('each item gets one change set; the job ends without a warning', async () => {
    const world = await openWorld('fetch');
    for (const sent of [newItem(), newItem(), newLibrary(['VX-1', 'VX-2'])]) await send(world, sent);
    const before = (await world.events()).at(-1)!.sequence;
    const job = JSON.parse((await send(world, by(`PUT ${path}/item-metadata`, metadata))).body);
    expect(job).toMatchObject({ type: 'UPDATE_LIBRARY_ITEM_METADATA', status: 'READY' });
    await world.service.tick();
    expect(await jsonOf(world, 'GET /API/job/VX-1')).toMatchObject({ status: 'FINISHED' });
    const changed = (await world.events(before)).filter(({ name }) => name === 'metadata/modify');
    expect(changed.map(({ entity }) => entity)).toEqual(['VX-1', 'VX-2']);
    for (const item of ['VX-1', 'VX-2']) {
      const title = await jsonOf(world, `GET /API/item/${item}?content=metadata&field=title`);
      expect(JSON.stringify(title)).toContain('Hafen');
    }
    const hafen = { field: [{ name: 'title', value: [{ value: 'Hafen' }] }] };
    const found = JSON.parse((await send(world, by('PUT /API/item', hafen))).body);
    expect(found).toMatchObject({ hits: 2 });
  });

  it('passes over items that the user may not change, and ends with a warning', async () => {
    const world = await openWorld('fetch');
    for (const sent of [...givenTo('assets'), newItem(), newItem('', owner), newLibrary(['VX-2'], '', owner)]) {
      await send(world, sent);
    }
    await send(world, by(`PUT ${path}/VX-1`));
    await send(world, by(`PUT ${path}/item-metadata`, metadata, json, owner));
    await world.service.tick();
    expect(await jsonOf(world, 'GET /API/job/VX-1')).toMatchObject({ status: 'FINISHED_WARNING' });
    const titles = await Promise.all(
      ['VX-1', 'VX-2'].map((id) => jsonOf(world, `GET /API/item/${id}?content=metadata&field=title`)),
    );
    expect(titles.map((each) => JSON.stringify(each).includes('Hafen'))).toEqual([false, true]);
  });
});
