import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ownHolding } from '../../../src/entry/native/file-storage/held-folder.ts';
import type { HashAlgorithm } from '../../../src/spi/index.ts';
import { filePlaces, kindOf } from '../../support/file-place.ts';

const algorithms: readonly HashAlgorithm[] = ['SHA-1', 'SHA-256'];
const hex = (algorithm: string, bytes: string) => createHash(algorithm).update(bytes).digest('hex');

async function world(contents: Readonly<Record<string, string>>) {
  const places = await filePlaces();
  const driver = await places.open();
  const folder = join(places.root, 'place');
  for (const [path, bytes] of Object.entries(contents)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return { driver, folder };
}

describe.skipIf(ownHolding === 'by path')('hashes of files', () => {
  it('are in the order of the paths, each with the facts about its file', async () => {
    const contents = { 'b/2': 'two', empty: '', 'a/1': 'x'.repeat(3 * 1024 * 1024 + 1), 'b/1': 'one', 'ä/ö': 'umlaut' };
    const { driver } = await world(contents);
    const answers = await driver.hash(Object.keys(contents), { algorithms });
    expect(answers).toEqual(
      await Promise.all(
        Object.entries(contents).map(async ([path, bytes]) => ({
          file: await driver.stat(path),
          hashes: { 'SHA-1': hex('sha1', bytes), 'SHA-256': hex('sha256', bytes) },
        })),
      ),
    );
  });

  it('of files that are none, or that lie elsewhere, are errors, and the others are there', async () => {
    const { driver, folder } = await world({ 'in/a': 'a', 'in/z': 'z', secret: 'secret' });
    await symlink('../secret', join(folder, 'in/link'));
    await symlink('in', join(folder, 'other'));
    const paths = [
      'in/a',
      'gone',
      'gone/a',
      'in',
      'in/link',
      'other/a',
      '../place/secret',
      'in//a',
      '.portico/id',
      'in/z',
    ];
    const answers = await driver.hash(paths, { algorithms });
    expect(answers.map((answer) => ('kind' in answer ? answer.kind : answer.hashes['SHA-1']))).toEqual([
      hex('sha1', 'a'),
      ...['not-found', 'not-found', 'bad-path', 'bad-path', 'bad-path', 'bad-path', 'bad-path', 'bad-path'],
      hex('sha1', 'z'),
    ]);
  });

  it('of a storage that went away are none', async () => {
    const { driver, folder } = await world({ a: 'a' });
    await driver.check();
    await rm(folder, { recursive: true });
    expect(await kindOf(driver.hash(['a'], { algorithms }))).toBe('offline');
  });

  it('of bytes that change while they are read are none', async () => {
    const { driver, folder } = await world({ small: 'a', large: '' });
    await truncate(join(folder, 'large'), 64 * 1024 ** 2);
    let isHashing = true;
    const writing = (async () => {
      for (let second = 0; isHashing; second++) {
        await utimes(join(folder, 'large'), second, second);
        await setImmediate();
      }
    })();
    const answers = await driver.hash(['large', 'small'], { algorithms });
    isHashing = false;
    await writing;
    expect(answers).toMatchObject([{ kind: 'changed' }, { hashes: { 'SHA-1': hex('sha1', 'a') } }]);
  });

  it('end with their signal within a file, and leave nothing open', async () => {
    const { driver, folder } = await world({ small: 'a', large: '' });
    await truncate(join(folder, 'large'), 50 * 1024 ** 3);
    const open = async () => (await readdir('/proc/self/fd')).length;
    await driver.hash(['small'], { algorithms });
    const before = await open();
    const abort = new AbortController();
    const hashing = driver.hash(['large', 'large', 'large'], { algorithms, signal: abort.signal });
    setTimeout(() => abort.abort(), 20);
    expect(await kindOf(hashing)).toBe('aborted');
    expect(await driver.hash(['small'], { algorithms })).toMatchObject([{ hashes: { 'SHA-1': hex('sha1', 'a') } }]);
    expect(await open()).toBe(before);
  });
});
