import { expect, it } from 'vitest';
import { memorySearchEngine } from '../../../../src/kit/testing/index.ts';
import { field, fieldsOf, join, newCollection } from '../../../support/assets.ts';
import { testClock } from '../../../support/clock.ts';
import { openWorld, type World } from '../../../support/matrix.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';
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
  for (const item of [tag('a'), { text: [{ value: 'a' }] }]) {
    const linked = await world.send(by('PUT /API/collection', { item }, json));
    expect([linked.status, linked.body]).toEqual([501, expect.stringContaining('metadata of linked items')]);
  }
  world.engine.answers = 'Expected fewer words';
  const refused = await world.send(by('PUT /API/item', tag('a'), json));
  expect([refused.status, refused.body]).toEqual([501, expect.stringContaining('Expected fewer words')]);
  world.engine.answers = true;
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

/** Completions and suggestions that a caller gets. */
async function wordsFor(world: World, as: Credentials) {
  const complete = async (request: object) => {
    const { body } = await send(world, by('PUT /API/search/autocomplete', request, json, as));
    return (JSON.parse(body) as { suggestion?: readonly string[] }).suggestion ?? [];
  };
  const document = { text: [{ value: 'harbuor' }], suggestion: {}, autocomplete: [{ text: 'ni' }] };
  const { suggestion, autocomplete } = JSON.parse((await send(world, by('PUT /API/item', document, json, as))).body);
  return {
    ...{ suggestion, autocomplete },
    words: await complete({ text: 'ha' }),
    behind: await complete({ text: 'old ha' }),
    field: await complete({ text: 'ha', field: 'x_note' }),
    values: await complete({ text: 'old', field: 'x_exact' }),
    nothing: await complete({ text: 'ha', field: 'x_unknown' }),
  };
}

it('attack: completions and suggestions are those of the database, and tell nobody words of what is not theirs', async () => {
  const others = await sharedDatabase();
  const worlds = [await engineWorld({ settings }), await engineWorld({ database: others })];
  const answers: unknown[][] = [];
  for (const world of worlds) {
    for (const sent of givenTo('assets')) await send(world, sent);
    for (const sent of [field('x_note', 'string'), field('x_exact', 'string-exact')]) await send(world, sent);
    await add(world, { x_note: 'Old harbour at night', x_exact: 'old red' }, owner);
    await add(world, { x_note: 'harbour halls', x_exact: 'old' }, owner);
    const gone = await add(world, { x_note: 'harpsichord nightly', x_exact: 'older' }, owner);
    await add(world, { x_note: 'hard hats by the harbour', x_exact: 'old secret' });
    await catchUp(world);
    await send(world, by(`DELETE /API/item/${gone}`));
    // The engine does not know of it yet.
    const [own, none] = [await wordsFor(world, owner), await wordsFor(world, stranger)];
    await catchUp(world);
    answers.push([own, none, await wordsFor(world, admin)]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]![0]).toMatchObject({
    words: ['harbour', 'halls'],
    behind: ['harbour', 'halls'],
    values: ['old', 'old red'],
    suggestion: [{ term: 'harbuor', suggestion: ['harbour'] }],
    autocomplete: [{ suggestion: ['night'] }],
  });
  expect(JSON.stringify(answers[0]![1])).not.toMatch(/harbour|hard|night|old/);
});

it('a field that is closed on items which the caller may not read leaves all orders to the engine', async () => {
  const world = await engineWorld({ settings });
  for (const sent of givenTo('assets')) await send(world, sent);
  const collection = /VX-\d+/.exec((await send(world, newCollection('?name=above'))).body)![0];
  const [open, hidden] = [
    await add(world, { x_tag: 'a', x_count: '1' }),
    await add(world, { x_tag: 'a', x_count: '2' }),
  ];
  for (const id of [open, hidden]) await send(world, join(collection, id));
  const [user] = stranger;
  const tells = (path: string, entry: object) => send(world, by(`POST /API/${path}/access`, { user, ...entry }));
  await tells(`collection/${collection}`, { permission: 'READ' });
  await tells(`collection/${collection}`, { permission: 'NONE', operation: { metadata: { field: 'x_tag' } } });
  await tells(`item/${hidden}`, { permission: 'NONE' });
  await catchUp(world);
  const sorted = async (name: string) => {
    const { status, body } = await world.send(by('PUT /API/item', { sort: [{ field: name }] }, json, stranger));
    return [status, (JSON.parse(body) as { item?: { id: string }[] }).item?.map(({ id }) => id)];
  };
  expect(await sorted('x_count')).toEqual([200, [open]]);
  // The field x_tag is closed on an item that the caller may read.
  expect((await sorted('x_tag'))[0]).toBe(501);
});

it('completions of an engine that is away get 503', async () => {
  const world = await engineWorld({ settings });
  await add(world, { x_tag: 'a' });
  await catchUp(world);
  world.engine.failure = new Error('connection refused');
  const away = await world.send(by('PUT /API/search/autocomplete', { text: 'a' }, json));
  expect([away.status, away.body]).toEqual([503, expect.stringContaining('Expected an engine that answers')]);
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

it('an engine that refuses connections from the start is the reason of a refusal, and is tried less and less often', async () => {
  const engine = memorySearchEngine();
  let tries = 0;
  const state = async () => {
    tries++;
    throw new Error('connect ECONNREFUSED');
  };
  const world = await engineWorld({ settings }, { ...engine, state });
  world.expectErrors('work-failed');
  tries = 0;
  for (let at = 0; at < 60; at++) {
    await world.service.tick(1000);
    await world.clock.advance(1000);
  }
  expect(tries).toBeLessThanOrEqual(15);
  const { status, body } = await world.send(by('PUT /API/item', tag('a'), json));
  expect([status, body]).toEqual([503, expect.stringContaining('Expected an engine that takes changes')]);
});
