import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database, Statement } from '../../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { type Sqld, sqldBinary, startSqld } from '../../support/sqld.ts';
import { hastyClock, storeSettings } from '../../support/store.ts';

interface Sent {
  readonly baton: string | null;
  readonly requests: readonly { readonly type: string }[];
}

/** No deadline passes; pauses take no time. */
function patientClock() {
  const clock = hastyClock();
  const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    signal ? new Promise(() => {}) : clock.sleep(milliseconds);
  return { ...clock, sleep };
}

const add: Statement = { sql: `UPDATE counter SET value = value + 1 WHERE name = 'users'`, args: [] };

describe.skipIf(sqldBinary() === undefined)('streams on a libsql-server', () => {
  let server: Sqld;
  let database: Database;
  let clock: ReturnType<typeof patientClock>;
  let sent: Sent[];
  /** Changes what is sent next. */
  let forge: ((body: string) => string) | undefined;
  let before: (() => Promise<void>) | undefined;
  let after: (() => void) | undefined;

  const recorded = (async (url: string, init: RequestInit) => {
    const body = forge?.(String(init.body)) ?? String(init.body);
    forge = undefined;
    sent.push(JSON.parse(body) as Sent);
    await before?.();
    const answer = await fetch(url, { ...init, body });
    after?.();
    return answer;
  }) as typeof fetch;

  const value = async () => (await database.read(`SELECT value FROM counter WHERE name = 'users'`))[0]?.[0];
  const batons = () => sent.map(({ baton }) => (baton === null ? 'new' : 'kept'));

  beforeAll(async () => {
    server = await startSqld();
    const first = openStore(openRemoteDatabase(server.url), storeSettings());
    await first.migrate();
    await first.close();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    clock = patientClock();
    [forge, before, after] = [undefined, undefined, undefined];
    sent = [];
    database = openRemoteDatabase(server.url, { clock, fetch: recorded });
    await database.write([{ sql: `UPDATE counter SET value = 0 WHERE name = 'users'`, args: [] }]);
    await value();
    sent = [];
  });
  afterEach(() => database.close());

  test('reads and changes go on in streams that are there', async () => {
    expect(await value()).toBe(0);
    await database.write([add]);
    expect(await value()).toBe(1);
    expect(batons()).toEqual(['kept', 'kept', 'kept']);
  });

  test('a stream is let go of before the server drops it', async () => {
    await clock.sleep(7_000);
    expect(await value()).toBe(0);
    await clock.sleep(9_000);
    expect(await value()).toBe(0);
    expect(batons()).toEqual(['kept', 'new']);
  });

  test.each([
    ['a read', value],
    ['a change', () => database.write([add])],
  ])('%s whose baton the server refuses is sent once more, in a new stream and without a pause', async (_, call) => {
    forge = (body) => body.replace(/"baton":"./, '"baton":"_');
    await call();
    expect(batons()).toEqual(['kept', 'new']);
    expect(clock.slept).toEqual([]);
  });

  test('a server that begins anew is asked in new streams', async () => {
    await server.restart();
    expect(await value()).toBe(0);
    expect(await database.write([add])).toMatchObject({ done: true });
    expect(await value()).toBe(1);
  });

  test('a change whose answer is lost is made once', async () => {
    after = () => {
      after = undefined;
      throw new TypeError('terminated');
    };
    expect(await database.write([add])).toEqual({ done: true, rows: [] });
    expect(batons()).toEqual(['kept', 'new']);
    expect(await value()).toBe(1);
  });

  test('a change that could be made twice is not sent again', async () => {
    // Without the table of markers nothing tells whether an earlier sending arrived.
    await database.write([
      { sql: 'ALTER TABLE applied RENAME TO applied_away', args: [] },
      { sql: 'CREATE TABLE once (id INTEGER)', args: [] },
    ]);
    sent = [];
    try {
      after = () => {
        if (sent.length === 2) throw new TypeError('terminated');
      };
      await expect(database.write([{ sql: 'INSERT INTO once VALUES (1)', args: [] }])).rejects.toMatchObject({
        code: 'store-unavailable',
        detail: { explanation: expect.stringContaining('may have been made') },
      });
      // The first one had a marker, and its table is not there. The second one begins in a new stream.
      expect(batons()).toEqual(['kept', 'new']);
      expect(await database.read('SELECT count(*) FROM once')).toEqual([[1]]);
    } finally {
      after = undefined;
      await database.write([
        { sql: 'DROP TABLE once', args: [] },
        { sql: 'ALTER TABLE applied_away RENAME TO applied', args: [] },
      ]);
    }
  });

  test('reads that do not wait for each other are one call', async () => {
    const rows = await Promise.all([1, 2, 3].map((one) => database.read('SELECT ?', [one])));
    expect(rows).toEqual([[[1]], [[2]], [[3]]]);
    expect(sent).toHaveLength(1);
  });

  test('a read that breaks takes no other along that shares its call', async () => {
    const [good, bad] = await Promise.allSettled([database.read('SELECT 1'), database.read('SELECT FROM nothing')]);
    expect(good).toMatchObject({ status: 'fulfilled', value: [[1]] });
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'internal' } });
    expect(await value()).toBe(0);
    expect(batons()).toEqual(['kept', 'kept']);
  });

  test('queries of many callers wait in turn for 11 streams, and reads by key and changes do not wait for them', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let held = 0;
    before = () => {
      held++;
      return gate;
    };
    const ended: number[] = [];
    const queries: Promise<unknown>[] = [];
    for (let one = 0; one < 40; one++) {
      queries.push(Promise.resolve(database.query('caller', 'SELECT ?', [one])).then(() => ended.push(one)));
      // Queries of the same turn would share a call.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(held).toBe(11);
    before = undefined;
    expect(await value()).toBe(0);
    expect(await database.write([add])).toMatchObject({ done: true });
    open();
    await Promise.all(queries);
    expect(ended.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, one) => one));
    expect(sent.filter(({ baton }) => baton === null).length).toBeLessThanOrEqual(11);
  });

  test('on an edge a stream ends with its call', async () => {
    const edge = openRemoteDatabase(server.url, { clock, fetch: recorded, group: false });
    await edge.read('SELECT 1');
    await edge.write([add]);
    expect(batons()).toEqual(['new', 'new']);
    for (const { requests } of sent) expect(requests.at(-1)).toEqual({ type: 'close' });
    await edge.close();
  });
});
