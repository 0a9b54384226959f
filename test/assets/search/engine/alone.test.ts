import { expect, it } from 'vitest';
import { memorySearchEngine } from '../../../../src/kit/testing/index.ts';
import { fieldsOf } from '../../../support/assets.ts';
import { testClock } from '../../../support/clock.ts';
import { openWorld, type World } from '../../../support/matrix.ts';
import { by, json, send } from '../../../support/requests.ts';
import { add, catchUp, engineWorld, search, sharedDatabase } from './engine-world.ts';

const settings = { searchIndex: 'engine' } as const;
const tag = (value: string) => ({ field: [{ name: 'x_tag', value: [{ value }] }] });
const tables = ['search_entity', 'search_text', 'search_value', 'search_order', 'search_term'];
const rowsOf = async ({ service }: World) => {
  const counts = tables.map(async (table) =>
    Number((await service.store.read(`SELECT count(*) FROM ${table}`))[0]![0]),
  );
  return Promise.all(counts);
};

it('commits write no index rows, and the engine alone answers', async () => {
  const world = await engineWorld({ settings });
  const one = await add(world, { x_tag: 'a' });
  await catchUp(world);
  expect(await rowsOf(world)).toEqual([0, 0, 0, 0, 0]);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [one], strategy: 'engine' });
  expect(await search(world, {})).toMatchObject({ ids: [one], strategy: 'list' });
  await send(world, by(`DELETE /API/item/${one}`));
  await catchUp(world);
  expect(await search(world, tag('a'))).toMatchObject({ ids: [] });
});

it('a search waits for the last change of its caller', async () => {
  const world = await engineWorld({ settings });
  const one = await add(world, { x_tag: 'a' });
  await catchUp(world);
  const timespan = [{ start: '-INF', end: '+INF', field: fieldsOf({ x_tag: 'b' }) }];
  await send(world, by(`PUT /API/item/${one}/metadata`, { timespan }));
  const answer = world.send(by('PUT /API/item', tag('b'), json));
  await catchUp(world);
  expect(JSON.parse((await answer).body)).toMatchObject({ hits: 1, item: [{ id: one }] });
});

it('what the engine cannot answer is refused with the reason, and an engine that is away with 503', async () => {
  const world = await engineWorld({ settings });
  await add(world, { x_tag: 'a' });
  await catchUp(world);
  const sorted = await world.send(by('PUT /API/item', { ...tag('a'), sort: [{ field: '__shape_size' }] }, json));
  expect([sorted.status, sorted.body]).toEqual([501, expect.stringContaining('Expected an order of fields')]);
  world.engine.failure = new Error('connection refused');
  const away = await world.send(by('PUT /API/item', tag('a'), json));
  expect([away.status, away.headers.get('retry-after'), away.body]).toEqual([
    503,
    '5',
    expect.stringContaining('Expected an engine that answers'),
  ]);
  expect(away.body).not.toContain('connection refused');
});

it('criteria on other tables are looked up for what the engine finds', async () => {
  const world = await engineWorld({ settings });
  const [one, other] = [await add(world, { x_tag: 'a' }), await add(world, { x_tag: 'a' })];
  await send(world, by(`POST /API/item/${one}/shape/placeholder?video=1`, undefined, json));
  await catchUp(world);
  const shape = { field: [{ name: 'shapeId' }] };
  expect((await search(world, { ...tag('a'), shape })).ids).toEqual([one]);
  expect((await search(world, { ...tag('a'), operator: [{ operation: 'NOT', shape }] })).ids).toEqual([other]);
  expect((await search(world, { field: [{ name: '__shape_size', value: [{ value: '1' }] }] })).ids).toEqual([one]);
});

it('libraries keep what the engine finds', async () => {
  const world = await engineWorld({ settings });
  const ids = [await add(world, { x_tag: 'a' }), await add(world, { x_tag: 'a' })];
  await add(world, { x_tag: 'b' });
  await catchUp(world);
  const kept = send(world, by('PUT /API/item?result=library', tag('a'), json));
  await catchUp(world);
  const { body } = await kept;
  const { library } = JSON.parse(body) as { library: string };
  const items = await send(world, by(`GET /API/library/${library}`, undefined, json));
  for (const id of ids) expect(items.body).toContain(id);
  expect((JSON.parse(items.body) as { hits: number }).hits).toBe(2);
  const everything = send(world, by('PUT /API/item?result=library', {}, json));
  await catchUp(world);
  const all = JSON.parse((await everything).body) as { library: string };
  const { body: listed } = await send(world, by(`GET /API/library/${all.library}`, undefined, json));
  expect((JSON.parse(listed) as { hits: number }).hits).toBe(3);
});

it('the index of the database goes with the setting, and comes back with it', async () => {
  const [database, clock, engine] = [await sharedDatabase(), testClock(), memorySearchEngine()];
  const before = await openWorld('fetch', { database, clock });
  await send(before, by('PUT /API/metadata-field/x_tag', { type: 'string-exact' }));
  const one = await add(before, { x_tag: 'a' });
  expect((await rowsOf(before)).slice(0, 3)).not.toContain(0);
  const alone = await engineWorld({ database, clock, settings }, engine);
  expect(await rowsOf(alone)).toEqual([0, 0, 0, 0, 0]);
  const other = await add(alone, { x_tag: 'a' });
  await catchUp(alone);
  expect(await search(alone, tag('a'))).toMatchObject({ ids: [other, one], strategy: 'engine' });
  const after = await openWorld('fetch', { database, clock });
  expect((await after.send(by('PUT /API/item', tag('a'), json))).status).toBe(503);
  await catchUp(after);
  expect((await search(after, tag('a'))).ids).toEqual([other, one]);
});
