import { expect, it } from 'vitest';
import type { EngineDocument } from '../../../../src/spi/index.ts';
import { fieldsOf, join, newCollection } from '../../../support/assets.ts';
import { pagesByCursor } from '../../../support/cursors.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';
import { add, catchUp, type EngineWorld, engineWorld, search, sharedDatabase } from './engine-world.ts';

const settings = { searchIndex: 'engine' } as const;
const tag = (value: string) => ({ field: [{ name: 'x_tag', value: [{ value }] }] });

/** A service in which nothing but the engine has an index, and one in which the database answers. */
async function bothWorlds(): Promise<readonly EngineWorld[]> {
  const alone = await engineWorld({ settings });
  const other = await engineWorld({ database: await sharedDatabase() });
  other.engine.answers = 'Expected nothing';
  return [alone, other];
}

/** Documents like that of an item, which the database does not know. */
function addUnknown({ engine }: EngineWorld, count: number, like: string): void {
  const documents = engine.documents as Map<number, EngineDocument>;
  const document = [...documents.values()].find(({ kind, entityId }) => kind === 'item' && entityId === like);
  for (let id = 1_000_000; id < 1_000_000 + count; id++)
    documents.set(id, { ...document!, id, entityId: `VX-${id}`, context: null });
}

async function idsOf(world: EngineWorld, document: object, as: Credentials, path = '/API/item') {
  const { body } = await send(world, by(`PUT ${path}`, document, json, as));
  return (JSON.parse(body) as { item?: { id: string }[] }).item?.map(({ id }) => id) ?? [];
}

/** Items with shapes, in collections, changed at different times. */
async function filled(world: EngineWorld): Promise<readonly string[]> {
  for (const sent of givenTo('assets')) await send(world, sent);
  const collections: string[] = [];
  for (const name of ['one', 'two', 'three'])
    collections.push(/VX-\d+/.exec((await send(world, newCollection(`?name=${name}`))).body)![0]);
  await send(world, join(collections[1]!, collections[0]!, 'collection'));
  const ids: string[] = [];
  for (let at = 0; at < 9; at++) {
    const id = await add(world, { x_tag: at % 3 === 0 ? 'b' : 'a' }, at % 2 === 0 ? owner : admin);
    ids.push(id);
    for (let shape = 0; shape < (at * 2) % 5; shape++)
      await send(world, by(`POST /API/item/${id}/shape/placeholder?video=1`, undefined, json));
    for (const collection of collections.slice(0, (at * 7) % 4)) await send(world, join(collection, id));
    await world.clock.advance(1000);
  }
  const timespan = [{ start: '-INF', end: '+INF', field: fieldsOf({ x_count: '1' }) }];
  for (const id of [ids[4]!, ids[1]!]) {
    await world.clock.advance(1000);
    await send(world, by(`PUT /API/item/${id}/metadata`, { timespan }));
  }
  for (const [user] of [owner, stranger])
    await send(world, by(`POST /API/collection/${collections[0]}/access`, { user, permission: 'READ' }));
  await catchUp(world);
  return collections;
}

/** All pages by a cursor, of two hits each, and the number of hits. */
async function pagesOf(world: EngineWorld, document: object, as: Credentials, path = '/API/item') {
  let hits = 0;
  const pages = await pagesByCursor(async (cursor) => {
    const target = `${path}${path.includes('?') ? '&' : '?'}number=2&cursor=${encodeURIComponent(cursor)}`;
    const answer = JSON.parse((await send(world, by(`PUT ${target}`, document, json, as))).body);
    const entries: readonly string[] = (answer.item ?? answer.collection ?? []).map(({ id }: { id: string }) => id);
    ({ hits } = answer);
    return { entries, next: answer.nextCursor };
  });
  return { pages: pages.map(({ entries }) => entries), hits };
}

const sorts: readonly (readonly (readonly [field: string, order?: string])[])[] = [
  ...['__shape_size', '__metadata_last_modified', '__collection_size', '__ancestor_collection'].flatMap((field) => [
    [[field]] as const,
    [[field, 'descending']] as const,
  ]),
  [['__shape'], ['x_tag']],
  [['x_tag', 'descending'], ['__shape_size'], ['created', 'descending']],
  [
    ['x_count', 'descending'],
    ['__collection_size', 'descending'],
  ],
];

it('orders by facts are those of the database, for each caller and by a cursor', async () => {
  const answers: unknown[][] = [];
  for (const world of await bothWorlds()) {
    await filled(world);
    const own: unknown[] = [];
    for (const terms of sorts) {
      const document = { ...tag('a'), sort: terms.map(([field, order]) => ({ field, order })) };
      for (const as of [admin, owner, stranger]) own.push([terms, as[0], await pagesOf(world, document, as)]);
      const { ids, hits } = await search(world, { ...document, facet: [{ field: 'x_tag' }] }, owner);
      own.push([ids, hits]);
    }
    const sort = [{ field: '__items_size', order: 'descending' }, { field: '__parent_collection_size' }];
    for (const as of [admin, stranger]) own.push(await pagesOf(world, { sort }, as, '/API/collection'));
    answers.push(own);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(JSON.stringify(answers[0]![0])).toContain('VX-');
});

it('places of a collection are its order, also where the engine has more hits than are sorted', async () => {
  const answers: unknown[][] = [];
  for (const [at, world] of (await bothWorlds()).entries()) {
    const [collection] = await filled(world);
    const path = `/API/collection/${collection}/item`;
    const ids = await idsOf(world, {}, admin, `${path}?order=collection`);
    await send(world, by(`PUT /API/collection/${collection}/${ids.at(-1)}?type=item&before=${ids[0]}`));
    await catchUp(world);
    const [like] = await idsOf(world, tag('a'), admin, path);
    const own: unknown[] = [];
    for (const isMany of [false, true]) {
      if (isMany && at === 0) addUnknown(world, 12_000, like!);
      for (const as of [admin, owner, stranger])
        for (const document of [{}, tag('a')]) {
          const { pages } = await pagesOf(world, document, as, `${path}?order=collection`);
          own.push([pages, await idsOf(world, document, as, `${path}?order=collection&first=2&number=3`)]);
        }
    }
    answers.push(own);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(JSON.stringify(answers[0])).toContain('VX-');
});

it('the last change of metadata is a criterion of the engine', async () => {
  const answers: unknown[][] = [];
  for (const world of await bothWorlds()) {
    await filled(world);
    const field = (name: string, from: string) => ({
      name,
      range: [{ value: [{ value: from }, { value: '' }] }],
    });
    const [latest] = (await search(world, { sort: [{ field: '__metadata_last_modified', order: 'descending' }] })).ids;
    const { body } = await send(
      world,
      by(`GET /API/item/${latest}/metadata?field=__metadata_last_modified`, undefined, json),
    );
    const at = /"value":"(\d{4}-[^"]+)"/.exec(body)?.[1] ?? '';
    const { ids } = await search(world, { field: [field('__metadata_last_modified', at)] });
    answers.push([latest, ids]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]![1]).toEqual([answers[0]![0]]);
});

it('criteria on other tables are looked up among more entities than metadata is read for', async () => {
  const world = await engineWorld({ settings });
  await filled(world);
  const shape = { field: [{ name: 'shapeId' }] };
  const sort = [{ field: 'itemId' }];
  const having = { ...tag('b'), shape, sort };
  const lacking = { ...tag('b'), sort, operator: [{ operation: 'NOT', shape }] };
  const before = [await idsOf(world, having, admin), await idsOf(world, lacking, admin)];
  expect(before.map(({ length }) => length)).toEqual([2, 1]);
  addUnknown(world, 12_000, 'VX-1');
  expect([await idsOf(world, having, admin), await idsOf(world, lacking, admin)]).toEqual(before);
});

it('criteria and orders of too many entities are refused, unless an index of the database finds them', async () => {
  const world = await engineWorld({ settings });
  await filled(world);
  const one = await add(world, { x_tag: 'b' });
  const { body } = await send(world, by(`POST /API/item/${one}/shape/placeholder?video=1`, undefined, json));
  const shapeId = /VX-\d+/.exec(body)![0];
  await catchUp(world);
  addUnknown(world, 100_001, one);
  const refusal = async (document: object, query = '') => {
    const answer = await world.send(by(`PUT /API/item${query}`, { ...tag('b'), ...document }, json));
    return [answer.status, /Expected[^"]*/.exec(answer.body)?.[0]];
  };
  const shape = (value?: string) => ({ shape: { field: [{ name: 'shapeId', ...(value && { value: [{ value }] }) }] } });
  expect(await refusal(shape())).toEqual([400, expect.stringContaining('fit at most 100000 entities')]);
  expect(await idsOf(world, shape(shapeId), admin)).toEqual([one]);
  expect(await idsOf(world, { field: [{ name: '__shape', value: [{ value: shapeId }] }] }, stranger)).toEqual([]);
  expect(await idsOf(world, { ...shape(shapeId), ...tag('a') }, admin)).toEqual([]);
  const sort = [{ field: '__shape_size' }];
  expect(await refusal({ sort })).toEqual([501, expect.stringContaining('Expected at most 100000 hits')]);
  expect(await refusal({ sort }, '?first=10001&number=1')).toEqual([501, expect.stringContaining('first 10000 hits')]);
});
