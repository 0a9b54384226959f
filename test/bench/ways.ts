import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { askJson, authorization as basic } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, startService } from './runtimes.ts';

const connections = 64;
const many = 1_000_000;

/** Tokens of `admin` that nobody has, in the order of every index: each page is written once, which takes seconds. */
function fill(path: string): void {
  const database = new Database(path);
  database.exec('PRAGMA synchronous = OFF');
  database.exec('PRAGMA cache_size = -200000');
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
    INSERT INTO token
      (digest, id, user_id, password_version, kind, lifetime, auto_refresh, created_at, used_at, expires_at, way)
    SELECT printf('%016x', i) || hex(randomblob(13)), printf('%016d', i), (SELECT id FROM user WHERE name = 'admin'), 1, 'token', 9e9, 0, 0, 0, 4e12 + i, 'password'
    FROM n`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Cost of each way in against a remembered password, on the same server; and of a full table of tokens. */
export async function benchWays(runtime: RuntimeName, rounds = 5, seconds = 1): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const [emptyRoot, fullRoot] = [join(directory, 'empty'), join(directory, 'full')];
  const first = await startService(runtime, emptyRoot);
  const { token } = await askJson(first, 'GET /API/token?seconds=86400');
  const { id, secret } = await askJson(first, 'POST /API/user/admin/key');
  await first.stop();
  await cp(emptyRoot, fullRoot, { recursive: true });
  fill(join(fullRoot, 'portico.db'));
  const [empty, full] = [await startService(runtime, emptyRoot), await startService(runtime, fullRoot)];
  const whoami = (authorization: string) => requestBytes('GET', '/API/whoami', { authorization });
  // Compared ways run one after the other, so that a slow moment of the machine hits all of them.
  const ways = {
    key: [empty, whoami(`Basic ${btoa(`${id}:${secret}`)}`)],
    basic: [empty, whoami(basic)],
    token: [empty, whoami(`token ${token}`)],
    full: [full, whoami(`token ${token}`)],
  } as const;
  const names = Object.keys(ways) as (keyof typeof ways)[];
  const rates: Record<keyof typeof ways, number[]> = { basic: [], token: [], key: [], full: [] };
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const name of names) {
        const [server, bytes] = ways[name];
        const { perSecond } = await load({ port: server.port, connections, seconds, next: () => bytes });
        if (round > 0) rates[name].push(perSecond);
      }
    }
  } finally {
    await Promise.all([empty.stop(), full.stop()]);
    await rm(directory, { recursive: true, force: true });
  }
  const against = (one: keyof typeof ways, other: keyof typeof ways) => ({
    ratio: median(rates[one].map((rate, round) => rate / rates[other][round]!)),
    perSecond: median(rates[one]),
  });
  return [
    { name: 'whoami by token, against a remembered password', floor: 0.8, ...against('token', 'basic') },
    { name: 'whoami by access key, against a remembered password', floor: 0.8, ...against('key', 'basic') },
    {
      name: `whoami by token, ${many.toLocaleString('en')} of them in the table, against one`,
      floor: 0.9,
      ...against('full', 'token'),
    },
  ];
}
