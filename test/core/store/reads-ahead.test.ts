import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallCount, Database, Statement } from '../../../src/core/store/contract.ts';
import { aheadFor } from '../../../src/core/store/remote/courses.ts';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { type Sqld, sqldBinary, startSqld } from '../../support/sqld.ts';
import { storeSettings } from '../../support/store.ts';

const users = `SELECT value FROM counter WHERE name = 'users'`;
const one = 'SELECT 1';
const byName = 'SELECT name, type FROM metadata_field WHERE name IN (SELECT value FROM json_each(?))';
const addUser: Statement = { sql: `UPDATE counter SET value = value + 1 WHERE name = 'users'`, args: [] };
const typed = (name: string, type: string): Statement => ({
  sql: `INSERT INTO metadata_field (name, type, system, sort_key) VALUES (?1, ?2, 0, ?1)
    ON CONFLICT (name) DO UPDATE SET type = excluded.type`,
  args: [name, type],
});

describe.skipIf(sqldBinary() === undefined)('reads of one request on a libsql-server', () => {
  let server: Sqld;
  let passed: number;
  let database: Database;
  let other: Database;
  let asked: string[];
  const scope = new AsyncLocalStorage<CallCount>();
  /** Runs a request. Answers the number of its calls. */
  const request = async (work: () => Promise<unknown>): Promise<number> => {
    const count = { calls: 0 };
    await scope.run(count, work);
    return count.calls;
  };
  /** No deadline passes. */
  const clock = { now: () => passed, sleep: () => new Promise<void>(() => undefined) };

  beforeAll(async () => {
    server = await startSqld();
    const first = openStore(openRemoteDatabase(server.url), storeSettings());
    await first.migrate();
    await first.close();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    [passed, asked] = [0, []];
    const recorded = ((url: string, init: RequestInit) => {
      asked.push(String(init.body));
      return fetch(url, init);
    }) as typeof fetch;
    database = openRemoteDatabase(server.url, { clock, calls: scope, fetch: recorded });
    other = openRemoteDatabase(server.url);
    await other.write([
      { sql: `UPDATE counter SET value = 0 WHERE name = 'users'`, args: [] },
      typed('a', 'string'),
      typed('b', 'string'),
    ]);
  });
  afterEach(async () => {
    await Promise.all([database.close(), other.close()]);
  });

  it('go with its first call when they were started ahead, and cause none alone', async () => {
    const calls = await request(async () => {
      database.ahead!(() => database.read(users));
      expect(await database.read(one)).toEqual([[1]]);
      await other.write([addUser]);
      expect(await database.read(users)).toEqual([[0]]);
      expect(await database.read(users)).toEqual([[1]]);
    });
    expect(calls).toBe(2);
    expect(await request(async () => database.ahead!(() => database.read(users)))).toBe(0);
  });

  it('give their rows as often as they were started ahead', async () => {
    const calls = await request(async () => {
      for (let times = 0; times < 2; times++) database.ahead!(() => database.read(users));
      await database.read(one);
      await other.write([addUser]);
      const seen = [await database.read(users), await database.read(users), await database.read(users)];
      expect(seen).toEqual([[[0]], [[0]], [[1]]]);
    });
    expect(calls).toBe(2);
  });

  it('share a call although some of them begin a few microtasks later', async () => {
    const later = async () => {
      for (let turns = 0; turns < 5; turns++) await undefined;
      return database.query('caller', users);
    };
    expect(await request(() => Promise.all([database.query('caller', one), later()]))).toBe(1);
  });

  it('that were started ahead are read anew after a change of the request, and when time has passed', async () => {
    const calls = await request(async () => {
      database.ahead!(() => database.read(users));
      await database.read(one);
      await database.write([addUser]);
      expect(await database.read(users)).toEqual([[1]]);
    });
    expect(calls).toBe(3);
    await request(async () => {
      database.ahead!(() => database.read(users));
      await database.read(one);
      await other.write([addUser]);
      passed = aheadFor;
      expect(await database.read(users)).toEqual([[2]]);
    });
  });

  it('that were started ahead and fail are sent again by the read that needs them', async () => {
    await request(async () => {
      database.ahead!(() => database.read('SELECT nothing'));
      expect(await database.read(one)).toEqual([[1]]);
      await expect(database.read('SELECT nothing')).rejects.toThrow();
    });
    expect(asked.filter((body) => body.includes('SELECT nothing'))).toHaveLength(2);
  });

  it('of another request do not take what was started ahead', async () => {
    await request(async () => {
      database.ahead!(() => database.read(users));
      await database.read(one);
      await other.write([addUser]);
      await request(async () => expect(await database.read(users)).toEqual([[1]]));
    });
  });

  describe('of definitions', () => {
    const typesOf = async (...names: readonly string[]) =>
      Object.fromEntries((await database.steady!.named(byName, names)) as [string, string][]);
    const begun = () => {
      database.ahead!(() => undefined);
      return database.read(one);
    };

    it('are kept until any instance changes one', async () => {
      await request(() => typesOf('a'));
      const calls = await request(async () => {
        await begun();
        expect(await typesOf('a')).toEqual({ a: 'string' });
      });
      expect(calls).toBe(1);
      await other.write([typed('a', 'integer')]);
      await request(async () => {
        await begun();
        expect(await typesOf('a')).toEqual({ a: 'integer' });
      });
    });

    it('ask only for names that are not kept, and keep that there is none', async () => {
      await request(() => typesOf('a', 'none'));
      const calls = await request(async () => {
        await begun();
        expect(await typesOf('a', 'none')).toEqual({ a: 'string' });
        expect(await typesOf('none', 'b')).toEqual({ b: 'string' });
      });
      expect(calls).toBe(2);
      expect(asked.at(-1)).toContain(JSON.stringify(JSON.stringify(['b'])).slice(1, -1));
      await other.write([typed('none', 'float')]);
      await request(async () => {
        await begun();
        expect(await typesOf('none')).toEqual({ none: 'float' });
      });
      await other.write([{ sql: `DELETE FROM metadata_field WHERE name = 'none'`, args: [] }]);
    });

    it('come new after a change of the request itself', async () => {
      await request(async () => {
        await begun();
        await typesOf('a');
        await database.write([typed('a', 'date')]);
        expect(await typesOf('a')).toEqual({ a: 'date' });
      });
    });

    it('are not kept for a request that began before the last change', async () => {
      await request(async () => {
        await begun();
        await other.write([typed('a', 'integer')]);
        await request(async () => {
          await begun();
          expect(await typesOf('a')).toEqual({ a: 'integer' });
        });
        await other.write([typed('a', 'float')]);
        expect(await typesOf('a')).toEqual({ a: 'float' });
      });
    });

    it('are read anew when the revision was read long ago', async () => {
      await request(async () => {
        await begun();
        await typesOf('a');
        await other.write([typed('a', 'integer')]);
        passed = aheadFor;
        expect(await typesOf('a')).toEqual({ a: 'integer' });
      });
    });
  });

  describe('that requests like it have made', () => {
    const userBy = 'SELECT id FROM user WHERE id = ?';
    /** Request that reads two rows one after the other, the second of them by the id `second`. */
    const ask = (target: string, second: string, caller = 'a', behind = async () => {}) =>
      request(async () => {
        database.ahead!(() => undefined, { target, caller });
        await database.read(one);
        await behind();
        await database.read(userBy, [second]);
      });

    it('go with its first call when the last two have made them, also about another item', async () => {
      const calls = [];
      for (const id of ['VX-1', 'VX-2', 'VX-3']) calls.push(await ask(`GET /item/${id}?content=shape`, id));
      expect(calls).toEqual([2, 2, 1]);
      // Part of a longer id, or in the form of a browser.
      expect(await ask('GET /item/VX-31?content=shape', 'VX-31')).toBe(1);
      for (const id of ['VX-1', 'VX-2']) await ask(`GET /job?jobmetadata=itemId%3D${id}`, id);
      expect(await ask('GET /job?jobmetadata=itemId%3DVX-3', 'VX-3')).toBe(1);
    });

    it('are not guessed for other callers and queries, and where the last two differ', async () => {
      for (const _ of [1, 2]) await ask('PUT /item?number=1', 'VX-1');
      expect([await ask('PUT /item?number=1', 'VX-1', 'b'), await ask('PUT /item?number=2', 'VX-1')]).toEqual([2, 2]);
      for (const word of ['x', 'y']) await ask('PUT /item?number=1', word);
      asked.length = 0;
      await ask('PUT /item?number=1', 'z');
      expect(asked.filter((body) => body.includes(userBy))).toHaveLength(1);
    });

    it('give no rows to another read: a wrong guess is a read in vain', async () => {
      await other.write([{ sql: "UPDATE counter SET value = 7 WHERE name = 'users'", args: [] }]);
      const counter = 'SELECT value FROM counter WHERE name = ?';
      const value = async (name: string) => {
        let rows: unknown;
        await request(async () => {
          database.ahead!(() => undefined, { target: 'GET /counter', caller: 'a' });
          await database.read(one);
          rows = await database.read(counter, [name]);
        });
        return rows;
      };
      for (const _ of [1, 2]) expect(await value('users')).toEqual([[7]]);
      expect(await value('none')).toEqual([]);
      await value('users');
      await value('users');
      await other.write([addUser]);
      expect(await value('users')).toEqual([[8]]);
    });

    it('are asked anew behind a change of the request', async () => {
      const change = async () => void (await database.write([addUser]));
      for (const _ of [1, 2]) await ask('PUT /user', 'VX-1', 'a', change);
      expect(await ask('PUT /user', 'VX-1', 'a', change)).toBe(3);
    });
  });
});
