import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backup, restore } from '../../src/entry/native/backup.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { nobody, storeSettings, type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';

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
