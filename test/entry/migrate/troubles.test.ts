import { describe, expect, it } from 'vitest';
import { newItem } from '../../support/assets.ts';
import { isLong } from '../../support/long.ts';
import { jsonOf, send } from '../../support/requests.ts';
import { furnish } from './house.ts';
import { snapshotOf } from './snapshot.ts';
import { type Troubles, troubled } from './stand-in.ts';
import { askOf, hastyClock, killedAt, memoryState, openHouses, requestOf, run } from './support.ts';

const rows: readonly (readonly [string, Troubles])[] = [
  ['fails, is busy and breaks off in the middle of answers', { fails: 9, tooMany: 13, busy: 17, torn: 11 }],
  ['answers half pages with entries that it gave before', { halves: true }],
  ['is of 2018: other parameters, no cursors, lists without totals', { isOld: true }],
  ['is all of that', { isOld: true, halves: true, fails: 9, tooMany: 13, busy: 17, torn: 11 }],
];

describe('a house whose original', () => {
  it.each(rows)('%s comes whole, and a second run changes nothing', async (_title, troubles) => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const folder = memoryState();
    const from = { address: 'http://old/API', ask: troubled(askOf(houses.from), troubles) };
    const request = requestOf(houses, { folder, from, options: { lanes: 4 } });
    expect((await run(request)).failure).toEqual([]);
    expect(await snapshotOf(houses.to)).toEqual(await snapshotOf(houses.from));
    expect((await run(request)).target.writes).toBe(0);
  });

  it('cannot answer one item comes without it, and says so', async () => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const from = { address: 'http://old/API', ask: troubled(askOf(houses.from), { poison: 'VX-2' }) };
    const { kind, failure } = await run(requestOf(houses, { from }));
    expect(kind.find(({ kind: name }) => name === 'item')).toMatchObject({ made: 2, failed: 1 });
    expect(failure).toEqual([
      { kind: 'item', id: 'number 2 of the list', why: 'PUT /item: 500' },
      { kind: 'deletion-lock', id: 'VX-2', why: 'Expected the file VX-4 of the lock here' },
    ]);
  });
});

it('an item that has more values than the target takes is a line of the report, and all others come', async () => {
  const houses = await openHouses();
  await furnish(houses.from, houses.storage);
  const ask = askOf(houses.to);
  const explanation = 'Expected at most 20000 values of an item';
  const to = {
    address: 'http://new/API',
    ask: async (path: string, init: RequestInit) =>
      path.startsWith('/import/placeholder') && String(init.body).includes('Bells')
        ? Response.json({ invalidInput: { context: 'item', explanation } }, { status: 400 })
        : ask(path, init),
  };
  const { kind, failure, state } = await run(requestOf(houses, { to }));
  expect([state, kind.find((each) => each.kind === 'item'), failure[0]]).toMatchObject([
    'complete',
    { made: 2, failed: 1 },
    { kind: 'item', id: 'VX-2', why: `POST /import/placeholder: 400 ${explanation}` },
  ]);
});

describe('a run that is killed', () => {
  it('goes on wherever it was: nothing is there twice, and nothing is missing', async () => {
    const whole = await openHouses();
    await furnish(whole.from, whole.storage);
    const { target } = await run(requestOf(whole));
    const expected = await snapshotOf(whole.from);
    const steps = Array.from({ length: target.writes }, (_, at) => at + 1).filter((at) => isLong || at % 8 === 1);
    for (const step of steps) {
      const { to } = await openHouses();
      const houses = { ...whole, to };
      const folder = memoryState();
      await expect(run(requestOf(houses, { folder, ...killedAt(houses, step) })), `${step}`).rejects.toThrow('Killed');
      const killed = JSON.parse(folder.files.get('report.json')!);
      expect(killed).toMatchObject({ state: 'stopped', reason: 'Killed' });
      const { failure } = await run(requestOf(houses, { folder }));
      expect([step, failure]).toEqual([step, []]);
      expect(await snapshotOf(to), `After a kill at change ${step}`).toEqual(expected);
      const health = await jsonOf(to, 'GET /API/item/notification/VX-1/health');
      expect([step, health['state']]).toEqual([step, 'paused']);
    }
  }, 300_000);

  it('does not read again what it has brought, unless a day has passed or the next run is the last one', async () => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const folder = memoryState();
    const clock = hastyClock();
    const whole = await run(requestOf(houses, { folder, clock }));
    const journal = folder.files.get('journal.jsonl')!;
    /** Requests of the run behind one that was killed before its end. */
    const requests = async (isFinal = false) => {
      folder.files.set('journal.jsonl', journal.slice(0, journal.lastIndexOf('{"pass"')));
      const again = requestOf(houses, { folder, clock, options: { isFinal } });
      return (await run(again)).original.requests;
    };
    const accesses = 3;
    expect(await requests()).toBeLessThan(whole.original.requests - accesses);
    const all = await requests(true);
    expect(all).toBeGreaterThan((await requests()) + accesses);
    for (let minute = 0; minute < 24 * 60; minute++) await clock.sleep(60_000);
    expect(await requests()).toBeGreaterThanOrEqual(all);
  });

  it('has torn the last line of its journal: the line is done again', async () => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const folder = memoryState();
    await run(requestOf(houses, { folder }));
    const journal = folder.files.get('journal.jsonl')!;
    folder.files.set('journal.jsonl', journal.slice(0, journal.lastIndexOf('"hash"')));
    expect((await run(requestOf(houses, { folder }))).failure).toEqual([]);
    expect(await snapshotOf(houses.to)).toEqual(await snapshotOf(houses.from));
    expect((await run(requestOf(houses, { folder }))).target.writes).toBe(0);
  });

  it('ends when its login ends, or when nobody answers any more, and says so', async () => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const answering = askOf(houses.to);
    const gone = (path: string, init: RequestInit, answer: () => Promise<Response>) =>
      path.startsWith('/import/placeholder') ? answer() : answering(path, init);
    const to = (answer: () => Promise<Response>) => ({
      address: 'http://new/API',
      ask: (path: string, init: RequestInit) => gone(path, init, answer),
    });
    const out = to(async () => new Response(null, { status: 401 }));
    await expect(run(requestOf(houses, { to: out }))).rejects.toThrow('POST /import/placeholder: 401');
    for (let at = 0; at < 5; at++) await send(houses.from, newItem());
    const away = to(() => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })));
    await expect(run(requestOf(houses, { to: away }))).rejects.toThrow(
      'POST /import/placeholder: connect ECONNREFUSED',
    );
  });

  it('asks the original no faster than it was told', async () => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const clock = hastyClock();
    const begin = clock.now();
    const { original } = await run(requestOf(houses, { clock, rate: 2, options: { lanes: 4 } }));
    expect(clock.now() - begin).toBeGreaterThanOrEqual((original.requests - 1) * 500);
  });
});
