import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disk, disk } from '../../../src/entry/native/file-storage/disk.ts';
import { bodyOf, type FileDriver, filePlaces, kindOf, put, textOf } from '../../support/file-place.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: /srv/secret/path`), { code });
const fails = (code: string) => async (): Promise<never> => {
  throw failure(code);
};

async function world(disturbed: Partial<Disk> = {}) {
  const places = await filePlaces();
  const folder = join(places.root, 'place');
  return {
    places,
    folder,
    driver: await places.open('place', { disk: { ...disk, ...disturbed } }),
    /** As after a restart. */
    again: () => places.open('place'),
    waiting: () => readdir(join(folder, '.portico/tmp')),
  };
}

const stagedIn = async (driver: FileDriver, text: string) => (await driver.stage(bodyOf(text))).token;

/** The process ends at this call: nothing that comes behind it happens. */
const killedAt = (call: 'link' | 'rename' | 'unlink', when: 'before' | 'after') => {
  let dead = false;
  const end = () => {
    dead = true;
    throw new Error('killed');
  };
  const names = ['link', 'rename', 'unlink', 'lstat', 'open'] as const;
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (...given: never[]) => {
        if (dead || (name === call && when === 'before')) end();
        const done = await (disk[name] as (...given: never[]) => Promise<unknown>)(...given);
        return name === call ? end() : done;
      },
    ]),
  ) as Partial<Disk>;
};

describe('a crash while a file gets its path', () => {
  it.each([
    ['create', 'link', 'before', 'nothing'],
    ['create', 'link', 'after', 'new'],
    ['create', 'unlink', 'before', 'new'],
    ['create', 'unlink', 'after', 'new'],
    ['replace', 'rename', 'before', 'old'],
    ['replace', 'rename', 'after', 'new'],
    ['replace', 'unlink', 'before', 'new'],
  ] as const)('%s, killed at %s (%s it): %s is there, and asked again it ends', async (mode, call, when, there) => {
    const { places, driver, again, waiting } = await world();
    if (mode === 'replace') await put(driver, 'in/a.mov', 'old');
    const token = await stagedIn(driver, 'new');
    const dying = await places.open('place', { disk: { ...disk, ...killedAt(call, when) } });
    expect(await kindOf(dying.publish(token, 'in/a.mov', mode))).toMatch(/killed/);
    const later = await again();
    expect(await textOf(later, 'in/a.mov').catch(() => 'nothing')).toBe(there);
    const file = await later.publish(token, 'in/a.mov', mode);
    expect([file.size, await textOf(later, 'in/a.mov'), await waiting()]).toEqual([3, 'new', []]);
    expect(await later.publish(token, 'in/a.mov', mode)).toEqual(file);
  });

  it('what was created may be replaced by the same token: two names of one file are no reason to keep the second', async () => {
    const { places, driver, again, waiting } = await world();
    const token = await stagedIn(driver, 'new');
    const dying = await places.open('place', { disk: { ...disk, ...killedAt('link', 'after') } });
    await dying.publish(token, 'a.mov', 'create').catch(() => undefined);
    expect((await (await again()).publish(token, 'a.mov', 'replace')).size).toBe(3);
    expect(await waiting()).toEqual([]);
  });

  it('a file of somebody else is not taken for ours when the staged bytes are gone', async () => {
    const { driver, folder, again } = await world();
    const token = await stagedIn(driver, 'new');
    const [name] = token.split('-');
    // A second name keeps the number of the file in use: the next file must get another one.
    await link(join(folder, '.portico/tmp', name!), join(folder, 'b.mov'));
    await driver.discard(token);
    await writeFile(join(folder, 'a.mov'), 'theirs');
    expect(await kindOf((await again()).publish(token, 'a.mov', 'create'))).toBe('not-found');
    expect(await readFile(join(folder, 'a.mov'), 'utf8')).toBe('theirs');
  });
});

describe('a file gets its path', () => {
  it('across file systems (EXDEV) it does not: a sentence says so, and the bytes wait', async () => {
    for (const mode of ['create', 'replace'] as const) {
      const { driver, again } = await world({ link: fails('EXDEV'), rename: fails('EXDEV') });
      const token = await stagedIn(driver, 'new');
      await expect(driver.publish(token, 'disk2/a.mov', mode)).rejects.toMatchObject({
        kind: 'bad-path',
        message: expect.stringMatching(/another file system than its storage/),
      });
      expect((await (await again()).publish(token, 'a.mov', mode)).size).toBe(3);
    }
  });

  it.each(['EPERM', 'EOPNOTSUPP', 'ENOTSUP'])(
    'without hard links (%s), still never over another file',
    async (code) => {
      const { places, driver, waiting } = await world({ link: fails(code) });
      await put(driver, 'in/a.mov', 'old');
      const token = await stagedIn(driver, 'new');
      expect(await kindOf(driver.publish(token, 'in/a.mov', 'create'))).toBe('exists');
      expect(await textOf(driver, 'in/a.mov')).toBe('old');
      const other = await places.open('place', { disk: { ...disk, link: fails(code) } });
      for (let round = 0; round < 10; round++) {
        const [one, two] = [await stagedIn(driver, 'one'), await stagedIn(other, 'two')];
        const kinds = await Promise.all([
          kindOf(driver.publish(one, `${round}.mov`, 'create')),
          kindOf(other.publish(two, `${round}.mov`, 'create')),
        ]);
        expect([...kinds].sort()).toEqual(['exists', 'no error']);
        expect(await textOf(driver, `${round}.mov`)).toBe(kinds[0] === 'no error' ? 'one' : 'two');
      }
      expect((await waiting()).length).toBe(11);
    },
  );

  it('without hard links, a rename that fails leaves no empty file', async () => {
    const { driver, folder } = await world({ link: fails('EPERM'), rename: fails('EIO') });
    const token = await stagedIn(driver, 'new');
    expect(await kindOf(driver.publish(token, 'a.mov', 'create'))).toBe('offline');
    expect(await readdir(folder)).toEqual(['.portico']);
  });

  it('where a folder has the name, or a file is on the way, no file can be', async () => {
    const { driver } = await world();
    await put(driver, 'in/a.mov', 'a');
    for (const [path, kind] of [
      ['in', 'bad-path'],
      ['in/a.mov/b.mov', 'bad-path'],
      [`in/${'x'.repeat(256)}`, 'bad-path'],
    ] as const) {
      for (const mode of ['create', 'replace'] as const) {
        expect([path, mode, await kindOf(put(driver, path, 'x', mode))]).toEqual([path, mode, kind]);
      }
    }
    expect([await driver.stat('in'), await driver.stat('in/a.mov/b.mov')]).toEqual([undefined, undefined]);
    expect([await driver.remove('in'), await driver.remove('in/a.mov/b.mov')]).toEqual([false, false]);
    expect(await textOf(driver, 'in/a.mov')).toBe('a');
  });

  it('a folder stays when its last file goes', async () => {
    const { driver, folder } = await world();
    await put(driver, 'in/deep/a.mov', 'a');
    expect(await driver.remove('in/deep/a.mov')).toBe(true);
    expect(await readdir(join(folder, 'in'))).toEqual(['deep']);
  });
});

describe('the version of a file', () => {
  it('is another one when a file comes with the number, the size and the time of the one before', async () => {
    const { driver, folder } = await world();
    const seen = new Set<string>();
    let [rounds, reused] = [0, 0];
    let last = 0;
    for (; rounds < 20; rounds++) {
      await rm(join(folder, 'a.mov'), { force: true });
      await writeFile(join(folder, 'a.mov'), String(100 + rounds));
      await utimes(join(folder, 'a.mov'), 1000, 1000);
      const { ino, birthtimeMs } = await stat(join(folder, 'a.mov'));
      if (ino === last) reused++;
      last = ino;
      const { version, modified } = (await driver.stat('a.mov'))!;
      expect(modified).toBe(1_000_000_000);
      // Born in the same millisecond: nothing tells these apart.
      if (birthtimeMs === 0) continue;
      seen.add(version);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    if (seen.size > 0) expect([seen.size, reused]).toEqual([20, reused]);
  });

  it('stays over a rename as far as the identity goes, and over a link that a backup makes', async () => {
    const { driver, folder } = await world();
    const first = await put(driver, 'a.mov', 'a');
    await mkdir(join(folder, 'in'));
    await rename(join(folder, 'a.mov'), join(folder, 'in/b.mov'));
    await link(join(folder, 'in/b.mov'), join(folder, 'backup.mov'));
    const second = (await driver.stat('in/b.mov'))!;
    expect([second.identity, second.version]).toEqual([first.identity, first.version]);
    await copyFile(join(folder, 'in/b.mov'), join(folder, 'c.mov'));
    expect((await driver.stat('c.mov'))!.identity).not.toBe(first.identity);
  });
});
