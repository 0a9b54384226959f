import { expect, it } from 'vitest';
import { yieldTurn } from '../../../../src/core/lib/turn.ts';
import type { SearchEngine } from '../../../../src/spi/index.ts';
import { type EnginePlace, enginePlace } from '../../../opensearch/place.ts';
import { fieldsOf } from '../../../support/assets.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin } from '../../../support/service.ts';
import { givenTo, stranger } from '../../../support/world.ts';
import { add, catchUp, type EngineWorld, engineWorld, search } from './engine-world.ts';

/**
 * Incidents of engines, as users and operators of the service see them. `npm run test:opensearch` asks a real engine.
 */

const tag = (value: string) => ({ field: [{ name: 'x_tag', value: [{ value }] }] });
const minutes = 60_000;
/** A real engine is started several times. */
const longest = 15 * minutes;
type Service = EngineWorld<SearchEngine>;

async function begun(): Promise<{ readonly place: EnginePlace; readonly world: Service }> {
  const place = await enginePlace();
  const world = await engineWorld({}, place.engine);
  for (const sent of givenTo('assets')) await send(world, sent);
  return { place, world };
}

/** New items, the newest first. */
async function addMany(world: Service, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let each = 0; each < count; each++) ids.unshift(await add(world, { x_tag: 'a' }));
  return ids;
}

const change = (world: Service, id: string, value: string) => {
  const timespan = [{ start: '-INF', end: '+INF', field: fieldsOf({ x_tag: value }) }];
  return send(world, by(`PUT /API/item/${id}/metadata`, { timespan }));
};

/** State that an operator sees: the self-test, the changes that wait and why, and the progress of a build. */
async function seen(world: Service) {
  const read = async (path: string) => JSON.parse((await world.send(by(`GET /API/${path}`, undefined, json))).body);
  const test = (await read('selftest/search')) as { status: string; message?: readonly string[] };
  const { work } = (await read('work')) as {
    work: readonly { kind: string; waiting?: number; lastFailureReason?: string }[];
  };
  const { waiting, lastFailureReason } = work.find(({ kind }) => kind === 'feed-search-engine')!;
  const { status } = (await read('reindex/engine')) as { status: string };
  // Answers of the self-test are kept for five seconds.
  await world.clock.advance(5000);
  return { test: test.status, says: test.message?.join('. ') ?? '', waiting, lastFailureReason, reindex: status };
}

it(
  'an engine that is killed amid a batch: the database answers, then the engine has everything',
  async () => {
    const { place, world } = await begun();
    const before = await addMany(world, 8);
    await catchUp(world);
    expect(await search(world, tag('a'))).toMatchObject({ ids: before, strategy: 'engine' });
    const after = await addMany(world, 8);
    await change(world, before[0]!, 'b');
    await send(world, by(`DELETE /API/item/${before[1]}`));
    const all = [...after, ...before.slice(2)];
    world.expectErrors('work-failed');
    place.killAmidBatch();
    await catchUp(world);
    for (let turn = 0; turn < 4; turn++) expect(await search(world, tag('a'))).toMatchObject({ ids: all, hits: 14 });
    const without = await seen(world);
    expect(without).toMatchObject({
      test: 'failed',
      says: expect.stringContaining('Expected a search engine that answers'),
    });
    expect(without.waiting).toBeGreaterThan(0);
    expect(without.lastFailureReason).toContain('Expected an answer of the search engine');
    await place.start();
    await world.clock.advance(minutes);
    await catchUp(world);
    expect(await search(world, tag('a'))).toMatchObject({ ids: all, hits: 14, strategy: 'engine' });
    expect(await search(world, tag('b'))).toMatchObject({ ids: [before[0]], strategy: 'engine' });
    expect(await seen(world)).toMatchObject({ test: 'ok', says: '15 documents, 0 changes wait', waiting: 0 });
  },
  longest,
);

it(
  'attack: a full disk keeps the engine behind, and rights that are taken away are gone from the next search',
  async () => {
    const { place, world } = await begun();
    const [one, other, third] = (await addMany(world, 3)) as [string, string, string];
    const entries = new Map<string, string>();
    for (const id of [one, other, third]) {
      const given = by(`POST /API/item/${id}/access`, { user: stranger[0], permission: 'READ' }, json);
      entries.set(id, (JSON.parse((await send(world, given)).body) as { id: string }).id);
    }
    await catchUp(world);
    const asStranger = async () => (await search(world, tag('a'), stranger)).ids;
    expect(await asStranger()).toEqual([one, other, third]);
    await place.block(true);
    world.expectErrors('work-failed');
    await send(world, by(`DELETE /API/item/${one}/access/${entries.get(one)}`));
    await world.service.tick(1000);
    // The engine answers, and does not know it yet.
    expect(await search(world, tag('a'), admin)).toMatchObject({ ids: [one, other, third] });
    expect(await asStranger()).toEqual([other, third]);
    await change(world, other, 'b');
    expect(await search(world, tag('b'))).toMatchObject({
      ids: [other],
      noEngine: expect.stringContaining('last change'),
    });
    await catchUp(world);
    const blocked = await seen(world);
    expect(blocked.lastFailureReason).toContain('It is read-only');
    await world.clock.advance(minutes);
    expect(await search(world, tag('a'))).toMatchObject({ noEngine: expect.stringContaining('30 seconds') });
    expect(await seen(world)).toMatchObject({
      test: 'warning',
      says: expect.stringMatching(/Changes have waited for \d+ seconds: the database answers searches/),
    });
    await send(world, by(`DELETE /API/item/${third}/access/${entries.get(third)}`));
    expect(await asStranger()).toEqual([]);
    await place.block(false);
    await catchUp(world);
    expect(await search(world, tag('b'))).toMatchObject({ ids: [other], strategy: 'engine' });
    expect(await asStranger()).toEqual([]);
    expect(await seen(world)).toMatchObject({ test: 'ok', waiting: 0 });
  },
  longest,
);

it(
  'an engine that comes back with an older index is not believed, and is built again',
  async () => {
    const { place, world } = await begun();
    const [one, other] = (await addMany(world, 2)) as [string, string];
    await catchUp(world);
    await place.keep();
    await change(world, one, 'b');
    const third = await add(world, { x_tag: 'a' });
    await catchUp(world);
    expect(await search(world, tag('a'))).toMatchObject({ ids: [third, other], strategy: 'engine' });
    await place.kill();
    await place.startOlder();
    // Nobody has looked yet: the position of the answer tells.
    expect(await search(world, tag('a'))).toMatchObject({ ids: [third, other], noEngine: expect.anything() });
    expect(await search(world, tag('b'))).toMatchObject({ ids: [one] });
    expect(await seen(world)).toMatchObject({ test: 'warning', says: expect.stringContaining('not complete') });
    await world.clock.advance(minutes);
    await catchUp(world);
    expect(await search(world, tag('a'))).toMatchObject({ ids: [third, other], strategy: 'engine' });
    expect(await search(world, tag('b'))).toMatchObject({ ids: [one], strategy: 'engine' });
    expect(await seen(world)).toMatchObject({ test: 'ok', waiting: 0, reindex: 'FINISHED' });
  },
  longest,
);

it(
  'searches have the same answer before, while and after a new index takes the place of the first',
  async () => {
    const { world } = await begun();
    const ids = await addMany(world, 6);
    await catchUp(world);
    await send(world, by('PUT /API/reindex/engine?status=IN_QUEUE', undefined, json));
    let isSwapped = false;
    const swap = catchUp(world).finally(() => {
      isSwapped = true;
    });
    let asked = 0;
    while (!isSwapped || asked < 5) {
      const { body } = await send(world, by('PUT /API/item', tag('a'), json));
      const { hits, item = [] } = JSON.parse(body) as { hits: number; item?: readonly { id: string }[] };
      expect([hits, item.map(({ id }) => id)]).toEqual([6, ids]);
      asked++;
      await yieldTurn();
    }
    await swap;
    // The clock of the work goes on while a search waits, which may find the engine late and leave it alone for a while.
    await world.clock.advance(minutes);
    expect(await search(world, tag('a'))).toMatchObject({ ids, strategy: 'engine' });
    expect(await seen(world)).toMatchObject({ test: 'ok', reindex: 'FINISHED' });
  },
  longest,
);
