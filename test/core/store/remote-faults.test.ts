import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import { Secret } from '../../../src/core/lib/secret.ts';
import type { Database, Statement } from '../../../src/core/store/contract.ts';
import { guard } from '../../../src/core/store/guard.ts';
import { openRemoteDatabase, type RemoteSettings } from '../../../src/core/store/remote/remote-database.ts';
import { sql } from '../../../src/core/store/statement.ts';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { type Sqld, sqldBinary, startSqld } from '../../support/sqld.ts';
import { hastyClock, storeSettings } from '../../support/store.ts';

type Fault = (send: () => Promise<Response>) => Promise<Response>;

const faults = {
  lostAnswer: async (send) => {
    await send();
    throw new TypeError('terminated');
  },
  lostRequest: async () => {
    throw new TypeError('fetch failed');
  },
  badGateway: async (send) => {
    await send();
    return new Response('bad gateway', { status: 502 });
  },
  /** The request reaches the server, but no answer comes back. */
  silence: async (send) => {
    await send();
    return new Promise<Response>(() => {});
  },
  unauthorised: async () => new Response('no', { status: 401 }),
} satisfies Record<string, Fault>;

/** Pauses take no time; a deadline (the sleeps that can be called off) passes when the test says so. */
function faultClock() {
  const clock = hastyClock();
  const deadlines = new Set<() => void>();
  const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (signal === undefined) return clock.sleep(milliseconds);
    return new Promise((resolve, reject) => {
      const pass = () => {
        deadlines.delete(pass);
        resolve();
      };
      deadlines.add(pass);
      signal.addEventListener('abort', () => (deadlines.delete(pass) ? reject(signal.reason) : undefined));
    });
  };
  const passDeadlines = () => {
    for (const pass of [...deadlines]) pass();
  };
  return { now: clock.now, sleep, slept: clock.slept, passDeadlines, deadlines };
}

describe('attack: a server of a database that', () => {
  /** A database at a server that answers as the test says, and the addresses of its calls. */
  function openAt(answer: () => Response) {
    const asked: string[] = [];
    const ask = (async (url: string) => {
      asked.push(url);
      return answer();
    }) as unknown as typeof fetch;
    const settings = { fetch: ask, clock: faultClock(), attempts: 2, token: new Secret('canary') };
    return { database: openRemoteDatabase('https://db.example.com/one', settings), asked };
  }

  test('answers without end is left after 32 MB', async () => {
    let bytes = 0;
    let left = 0;
    const piece = new TextEncoder().encode(' '.repeat(1024 * 1024));
    const { database } = openAt(() => {
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        bytes += piece.length;
        controller.enqueue(piece);
      };
      return new Response(new ReadableStream({ pull, cancel: () => void left++ }, { highWaterMark: 0 }));
    });
    await expect(database.read('SELECT 1')).rejects.toThrow('Expected an answer of at most 33554432 bytes');
    expect(left).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(left * 34 * 1024 * 1024);
  });

  const result = {
    type: 'ok',
    response: { type: 'execute', result: { cols: [], rows: [[{ type: 'integer', value: '1' }]] } },
  };
  const leading = (base_url: string) => () =>
    Response.json({ baton: 'b', base_url, results: [result, { type: 'ok', response: {} }] });

  test.each(['http://db.example.com/one', 'https://evil.example', 'https://db.example.com:8443/', 'no address'])(
    'leads the next call with its token to %s is not followed',
    async (place) => {
      const { database, asked } = openAt(leading(place));
      const expected = 'Expected a database that stays at "https://db.example.com": its answer leads to';
      await expect(database.read('SELECT 1')).rejects.toThrow(expected);
      await expect(database.read('SELECT 1')).rejects.toThrow(expected);
      expect(new Set(asked)).toEqual(new Set(['https://db.example.com/one/v2/pipeline']));
    },
  );

  test('stays at its origin is followed', async () => {
    const { database, asked } = openAt(leading('https://db.example.com/other/'));
    for (let turn = 0; turn < 2; turn++) expect(await database.read('SELECT 1')).toEqual([[1]]);
    expect(asked.at(-1)).toBe('https://db.example.com/other/v2/pipeline');
  });
});

describe.skipIf(sqldBinary() === undefined)('remote faults, on a libsql-server', () => {
  let server: Sqld;
  let database: Database;
  let store: Store;
  let planned: Fault[];
  let calls: number;
  let clock: ReturnType<typeof faultClock>;
  const add: Statement = { sql: `UPDATE counter SET value = value + 1 WHERE name = 'users'`, args: [] };
  const value = async () => (await database.read(`SELECT value FROM counter WHERE name = 'users'`))[0]?.[0];

  const faultyFetch = ((url: string, { signal, ...init }: RequestInit) => {
    calls++;
    const fault = planned.shift();
    // The server's side of the call goes on when the client gives up.
    const send = () => fetch(url, fault ? init : { ...init, signal: signal! });
    return fault ? fault(send) : send();
  }) as typeof fetch;

  const open = (settings: RemoteSettings = {}) =>
    openRemoteDatabase(server.url, { clock, fetch: faultyFetch, attempts: 4, ...settings });

  beforeAll(async () => {
    server = await startSqld();
    planned = [];
    clock = faultClock();
    const first = openStore(open(), storeSettings({ clock }));
    await first.migrate();
    await first.close();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    planned = [];
    clock = faultClock();
    database = open();
    store = openStore(database, storeSettings({ clock }));
    await database.write([{ sql: `UPDATE counter SET value = 0 WHERE name = 'users'`, args: [] }]);
    calls = 0;
  });
  afterEach(() => store.close());

  test.each(['lostAnswer', 'lostRequest', 'badGateway'] as const)(
    '%s: the change is made exactly once',
    async (name) => {
      planned.push(faults[name]);
      expect(await database.write([add])).toEqual({ done: true, rows: [] });
      expect(calls).toBe(2);
      expect(await value()).toBe(1);
    },
  );

  test('silence ends at the deadline, and the change is made exactly once', async () => {
    planned.push(faults.silence);
    const written = database.write([add]);
    while (clock.deadlines.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    clock.passDeadlines();
    expect(await written).toEqual({ done: true, rows: [] });
    expect(await value()).toBe(1);
  });

  test('the answers of several sendings are lost: still exactly once', async () => {
    planned.push(faults.lostAnswer, faults.lostRequest, faults.lostAnswer);
    expect(await Promise.all([database.write([add]), database.write([add])])).toHaveLength(2);
    expect(await value()).toBe(2);
  });

  test('out of reach for good: refused, saying that the change may have been made', async () => {
    planned.push(...Array<Fault>(4).fill(faults.lostRequest));
    await expect(database.write([add])).rejects.toMatchObject({
      code: 'store-unavailable',
      detail: { explanation: expect.stringContaining('may have been made') },
    });
    expect(calls).toBe(4);
    // The first attempt was in a stream that was kept: the second follows at once in a new one.
    expect(clock.slept).toHaveLength(2);
    expect(await database.write([add])).toMatchObject({ done: true });
    expect(await value()).toBe(1);
  });

  test('a wrong token is refused at once and not tried again', async () => {
    planned.push(faults.unauthorised);
    await expect(database.write([add])).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(calls).toBe(1);
  });

  test('rows that were lost with an answer are not made up, and ids go on', async () => {
    planned.push(faults.lostAnswer);
    const returning: Statement = { ...add, sql: `${add.sql} RETURNING value`, returns: true };
    await expect(database.write([returning])).rejects.toMatchObject({ name: 'AnswerLost' });
    expect(await value()).toBe(1);
    planned.push(faults.lostAnswer);
    expect(await store.nextId('Lost')).toBe('VX-65');
  });

  test('a broken member of a group whose first answer was lost is still found', async () => {
    planned.push(faults.lostRequest);
    const twice: Statement = { sql: `INSERT INTO serial (entity, next) VALUES ('same', 1)`, args: [] };
    const outcomes = await Promise.all([[add], [add, twice, twice], [add]].map((member) => database.write(member)));
    expect(outcomes).toMatchObject([{ done: true }, { done: false, index: 2 }, { done: true }]);
    expect(await value()).toBe(2);
  });

  test.each([0, 1])('a sending that arrives after its change was refused does nothing (%i more lost)', async (lost) => {
    let deliver: () => Promise<unknown> = async () => {};
    await database.write([{ sql: `DELETE FROM serial WHERE entity = 'gate'`, args: [] }]);
    planned.push(async (send) => {
      deliver = send;
      throw new TypeError('connection reset');
    });
    planned.push((send) => send(), ...Array<Fault>(lost).fill(faults.lostAnswer));
    const gate = sql`EXISTS (SELECT 1 FROM serial WHERE entity = 'gate')`;
    const guarded = [add, guard(gate)({}, new ServiceError('not-allowed'))];
    expect(await database.write(guarded)).toMatchObject({ done: false, index: 1 });
    await database.write([{ sql: `INSERT INTO serial VALUES ('gate', 1)`, args: [] }]);
    await deliver();
    expect(await value()).toBe(0);
    expect(await database.write(guarded)).toMatchObject({ done: true });
  });

  test('SQLITE_BUSY is tried again with growing pauses and then refused as busy: nothing was changed', async () => {
    const busy: Fault = async () =>
      Response.json({ message: 'database is locked', code: 'SQLITE_BUSY' }, { status: 500 });
    planned.push(busy, busy);
    expect(await database.write([add])).toMatchObject({ done: true });
    planned.push(busy, busy, busy, busy);
    await expect(database.write([add])).rejects.toMatchObject({ code: 'busy', headers: { 'Retry-After': '1' } });
    const [first, second, third] = clock.slept.slice(-3) as [number, number, number];
    expect(first).toBeGreaterThanOrEqual(25);
    expect(second).toBeGreaterThanOrEqual(50);
    expect(third).toBeGreaterThanOrEqual(100);
    expect(third).toBeLessThanOrEqual(200);
    expect(await value()).toBe(1);
  });

  test('reads are tried again', async () => {
    planned.push(faults.lostAnswer, faults.badGateway);
    expect(await value()).toBe(0);
    expect(calls).toBe(3);
  });

  test('a read out of reach is refused without a word of a change', async () => {
    planned.push(...Array<Fault>(5).fill(faults.lostRequest));
    await expect(database.read('SELECT 1')).rejects.toMatchObject({
      code: 'store-unavailable',
      headers: { 'Retry-After': '2' },
      detail: { explanation: expect.not.stringContaining('may have been made') },
    });
    planned = [];
  });

  test('markers are pruned by age in the batch of a later change', async () => {
    const markers = async () => Number((await database.read('SELECT count(*) FROM applied'))[0]?.[0]);
    expect(await markers()).toBeGreaterThan(0);
    await clock.sleep(2 * 60 * 60_000);
    await database.write([add]);
    expect(await markers()).toBe(1);
  });

  test('without sharing, requests send their own batches and wait for no other', async () => {
    const edge = open({ group: false });
    planned.push(faults.silence);
    const stuck = edge.write([add]);
    expect(await edge.write([add])).toMatchObject({ done: true });
    while (clock.deadlines.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    clock.passDeadlines();
    expect(await stuck).toMatchObject({ done: true });
    expect(await value()).toBe(2);
    await edge.close();
  });
});
