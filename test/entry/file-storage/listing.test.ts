import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FolderThreads } from '../../../src/entry/native/file-storage/folder-threads.ts';
import { ownHolding } from '../../../src/entry/native/file-storage/held-folder.ts';
import { listingOf } from '../../../src/entry/native/file-storage/stored-files.ts';
import { FolderWalk, type WalkSystem, walkSystem } from '../../../src/entry/native/file-storage/walk.ts';
import { filePlaces, kindOf, listed, put } from '../../support/file-place.ts';

const run = promisify(execFile);

const failing = (code: string) => {
  throw Object.assign(new Error(code), { code });
};

/** A folder with these files, each with its path as bytes. */
async function filled(paths: readonly string[]) {
  const places = await filePlaces();
  const driver = await places.open();
  const folder = join(places.root, 'place');
  for (const path of paths) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), path);
  }
  return { places, driver, folder };
}

describe('a listing of the file driver', () => {
  it('follows the bytes of whole paths, not the names of one folder after the other', async () => {
    // "-" and "." stand before "/", and "0" behind it.
    const plain = ['a-b/x', 'a.mov', 'a/b/c', 'a/x', 'a0'];
    for (const paths of [plain, [...plain, '\ufffd.mov', '\u{1f600}.mov', '\u{1f600}/x']]) {
      const { driver, folder } = await filled(paths);
      expect(listingOf(new FolderWalk(folder, ownHolding).page(100)).files.map(({ path }) => path)).toEqual(paths);
      expect((await listed(driver)).paths).toEqual(paths);
      expect((await listed(driver, 1)).paths).toEqual(paths);
    }
  });

  it('never shows what the driver keeps for itself, at any depth and in any case', async () => {
    const { driver, folder } = await filled([
      '.portico/tmp/x',
      'in/.portico/id',
      'in/.PORTICO/id',
      'in/a.mov',
      '.hidden',
    ]);
    await driver.check();
    expect((await listed(driver)).paths).toEqual(['.hidden', 'in/a.mov']);
    expect(await readdir(join(folder, '.portico'))).toEqual(['id', 'tmp']);
    for (const path of ['.portico/id', 'in/.Portico/id', '.portico']) {
      expect([path, await kindOf(driver.stat(path))]).toEqual([path, 'bad-path']);
    }
  });

  it('reports what can be no file of a storage, and goes on', async () => {
    const { driver, folder, places } = await filled(['a.mov', 'z.mov']);
    await writeFile(join(places.root, 'outside.mov'), 'outside');
    await symlink(join(places.root, 'outside.mov'), join(folder, 'b link out'));
    await symlink('a.mov', join(folder, 'c link inside'));
    await symlink('.', join(folder, 'd loop'));
    await run('mkfifo', [join(folder, 'e pipe')]);
    const server = createServer().listen(join(folder, 'f socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const names = ['b link out', 'c link inside', 'd loop', 'e pipe', 'f socket'];
    if (process.platform === 'linux') {
      fs.writeFileSync(Buffer.concat([Buffer.from(join(folder, 'g')), Buffer.of(0xff)]), 'x');
      fs.mkdirSync(Buffer.concat([Buffer.from(join(folder, 'h')), Buffer.of(0xff)]));
      names.push('g\ufffd', 'h\ufffd/');
    }
    for (const limit of [1000, 1]) {
      const { paths, skipped } = await listed(driver, limit);
      expect(paths).toEqual(['a.mov', 'z.mov']);
      expect(skipped.map(({ path }) => path)).toEqual(names);
    }
    const { skipped } = await listed(driver);
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
      new Set(['A symbolic link, which is not followed', 'A pipe', 'A socket', 'The name is not UTF-8']),
    );
  });

  it('says which folder it cannot read, because nobody can tell what is below it', async () => {
    const { folder } = await filled(['a.mov', 'in/b.mov', 'lost+found/c.mov', 'z.mov']);
    const asked: WalkSystem = {
      ...walkSystem,
      open: (path, flags) => (path.includes('lost+found') ? failing('EACCES') : walkSystem.open(path, flags)),
    };
    const pages = (limit: number) => {
      const found: string[] = [];
      let after: string | undefined = '';
      while (after !== undefined) {
        // Again each time, as after a restart.
        const page = listingOf(new FolderWalk(folder, 'by descriptor', after, asked).page(limit));
        found.push(...page.files.map(({ path }) => path), ...(page.skipped ?? []).map(({ path }) => `! ${path}`));
        after = page.next;
      }
      return found.sort();
    };
    for (const limit of [100, 1]) expect(pages(limit)).toEqual(['! lost+found/', 'a.mov', 'in/b.mov', 'z.mov']);
  });

  it('fails as a whole where the disk fails, so that nothing passes for missing', async () => {
    const { folder } = await filled(['a/1.mov', 'b/2.mov']);
    for (const code of ['EIO', 'ESTALE']) {
      const asked: WalkSystem = {
        ...walkSystem,
        look: (path) => (path.includes('2.mov') ? failing(code) : walkSystem.look(path)),
      };
      expect(() => new FolderWalk(folder, 'by path', '', asked).page(10)).toThrow(code);
    }
  });

  it('reads a folder once for all pages of it', async () => {
    const { folder } = await filled(Array.from({ length: 50 }, (_, index) => `in/${index + 100}.mov`));
    let reads = 0;
    const asked: WalkSystem = {
      ...walkSystem,
      names(path) {
        reads++;
        return walkSystem.names(path);
      },
    };
    const walk = new FolderWalk(folder, ownHolding, '', asked);
    let pages = 0;
    while (walk.page(5).next !== undefined) pages++;
    expect([pages, reads]).toEqual([10, 2]);
  });

  it.skipIf(ownHolding === 'by path')('does not go through a link that takes the place of a folder', async () => {
    const { places, folder } = await filled(['a/1.mov', 'a/2.mov', 'b.mov']);
    await mkdir(join(places.root, 'outside'));
    await writeFile(join(places.root, 'outside', '2.mov'), 'not for you');
    const walk = new FolderWalk(folder, ownHolding);
    expect(listingOf(walk.page(1)).files.map(({ path }) => path)).toEqual(['a/1.mov']);
    await rename(join(folder, 'a'), join(folder, 'away'));
    await symlink(join(places.root, 'outside'), join(folder, 'a'));
    expect(listingOf(walk.page(10)).files.map(({ path }) => path)).toEqual(['b.mov']);
  });

  it('is offline, and no empty page, when the place goes or another one comes', async () => {
    const { driver, folder, places } = await filled(['a.mov', 'b.mov']);
    await driver.check();
    const { next } = await driver.list({ limit: 1 });
    await rename(folder, join(places.root, 'away'));
    expect(await kindOf(driver.list({ limit: 1, after: next! }))).toBe('offline');
    // As an empty mount point.
    await mkdir(folder);
    for (const ask of [
      () => driver.list({ limit: 1 }),
      () => driver.stat('a.mov'),
      () => driver.read('a.mov'),
      () => driver.remove('a.mov'),
      () => put(driver, 'c.mov', 'c'),
    ]) {
      expect(await kindOf(ask())).toBe('offline');
    }
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(join(places.root, 'away'), folder);
    expect((await listed(driver)).paths).toEqual(['a.mov', 'b.mov']);
  });

  it('ends with its signal, and goes on after its thread has ended', async () => {
    const { folder } = await filled(['a.mov']);
    const thread = new FolderThreads();
    const question = { root: folder, holding: ownHolding, after: '', limit: 10 };
    const abort = new AbortController();
    const waiting = thread.page(question, abort.signal);
    abort.abort();
    expect(await kindOf(waiting)).toBe('aborted');
    expect(await kindOf(thread.page(question, abort.signal))).toBe('aborted');
    expect((await thread.page(question)).files.length).toBe(1);
    const last = thread.page(question);
    await thread.close();
    expect((await last).files.length).toBe(1);
    expect(await kindOf(thread.page(question))).toBe('aborted');
  });
});
