import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chmod, readFile, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/composition/settings.ts';
import { openStore } from '../../src/core/store/store.ts';
import { copyTree } from '../../src/entry/native/copy-tree.ts';
import { backupInstance, restoreInstance } from '../../src/entry/native/instance-copy.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { nobody, storeSettings, type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';
import { put } from './plugins-support.ts';

let directory: TemporaryDirectory;
let target: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  target = join(directory.path, 'copy');
});
afterEach(() => directory.remove());

const nothing = { media: false, key: false };
const everything = { media: true, key: true };

/** An instance with a row, a configuration, a plugin, a key and a file of media. */
async function instance(name: string, files = true) {
  const root = join(directory.path, name);
  const settings = readSettings({ PORTICO_ROOT: root });
  const database = join(root, 'portico.db');
  if (files) {
    await put(root, {
      'config/security.ini': '[urls]',
      'plugins/mine/index.js': 'export default 1;',
      'secret.key': 'the key',
      'media/in/a.txt': 'bytes',
      'media/in/.portico/id': 'marker',
      'media/in/.portico/tmp/staged': 'staged',
    });
    const store = openStore(await openDatabase(`file:${database}`), storeSettings());
    await store.migrate();
    await store.commit({ changes: [], events: [{ name: 'e', entityType: 'E', entityId: '1', payload: {} }] }, nobody);
    await store.close();
  }
  return {
    root,
    settings,
    database,
    text: (file: string) => readFile(join(root, file), 'utf8').catch(() => undefined),
  };
}

describe('a backup into a folder', () => {
  it('takes database, security.ini and plugins, and says what it leaves', async () => {
    const { root, database, settings } = await instance('one');
    expect(await backupInstance(database, settings, target, nothing)).toEqual([
      'the database',
      'config/security.ini',
      'plugins (1 files)',
      'not secret.key: keep it in another place, or ask for it with --key',
      `not the media in ${join(root, 'media')}: ask for it with --media`,
    ]);
    expect(existsSync(join(target, 'secret.key'))).toBe(false);
    expect((await stat(target)).mode & 0o077, 'for its owner alone').toBe(0);
  });

  it('is restored to an empty root, with media and key only when both are asked for', async () => {
    const one = await instance('one');
    await backupInstance(one.database, one.settings, target, everything);
    const two = await instance('two', false);
    const told = await restoreInstance(target, two.database, two.settings, { ...nothing, force: false });
    expect(told).toContain('not secret.key: the root has none, so stored secrets cannot be read');
    expect(told).toContain('not the media: ask for it with --media');
    expect(await two.text('config/security.ini')).toBe('[urls]');
    expect(await two.text('plugins/mine/index.js')).toBe('export default 1;');
    expect([await two.text('secret.key'), await two.text('media/in/a.txt')]).toEqual([undefined, undefined]);

    const three = await instance('three', false);
    expect(await restoreInstance(target, three.database, three.settings, { ...everything, force: false })).toContain(
      'secret.key',
    );
    expect([await three.text('secret.key'), await three.text('media/in/a.txt')]).toEqual(['the key', 'bytes']);
    expect([await three.text('media/in/.portico/id'), await three.text('media/in/.portico/tmp/staged')]).toEqual([
      'marker',
      undefined,
    ]);
    const store = openStore(await openDatabase(`file:${three.database}`), storeSettings());
    await store.migrate();
    expect(await store.read('SELECT entity_id FROM event')).toEqual([['1']]);
    await store.close();
  });

  it('replaces no other file without force, and then changes nothing at all', async () => {
    const one = await instance('one');
    await backupInstance(one.database, one.settings, target, everything);
    const two = await instance('two', false);
    await put(two.root, { 'config/security.ini': '[urls]\n/** = deny', 'media/in/a.txt': 'others' });
    const restore = (force: boolean) => restoreInstance(target, two.database, two.settings, { ...everything, force });
    await expect(restore(false)).rejects.toThrow(/security.ini": another file is there already, use force/);
    expect(existsSync(two.database)).toBe(false);
    await restore(true);
    expect([await two.text('config/security.ini'), await two.text('media/in/a.txt')]).toEqual(['[urls]', 'bytes']);
  });

  it('overwrites nothing, and leaves nothing half written', async () => {
    const { database, settings, root } = await instance('one');
    await backupInstance(database, settings, target, nothing);
    await expect(backupInstance(database, settings, target, nothing)).rejects.toThrow(/exists already/);
    await expect(backupInstance(join(root, 'none.db'), settings, `${target}2`, nothing)).rejects.toThrow(
      /no such file/,
    );
    expect([existsSync(`${target}2`), existsSync(`${target}2.writing`)]).toEqual([false, false]);
  });

  it('takes media beside what is no file, and files whose names are no text', async () => {
    const one = await instance('one');
    const folder = join(one.root, 'media/in');
    const odd = Buffer.concat([Buffer.from(`${folder}/odd`), Buffer.from([0xff])]);
    await writeFile(odd, 'odd bytes');
    await symlink('nowhere', join(folder, 'link'));
    const times = [2_000_000, 1_795_373_645_749, 1_795_373_645_749.876, 1_795_373_645_999.9];
    for (const [index, time] of times.entries()) {
      await writeFile(join(folder, `${index}.txt`), 'bytes');
      await utimes(join(folder, `${index}.txt`), 1000, time / 1000);
    }
    const before = await Promise.all(times.map((_, index) => stat(join(folder, `${index}.txt`))));
    await chmod(folder, 0o750);
    execFileSync('mkfifo', [join(folder, 'pipe'), join(folder, 'pipe2')]);
    const told = await backupInstance(one.database, one.settings, target, everything);
    expect(told.at(-1)).toMatch(/^not .*in\/pipe2? and 1 more: it is no file, folder or link$/);
    const two = await instance('two', false);
    await restoreInstance(target, two.database, two.settings, { ...everything, force: false });
    const restored = join(two.root, 'media/in');
    expect(await readFile(Buffer.concat([Buffer.from(`${restored}/odd`), Buffer.from([0xff])]), 'utf8')).toBe(
      'odd bytes',
    );
    expect(await readlink(join(restored, 'link'))).toBe('nowhere');
    const after = await Promise.all(times.map((_, index) => stat(join(restored, `${index}.txt`))));
    // A scan takes another millisecond for other bytes.
    expect(after.map(({ mtimeMs }) => Math.floor(mtimeMs))).toEqual(before.map(({ mtimeMs }) => Math.floor(mtimeMs)));
    expect((await stat(restored)).mode & 0o777).toBe(0o750);
  });

  it('goes on where a file goes meanwhile, and says so', async () => {
    const { root } = await instance('one');
    const [from, to] = [join(root, 'media'), join(directory.path, 'to')];
    await put(from, { 'in/b.txt': 'b', 'out/c.txt': 'c' });
    const going = new Set([join(from, 'in/b.txt'), join(from, 'out')]);
    const isKept = (path: string): boolean => {
      if (going.has(path)) rmSync(path, { recursive: true });
      return true;
    };
    const left = await copyTree(from, to, { force: true, isKept });
    expect(left).toMatchObject({ odd: [], gone: expect.arrayContaining([...going]), nameless: [], outward: [] });
    expect(await readFile(join(to, 'in/a.txt'), 'utf8')).toBe('bytes');
  });

  it('says what it could not find', async () => {
    const { database, root } = await instance('one');
    const settings = readSettings({ PORTICO_ROOT: root, PORTICO_STORAGE_ROOTS: `${root}/media,${root}/gone` });
    expect(await backupInstance(database, settings, target, everything)).toContain(
      `not the media in ${join(root, 'gone')}: it is not there`,
    );
    await writeFile(join(root, 'config/security.ini'), 'other');
  });
});

describe('a backup whose plugin folder is a link', () => {
  it('has the files that the link leads to, keeps links inside, and is restored', async () => {
    const one = await instance('one');
    await put(directory.path, { 'dev/index.js': 'linked', 'dev/lib/a.js': 'a' });
    await symlink('lib/a.js', join(directory.path, 'dev/main.js'));
    await symlink(join(directory.path, 'dev'), join(one.root, 'plugins/dev'));
    await symlink(one.root, join(one.root, 'plugins/loop'));
    await backupInstance(one.database, one.settings, target, nothing);
    const two = await instance('two', false);
    const told = await restoreInstance(target, two.database, two.settings, { ...nothing, force: false });
    expect(told).toContain('plugins (4 files)');
    expect([await two.text('plugins/dev/index.js'), await two.text('plugins/dev/main.js')]).toEqual(['linked', 'a']);
    expect(await readlink(join(two.root, 'plugins/dev/main.js'))).toBe('lib/a.js');
    expect(existsSync(join(two.root, 'plugins/loop'))).toBe(false);
  });
});

/** Spoils a whole backup. `outside`: a folder of somebody else. */
type Spoil = (folder: string, outside: string) => Promise<unknown>;

describe('a folder of others is data:', () => {
  const refused: readonly (readonly [title: string, spoil: Spoil, refusal: RegExp])[] = [
    ['a database in its root', (at) => put(at, { 'root/portico.db': 'x' }), /another entry: "portico.db"/],
    ['a key in its root', (at) => put(at, { 'root/secret.key': 'x' }), /another entry: "secret.key"/],
    ['media in its root', (at) => put(at, { 'root/media/in/b.txt': 'x' }), /another entry: "media"/],
    ['a link in its root', (at, outside) => symlink(outside, join(at, 'root/lib')), /another entry: "lib"/],
    [
      'a link as security.ini',
      async (at, outside) => {
        rmSync(join(at, 'root/config/security.ini'));
        await symlink(join(outside, 'theirs'), join(at, 'root/config/security.ini'));
      },
      /another entry: "config\/security.ini"/,
    ],
    ['a link as media', (at, outside) => replaced(join(at, 'media'), outside), /Expected a folder, found something/],
    ['a link as its root', (at, outside) => replaced(join(at, 'root'), outside), /Expected a folder, found something/],
    [
      'a link as the key',
      (at, outside) => replaced(join(at, 'secret.key'), join(outside, 'theirs')),
      /Expected a file/,
    ],
    [
      'a link as the database',
      (at, outside) => replaced(join(at, 'portico.db'), join(outside, 'theirs')),
      /Expected a file/,
    ],
    [
      'a pipe as the database',
      async (at) => {
        rmSync(join(at, 'portico.db'));
        execFileSync('mkfifo', [join(at, 'portico.db')]);
      },
      /Expected a file/,
    ],
  ];
  const replaced = async (path: string, leadsTo: string) => {
    rmSync(path, { recursive: true });
    await symlink(leadsTo, path);
  };

  async function spoiled(spoil: Spoil) {
    const one = await instance('one');
    await backupInstance(one.database, one.settings, target, everything);
    await put(directory.path, { 'outside/theirs': 'theirs' });
    const outside = join(directory.path, 'outside');
    await spoil(target, outside);
    const two = await instance('two', false);
    await put(two.root, { 'config/security.ini': 'mine', 'secret.key': 'my key', 'media/in/a.txt': 'mine' });
    return {
      two,
      untouched: async () => {
        expect([readdirSync(outside), await readFile(join(outside, 'theirs'), 'utf8')]).toEqual([['theirs'], 'theirs']);
      },
    };
  }

  it.each(refused)('%s is refused before anything is replaced', async (_, spoil, refusal) => {
    const { two, untouched } = await spoiled(spoil);
    const restore = restoreInstance(target, two.database, two.settings, { ...everything, force: true });
    await expect(restore).rejects.toThrow(refusal);
    const files = ['config/security.ini', 'secret.key', 'media/in/a.txt', 'portico.db', 'portico.db.restoring'];
    expect(await Promise.all(files.map(two.text))).toEqual(['mine', 'my key', 'mine', undefined, undefined]);
    await untouched();
  });

  it('links that lead out, and another spelling of a root, are left out by name', async () => {
    const { two, untouched } = await spoiled(async (at, outside) => {
      await symlink(outside, join(at, 'media/0/away'));
      await symlink('../../outside', join(at, 'media/0/up'));
      await symlink('in', join(at, 'media/0/inside'));
      await symlink('inside/../../../outside', join(at, 'media/0/twice'));
      await symlink(outside, join(at, 'root/plugins/mine/away'));
      await put(at, { 'media/00/away/theirs': 'stolen', 'media/00/up/theirs': 'stolen', 'media/1/x': 'x' });
      await symlink(outside, join(at, 'media/2'));
    });
    const told = await restoreInstance(target, two.database, two.settings, { ...everything, force: true });
    expect(told).toEqual([
      'the database',
      'config/security.ini',
      'plugins (1 files)',
      'not plugins/mine/away: the link leads out of the backup',
      'secret.key',
      expect.stringMatching(/^(?:the media in|not the media in .*00: PORTICO_STORAGE_ROOTS has no place)/),
      expect.any(String),
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
    expect(told.join('\n')).toMatch(/not .*media\/0\/\w+ and 2 more: the link leads out of the storage/);
    for (const name of ['00', '1', '2'])
      expect(told).toContain(
        `not the media in ${join(target, 'media', name)}: PORTICO_STORAGE_ROOTS has no place for it`,
      );
    expect(await readlink(join(two.root, 'media/inside'))).toBe('in');
    for (const name of ['away', 'up', 'twice']) expect(existsSync(join(two.root, 'media', name))).toBe(false);
    await untouched();
  });

  it('a copy that others can read becomes a database and a key of the owner alone', async () => {
    const { two } = await spoiled((at) =>
      Promise.all(['portico.db', 'secret.key'].map((name) => chmod(join(at, name), 0o644))),
    );
    await restoreInstance(target, two.database, two.settings, { ...everything, force: true });
    const store = openStore(await openDatabase(`file:${two.database}`), storeSettings());
    const modes = ['portico.db', 'portico.db-wal', 'secret.key'].map(
      async (name) => (await stat(join(two.root, name))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o600]);
    await store.close();
  });

  it('what cannot be put in its place is found before anything is replaced', async () => {
    const { two } = await spoiled(async () => undefined);
    await put(two.root, { 'plugins/mine/index.js/deep': 'a folder' });
    const restore = restoreInstance(target, two.database, two.settings, { ...everything, force: true });
    await expect(restore).rejects.toThrow(/plugins\/mine\/index.js": a folder is there/);
    expect([existsSync(two.database), await two.text('config/security.ini')]).toEqual([false, 'mine']);
  });
});
