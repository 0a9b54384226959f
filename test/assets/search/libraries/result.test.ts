import { beforeEach, describe, expect, it } from 'vitest';
import { join, newCollection, newItem } from '../../../support/assets.ts';
import { newUser } from '../../../support/cast.ts';
import type { World } from '../../../support/matrix.ts';
import { openWorld } from '../../../support/matrix.ts';
import { by, json, jsonOf, plain, send } from '../../../support/requests.ts';
import type { Credentials } from '../../../support/service.ts';
import { givenTo, owner } from '../../../support/world.ts';

interface List {
  readonly hits: number;
  readonly library?: string;
  readonly item: readonly { readonly id: string }[];
}

const titled = (title: string) => ({ timespan: [{ field: [{ name: 'title', value: [{ value: title }] }] }] });
const query = { field: [{ name: 'title', value: [{ value: 'harbour' }] }] };
const ids = ({ item }: List) => item.map(({ id }) => id);

/** Items VX-1 and VX-2 are titled Harbour, VX-3 is not. */
describe('a search whose result is a library', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('fetch');
    for (const sent of [newItem(), newItem(), newItem()]) await send(world, sent);
    for (const id of ['VX-1', 'VX-2']) await send(world, by(`PUT /API/item/${id}/metadata`, titled('Harbour')));
  });

  const search = async (parameters = '', body: object = query, path = '/API/item') =>
    JSON.parse((await send(world, by(`PUT ${path}?result=library${parameters}`, body))).body) as List;
  const read = (id = 'VX*1') => jsonOf<List>(world, `GET /API/library/${id}`);
  const also = (id: string) => send(world, by(`PUT /API/item/${id}/metadata`, titled('Harbour')));

  it('keeps all that is found, and answers the page and the library', async () => {
    const found = await search('&number=1');
    expect([found.hits, found.library, ids(found)]).toEqual([2, 'VX*1', ['VX-2']]);
    expect(ids(await read())).toEqual(['VX-2', 'VX-1']);
    const settings = { updateMode: 'MERGE', autoRefresh: false, query };
    expect(await jsonOf(world, 'GET /API/library/VX*1/settings')).toMatchObject(settings);
    await also('VX-3');
    expect(ids(await read())).toEqual(['VX-2', 'VX-1']);
  });

  it('is the id of the library in a text', async () => {
    expect((await send(world, by('PUT /API/item?result=library', query, plain))).body).toBe('VX*1');
  });

  it('refreshes itself where the search says so', async () => {
    await search('&autoRefresh=true&updateMode=REPLACE&updateFrequency=60');
    expect(await jsonOf(world, 'GET /API/library/VX*1/settings')).toMatchObject({
      autoRefresh: true,
      updateMode: 'REPLACE',
      updateFrequency: 60,
    });
    await also('VX-3');
    await send(world, by('PUT /API/item/VX-1/metadata', titled('Sea')));
    expect(ids(await read())).toEqual(['VX-3', 'VX-2']);
  });

  it('goes into a library that is there, as its mode says', async () => {
    await send(world, by('POST /API/library', { item: [{ id: 'VX-3' }] }));
    expect((await search('&libraryId=VX*1')).library).toBe('VX*1');
    expect(ids(await read())).toEqual(['VX-3', 'VX-2', 'VX-1']);
    await search('&libraryId=VX*1&updateMode=REPLACE');
    expect(ids(await read())).toEqual(['VX-2', 'VX-1']);
    expect((await world.send(by('PUT /API/item?result=library&libraryId=VX*9', query))).status).toBe(404);
  });

  it('a search in a collection stays in it', async () => {
    for (const sent of [newCollection(), join('VX-1', 'VX-2'), join('VX-1', 'VX-3')]) await send(world, sent);
    const found = await search('&autoRefresh=true', query, '/API/collection/VX-1/item');
    expect(ids(found)).toEqual(['VX-2']);
    await also('VX-3');
    expect(ids(await read())).toEqual(['VX-3', 'VX-2']);
  });

  it('a search in a library finds its items alone', async () => {
    await send(world, by('POST /API/library', { item: [{ id: 'VX-2' }, { id: 'VX-3' }] }));
    const inLibrary = async (parameters: string, body: object = query) =>
      ids(JSON.parse((await send(world, by(`PUT /API/item?${parameters}`, body))).body) as List);
    expect(await inLibrary('library=VX*1')).toEqual(['VX-2']);
    expect(await inLibrary('library=VX*1', {})).toEqual(['VX-3', 'VX-2']);
    expect(await inLibrary('library=*')).toEqual(['VX-2', 'VX-1']);
    expect(ids(await jsonOf<List>(world, 'GET /API/item?library=VX*1'))).toEqual(['VX-3', 'VX-2']);
    expect((await world.send(by('PUT /API/item?library=VX*9', query))).status).toBe(404);
    await send(world, by('PUT /API/library/VX*1/settings', { updateMode: 'TRANSIENT', query }));
    expect(await inLibrary('library=VX*1', {})).toEqual(['VX-2', 'VX-1']);
  });

  it('needs the role of who makes libraries, and access to a library that it searches in', async () => {
    const searcher: Credentials = ['searcher', 'p'];
    for (const sent of [...givenTo('assets'), newUser(searcher, ['_item_search']), by('POST /API/library')])
      await send(world, sent);
    const made = await world.send({ ...by('PUT /API/item?result=library', query, json, searcher) });
    expect([made.status, made.body]).toEqual([403, expect.stringContaining('_library_write')]);
    expect((await world.send(by('PUT /API/item?library=VX*1', query, json, searcher))).status).toBe(403);
    expect((await world.send(by('GET /API/item?library=VX*1', undefined, json, owner))).status).toBe(403);
  });

  it('keeps no item that the caller may not read', async () => {
    for (const sent of givenTo('assets')) await send(world, sent);
    await send(world, newItem('', owner));
    await also('VX-4');
    const { body } = await send(world, by('PUT /API/item?result=library', query, plain, owner));
    expect(ids(await read(body.trim()))).toEqual(['VX-4']);
  });

  it('refuses a result that is larger than a library may be', async () => {
    const small = await openWorld('fetch', { settings: { maxLibraryItems: 1 } });
    for (const sent of [newItem(), newItem()]) await send(small, sent);
    const refused = await small.send(by('PUT /API/item?result=library', {}));
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('maxLibraryItems')]);
  });
});
