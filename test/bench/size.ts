import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { fields, metadataOf } from './askers.ts';
import { ask, each, makeEditor } from './item-root.ts';
import type { Row } from './row.ts';
import { type RuntimeName, startService } from './runtimes.ts';
import { spentBy } from './usage.ts';

/**
 * Bytes of the database for an item of an editor with eight short fields, by table and index. The ratio is to the least
 * that keeps items and values. CPU time of a creation beside it: what is small and slow is no gain.
 * `PORTICO_BENCH_ITEMS=20000` makes more of them.
 */

const items = Number(process.env['PORTICO_BENCH_ITEMS'] ?? 2_000);
/** Characters of the longest value. */
const longest = 40;
/** Bytes of an item, its change sets, its events and its index, against those of the bare schema. */
const aim = 4.2;

const bareSchema = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, created INTEGER NOT NULL, owner TEXT NOT NULL);
  CREATE TABLE value (item INTEGER NOT NULL, field INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (item, field))
    WITHOUT ROWID;
  CREATE INDEX value_field ON value (field, value);`;

export async function benchSize(runtime: RuntimeName): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  try {
    const root = join(directory, 'root');
    const empty = await startService(runtime, root);
    for (const name of fields) await ask(empty, `PUT /API/metadata-field/${name}`, { type: 'string' }, '*/*');
    const editor = await makeEditor(empty);
    await empty.stop();
    const before = tablesIn(join(root, 'portico.db'));
    const server = await startService(runtime, root);
    const { cpu } = await spentBy(server.process, () =>
      each(items, (serial) =>
        ask(server, 'POST /API/import/placeholder', metadataOf(serial, longest), undefined, editor),
      ),
    );
    await server.stop();
    const after = tablesIn(join(root, 'portico.db'));
    const grown = [...after].map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / items] as const);
    const whole = grown.reduce((sum, [, bytes]) => sum + bytes, 0);
    const bare = bareBytes(join(directory, 'bare.db'));
    const large = grown.filter(([, bytes]) => bytes > whole / 100).toSorted((one, other) => other[1] - one[1]);
    return [
      {
        name: 'bytes of an item with eight fields, against a bare schema; bytes',
        ratio: whole / bare,
        ceiling: aim,
        value: whole,
      },
      ...large.map(([name, value]) => ({ name: `bytes of it in ${name}`, value })),
      { name: 'CPU time of its creation, microseconds', value: (cpu * 1000) / items },
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Bytes of the pages of each table and of each index. */
export function tablesIn(path: string): ReadonlyMap<string, number> {
  const database = new Database(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const rows = database.prepare('SELECT name, sum(pgsize) FROM dbstat GROUP BY name').raw(true).all() as [
    string,
    number,
  ][];
  database.close();
  return new Map(rows);
}

function bareBytes(path: string): number {
  const database = new Database(path);
  database.exec(bareSchema);
  const before = database.prepare('SELECT sum(pgsize) FROM dbstat').raw(true).get() as [number];
  const item = database.prepare('INSERT INTO item VALUES (?, ?, ?)');
  const value = database.prepare('INSERT INTO value VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (let serial = 0; serial < items; serial++) {
    item.run(serial, serial * 1_000_000, 'admin');
    for (const [at, { value: values }] of metadataOf(serial, longest).timespan[0]!.field.entries()) {
      value.run(serial, at, values[0]!.value);
    }
  }
  database.exec('COMMIT');
  const after = database.prepare('SELECT sum(pgsize) FROM dbstat').raw(true).get() as [number];
  database.close();
  return (after[0] - before[0]) / items;
}
