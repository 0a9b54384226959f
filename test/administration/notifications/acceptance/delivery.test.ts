import { describe, expect, it } from 'vitest';
import { processModel } from '../../../simulation/process.ts';
import { settle, testClock } from '../../../support/clock.ts';
import { requestOf } from '../../../support/matrix.ts';
import { dice } from '../../../support/random.ts';
import { fakeNet, within } from '../../../support/receiver.ts';
import { admin, openService } from '../../../support/service.ts';
import { costSince, cpuTime } from '../../../support/turns.ts';
import { ask, groupIn, inFull, lastingDatabase, openNet, register, sequenceOf } from '../delivery/support.ts';

/** The tests of the specification that define the highest bar for deliveries; `npm run acceptance` at its sizes. */

const minute = 60_000;
const hour = 60 * minute;

describe('deliveries at the highest bar', () => {
  it('many events, a receiver that is down for an hour, a server that is killed twice: all arrive, in order, and nothing else', async () => {
    const clock = testClock();
    const net = fakeNet(clock);
    const database = await lastingDatabase();
    const settings = { logLevel: 'error', deliveryPauseMost: 60 } as const;
    const first = await openService({ clock, database, wire: net.wire, settings });
    for (const host of ['one', 'two', 'three']) await register(first, `https://${host}/hook`, { retry: 1_000 });
    await first.service.close();
    const down = clock.now() + hour;
    net.answer = () => (clock.now() < down ? 'down' : 200);
    const roll = dice(7);
    const acknowledged = new Set<string>();
    const refused = new Set<string>();
    const turns = inFull ? 10_000 : 100;
    // Two lives that end in the middle of something, and one that does not.
    for (const life of [0, 1, 2]) {
      const process = processModel(
        life === 2 ? undefined : { call: turns * (3 + roll(3)), when: roll(2) ? 'before' : 'after' },
      );
      const world = await openService({
        ...{ clock, settings, start: false },
        ...{ database: process.database(database), wire: process.wire(net.wire) },
      });
      const living = (async () => {
        await world.service.start();
        process.begin();
        for (let turn = 0; turn < turns; turn++) {
          const name = `g${life}_${turn}`;
          const { status } = await world.service.fetch(
            requestOf('http://x', { as: admin, request: `PUT /API/group/${name}` }),
          );
          if (status === 200) acknowledged.add(name);
          // A change that is refused tells nobody.
          const again = await world.service.fetch(
            requestOf('http://x', { as: admin, request: `DELETE /API/group/none${turn}` }),
          );
          if (again.status === 404) refused.add(`none${turn}`);
          if (turn % 5 === 4) {
            await world.service.tick();
            await clock.advance(20_000);
          }
        }
      })();
      await Promise.race([living, process.end]);
      expect(process.stopped).toBe(life !== 2);
      // Before the next life the leases end.
      await clock.advance(21_000);
      if (life === 2) await within(world, 3 * hour);
    }
    const rows = await database.read(
      `SELECT sequence, entity_id FROM event WHERE name = 'group/create' AND entity_id LIKE 'g%'`,
    );
    expect(rows.length).toBeGreaterThan(turns * 1.3);
    const happened = new Map(rows.map(([sequence, group]) => [Number(sequence), String(group)]));
    expect([...acknowledged].filter((name) => ![...happened.values()].includes(name))).toEqual([]);
    const arrived = net.sent.filter(({ at }) => at >= down);
    for (const host of ['one', 'two', 'three']) {
      const order = arrived.filter(({ url }) => url.includes(host)).map(sequenceOf);
      expect(new Set(order)).toEqual(new Set(happened.keys()));
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
    for (const each of net.sent) expect(groupIn(each.body)).toBe(happened.get(sequenceOf(each)));
    expect(refused.size).toBeGreaterThan(turns * 0.9);
    expect(await database.read('SELECT count(*) FROM parked')).toEqual([[0]]);
  }, 900_000);

  it('the same id on every attempt and when it is sent again; the number of the attempt grows', async () => {
    const world = await openNet();
    const { net } = world;
    const id = await register(world, 'https://one/hook', { retry: 2 });
    net.answer = (_host, count) => (count <= 3 ? 503 : 200);
    await world.clock.advance(minute);
    const since = new Date(world.clock.now()).toISOString();
    await ask(world, 'PUT /API/group/a');
    await within(world, minute);
    await ask(world, `POST /API/group/notification/${id}/replay?since=${since}&only=parked`);
    await within(world, minute);
    await ask(world, `POST /API/group/notification/${id}/replay?since=${since}`);
    await within(world, minute);
    expect(new Set(net.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(net.sent.map(({ headers }) => headers['portico-attempt'])).toEqual(['1', '2', '3', '4', '5']);
    const numbers = net.sent.map(({ body }) => JSON.parse(body).field.at(-1).value);
    expect(numbers).toEqual(['0', '1', '2', '3', '4']);
    expect(net.sent[0]!.headers['webhook-id']).not.toContain('.');
  });

  it('a receiver that hangs delays no other one, and no request', async () => {
    const world = await openNet();
    const { net } = world;
    for (let lane = 0; lane < 10; lane++) await register(world, `https://slow/${lane}`, { timeout: '30' });
    await register(world, 'https://fast/hook');
    net.answer = (host) => (host === 'slow' ? 'hang' : 200);
    await ask(world, 'PUT /API/group/a');
    const ticking = world.service.tick();
    await settle(30);
    for (const name of ['b', 'c', 'd']) {
      await ask(world, `PUT /API/group/${name}`);
      await world.clock.advance(1_000);
    }
    expect(net.sent.filter(({ url }) => url.includes('fast')).map(({ body }) => groupIn(body))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(net.sent.filter(({ url }) => url.includes('slow'))).toHaveLength(10);
    await world.clock.advance(30_000);
    await world.service.quiet();
    await ticking;
  });

  it('the breaker opens, probes and closes; what waited comes in order, and the figures agree with the log', async () => {
    const world = await openNet({ pauseAfterFailures: 5 });
    const { net } = world;
    const id = await register(world, 'https://one/hook', { retry: 100 });
    const back = world.clock.now() + 2 * hour;
    net.answer = () => (world.clock.now() < back ? 500 : 200);
    for (const name of ['a', 'b', 'c', 'd']) await ask(world, `PUT /API/group/${name}`);
    await within(world, 5 * minute);
    expect(await ask(world, `GET /API/group/notification/${id}/health`)).toMatchObject({ state: 'paused', waiting: 4 });
    const calls = net.sent.length;
    await within(world, hour);
    // A pause allows a single probe, and pauses grow: no more than a handful in an hour.
    expect(net.sent.length - calls).toBeLessThan(8);
    expect(net.sent.length - calls).toBeGreaterThan(1);
    await within(world, 2 * hour);
    expect(net.sent.filter(({ at }) => at >= back).map(({ body }) => groupIn(body))).toEqual(['a', 'b', 'c', 'd']);
    expect(await ask(world, `GET /API/group/notification/${id}/health`)).toMatchObject({
      state: 'active',
      waiting: 0,
      delivered: 4,
    });
    const metrics = await ask(world, 'GET /metrics', undefined, 'text/plain');
    const figures = [...metrics.matchAll(/portico_deliveries_total\{outcome="(\w+)",error="\w*"} (\d+)/g)].map(
      ([, outcome, count]) => [outcome, Number(count)],
    );
    const log = await world.service.store.read('SELECT state, count(*) FROM attempt GROUP BY state');
    expect(Object.fromEntries(figures)).toEqual(Object.fromEntries(log));
  });

  it('a window of hours is sent again: counted first, as many as counted, over a restart, and not all at once', async () => {
    const clock = testClock();
    const net = fakeNet(clock);
    const database = await lastingDatabase();
    const shared = { clock, database, wire: net.wire, settings: { logLevel: 'error', maxParked: 10_000 } as const };
    const world = await openService(shared);
    const id = await register(world, 'https://one/hook', { retry: 0 });
    net.answer = () => 400;
    await ask(world, 'PUT /API/group/before');
    await within(world, minute);
    await clock.advance(hour);
    const since = new Date(clock.now()).toISOString();
    const failed = 1_700;
    for (let index = 0; index < failed; index++) await ask(world, `PUT /API/group/g${index}`);
    await within(world, 6 * hour);
    net.answer = () => 200;
    const path = `/API/group/notification/${id}/replay`;
    await ask(world, `POST ${path}?since=${since}&dryRun=true`);
    await world.service.tick();
    expect(await ask(world, `GET ${path}`)).toMatchObject({ state: 'done', dryRun: true, found: failed });
    const before = net.sent.length;
    await ask(world, `POST ${path}?since=${since}`);
    await world.service.tick();
    // No more than a thousand are put into the way of what happens now.
    const [[waiting]] = (await database.read('SELECT count(*) FROM outbox')) as [[number]];
    expect(waiting).toBeLessThanOrEqual(1_500);
    expect(await ask(world, `GET ${path}`)).toMatchObject({ state: 'running' });
    await world.service.close();
    const other = await openService(shared);
    for (let turn = 0; turn < 10; turn++) await within(other, minute);
    expect(await ask(other, `GET ${path}`)).toMatchObject({ state: 'done', found: failed });
    expect(net.sent.length - before).toBe(failed);
    expect(new Set(net.sent.slice(before).map(sequenceOf)).size).toBe(failed);
    await other.service.close();
  });

  it('before one is switched off a person is warned, then told why; a test turns it on again, and what waited can be sent', async () => {
    const world = await openNet({ disableAfterHours: 24, pauseAfterFailures: 3, deliveryBlockedMinutes: 43_200 });
    const { net } = world;
    const id = await register(world, 'https://one/hook', { retry: 1_000 });
    const watch = {
      action: { http: { url: 'https://watch/hook', contentType: 'application/json' } },
      trigger: { notification: { paused: '', disabled: '' } },
    };
    await ask(world, 'POST /API/notification', watch);
    net.answer = (host) => (host === 'one' ? 'down' : 200);
    for (const name of ['a', 'b']) await ask(world, `PUT /API/group/${name}`);
    await within(world, 30 * hour);
    const health = await ask(world, `GET /API/group/notification/${id}/health`);
    expect(health).toMatchObject({ state: 'disabled', reason: 'Expected a connection from "one"', waiting: 2 });
    const messages = net.sent
      .filter(({ url }) => url.includes('watch'))
      .map(({ body }) => JSON.parse(body).field[1].value);
    expect(messages[0]).toBe('PAUSED');
    expect(messages.at(-1)).toBe('DISABLED');
    // Nothing has changed: one attempt, and it is off again.
    const calls = net.sent.length;
    await ask(world, `POST /API/group/notification/${id}/test`);
    await within(world, hour);
    expect(net.sent.filter(({ url }) => url.includes('one')).length - calls).toBeLessThan(2);
    expect(await ask(world, `GET /API/group/notification/${id}/health`)).toMatchObject({ state: 'disabled' });
    net.answer = () => 200;
    const from = net.sent.length;
    await ask(world, `POST /API/group/notification/${id}/test`);
    await within(world, hour);
    const told = net.sent
      .slice(from)
      .filter(({ url }) => url.includes('one'))
      .map(({ body }) => groupIn(body));
    expect(told.slice(0, 2)).toEqual(['a', 'b']);
    expect(await ask(world, `GET /API/group/notification/${id}/health`)).toMatchObject({
      state: 'active',
      failures: 0,
    });
  });

  it('a delivery is found by its entity among very many, by an index and at once', async () => {
    const world = await openNet();
    const id = await register(world, 'https://one/hook');
    const rows = inFull ? 1_000_000 : 200_000;
    const fill = `INSERT INTO attempt (notification_id, sequence, event, entity_id, number, started, ended, state, status)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      SELECT '${id}', i, 'group/create', 'g' || (i % 20000), 1, i, i + 1, 'delivered', 200 FROM n`;
    await world.service.store.commit({ changes: [{ sql: fill, args: [] }], events: [] }, { user: 'test' });
    const began = cpuTime();
    const { delivery } = await ask(world, `GET /API/group/notification/${id}/delivery?entity=g777`);
    expect(costSince(began)).toBeLessThan(1_000);
    expect(delivery).toHaveLength(rows / 20_000);
    const plan = await world.service.store.read(
      `EXPLAIN QUERY PLAN SELECT id FROM attempt WHERE notification_id = ? AND entity_id = ? AND started BETWEEN 0 AND 9 ORDER BY started DESC, id DESC LIMIT 10`,
      [id, 'g777'],
    );
    expect(plan.map((row) => row.at(-1)).join()).toMatch(/USING (?:COVERING )?INDEX attempt_entity/);
  });
});
