import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { backup, copyBeforeMigration, restore } from '../../../src/entry/native/backup.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { nobody, storeSettings, type TemporaryDirectory, temporaryDirectory } from '../../support/store.ts';

let directory: TemporaryDirectory;
let path: string;
let copy: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory.path, 'portico.db');
  copy = join(directory.path, `it's a copy.db`);
});
afterEach(() => directory.remove());

const open = async (at = path): Promise<Store> => {
  const store = openStore(await openDatabase(`file:${at}`), storeSettings());
  await store.migrate();
  return store;
};
const event = (n: number) => ({ name: 'e', entityType: 'E', entityId: `${n}`, payload: {} });
const happen = (store: Store, n: number) => store.commit({ changes: [], events: [event(n)] }, nobody);
const events = async (store: Store) => (await store.read('SELECT entity_id FROM event ORDER BY sequence')).flat();
const newest = async (store: Store) => Number((await store.read('SELECT max(sequence) FROM event'))[0]?.[0]);
const change = (file: string, text: string) => {
  const database = new Database(file);
  database.exec(text);
  database.close();
};
const digest = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

describe('a backup', () => {
  test('taken under load is one moment: a beginning of the commits, with all acknowledged before it', async () => {
    const store = await open();
    for (let n = 0; n < 500; n++) void happen(store, n);
    await happen(store, 500);
    let going = true;
    let last = 500;
    const load = (async () => {
      while (going) await happen(store, ++last);
    })();
    await backup(path, copy);
    going = false;
    await load;
    await store.close();
    const restored = await open(copy);
    const found = (await events(restored)).map(Number);
    expect(found.length).toBeGreaterThan(500);
    expect(found).toEqual(Array.from({ length: found.length }, (_, n) => n));
    await restored.close();
  });

  test('is readable by its owner only, and never overwrites', async () => {
    const store = await open();
    await backup(path, copy);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    const before = await digest(copy);
    await expect(backup(path, copy)).rejects.toThrow(/exists already/);
    expect(await digest(copy)).toBe(before);
    await store.close();
  });

  test('of a database that is not there creates nothing', async () => {
    await expect(backup(path, copy)).rejects.toThrow(/no such file/);
    expect(await readdir(directory.path)).toEqual([]);
  });
});

test('a migration of a database with rows is preceded by a copy of it, one of an empty database by none', async () => {
  const told: number[] = [];
  const known = storeSettings();
  const next = { number: known.migrations.length + 1, name: 'next', statements: ['CREATE TABLE next (id TEXT)'] };
  const first = known.migrations.length;
  const all = [...known.migrations, next];
  const openWith = async (count: number) => {
    const store = openStore(await openDatabase(`file:${path}`), {
      ...known,
      migrations: all.slice(0, count),
      beforeMigration: async (version) => {
        told.push(version);
        await copyBeforeMigration(path, version);
      },
    });
    await store.migrate();
    return store;
  };
  for (const count of [first, first, all.length]) {
    const store = await openWith(count);
    if (told.length === 0) await happen(store, count);
    await store.close();
  }
  expect(told).toEqual([first]);
  const before = new Database(`${path}.before-${first}`);
  const rows = (text: string) => before.prepare(text).raw(true).all([]);
  expect([rows('SELECT max(number) FROM migration'), rows('SELECT entity_id FROM event')]).toEqual([
    [[first]],
    [[String(first)], [String(first)]],
  ]);
  before.close();
  // A second upgrade from that version replaces the copy.
  await copyBeforeMigration(path, first);
  expect((await readdir(directory.path)).filter((name) => name.includes('before'))).toEqual([
    `portico.db.before-${first}`,
  ]);
});

describe('restoring', () => {
  /** Statements of a closed connection keep the file open until they are collected; a new file has no such past. */
  const close = async (store: Store) => {
    await store.close();
    await copyFile(path, `${path}.moved`);
    await rename(`${path}.moved`, path);
  };
  const prepare = async () => {
    const store = await open();
    await happen(store, 1);
    await backup(path, copy);
    await happen(store, 2);
    return store;
  };

  test('brings back what the backup has, and leaves nothing beside it', async () => {
    await close(await prepare());
    await restore(copy, path, { force: true });
    expect((await readdir(directory.path)).toSorted()).toEqual([`it's a copy.db`, 'portico.db']);
    const store = await open();
    expect(await events(store)).toEqual(['1']);
    await happen(store, 3);
    expect(await events(store)).toEqual(['1', '3']);
    await store.close();
  });

  test('never gives out an id, a sequence or a fence again that somebody saw after the backup', async () => {
    const store = await open();
    await happen(store, 1);
    const lane = `INSERT INTO lane (name, ready, owner, fence) VALUES ('l', 4102444800000, 'gone', 7)`;
    await store.commit({ changes: [{ sql: lane, args: [] }], events: [] }, nobody);
    await store.nextId('user');
    await backup(path, copy);
    await happen(store, 2);
    const seen = [await store.nextId('user'), await newest(store)] as const;
    await close(store);
    await restore(copy, path, { force: true });
    const restored = await open();
    await happen(restored, 3);
    expect(Number((await restored.nextId('user')).slice(3))).toBeGreaterThan(Number(seen[0].slice(3)) + 1000);
    expect(await newest(restored)).toBeGreaterThan(seen[1] + 1000);
    const [held] = await restored.read(`SELECT ready < 1000, fence > 1000 FROM lane WHERE name = 'l'`);
    expect(held, 'nobody waits for a lease of before').toEqual([1, 1]);
    await restored.close();
  });

  test('to a new place needs no force', async () => {
    await close(await prepare());
    const elsewhere = join(directory.path, 'elsewhere.db');
    await restore(copy, elsewhere);
    const store = await open(elsewhere);
    expect(await events(store)).toEqual(['1']);
    await store.close();
  });

  test('over an existing database needs force', async () => {
    await close(await prepare());
    const before = await digest(path);
    await expect(restore(copy, path)).rejects.toThrow(/already, use force/);
    expect(await digest(path)).toBe(before);
  });

  test('is refused while the database is open, even idle, and changes nothing', async () => {
    const store = await prepare();
    await expect(restore(copy, path, { force: true })).rejects.toThrow(/another process has the database open/);
    await happen(store, 3);
    expect(await events(store)).toEqual(['1', '2', '3']);
    expect(existsSync(`${path}.restoring`)).toBe(false);
    await store.close();
  });

  const wrong: readonly (readonly [string, (file: string) => Promise<void>, RegExp])[] = [
    ['that is no database', (file) => writeFile(file, 'hello '.repeat(2_000)), /not a database/],
    [
      'that is cut short',
      async (file) => writeFile(file, (await readFile(file)).subarray(0, 20_480)),
      /damaged|malformed/,
    ],
    [
      'of another program',
      async (file) => {
        await writeFile(file, '');
        change(file, 'CREATE TABLE t (n)');
      },
      /not a database of this program/,
    ],
    [
      'of a newer program',
      async (file) => {
        change(file, `INSERT INTO migration VALUES (999, 'x', 'x', 0)`);
      },
      /version 999, this program knows only/,
    ],
  ];
  test.each(wrong)('a backup %s is refused and the database stays', async (_, spoil, message) => {
    await close(await prepare());
    await spoil(copy);
    await expect(restore(copy, path, { force: true })).rejects.toThrow(message);
    const store = await open();
    expect(await events(store)).toEqual(['1', '2']);
    await store.close();
    expect(existsSync(`${path}.restoring`)).toBe(false);
  });

  test('a damaged database can be replaced', async () => {
    await close(await prepare());
    await writeFile(path, 'no database at all '.repeat(1_000));
    await restore(copy, path, { force: true });
    const store = await open();
    expect(await events(store)).toEqual(['1']);
    await store.close();
  });
});
