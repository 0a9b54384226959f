import { mkdir, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type Disk, disk } from '../../../src/entry/native/file-storage/disk.ts';
import { ownHolding } from '../../../src/entry/native/file-storage/held-folder.ts';
import { StorageFolder } from '../../../src/entry/native/file-storage/place-folder.ts';
import { bodyOf, type FileDriver, filePlaces, kindOf, listed, put, textOf } from '../../support/file-place.ts';
import { shareOfTries } from '../../support/long.ts';

const inside = 'inside';
const outside = 'not for you';

/** A place with `in/a.mov`, and beside it a folder with a file of the same name. */
async function world(disturbed: Partial<Disk> = {}) {
  const places = await filePlaces();
  const driver = await places.open('place', { disk: { ...disk, ...disturbed } });
  const [folder, other] = [join(places.root, 'place'), join(places.root, 'other')];
  for (const path of [join(folder, 'in'), other]) await mkdir(path);
  await writeFile(join(folder, 'in/a.mov'), inside);
  await writeFile(join(other, 'a.mov'), outside);
  return { places, driver, folder, other };
}

/** The folder `in` goes away, and a link to the other folder comes in its place. */
async function exchange({ folder, other }: { folder: string; other: string }) {
  await rename(join(folder, 'in'), join(folder, 'away'));
  await symlink(other, join(folder, 'in'));
}

/** In a thread of its own. The driver may have made a new folder of that name meanwhile, so most may fail. */
const attack = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const { parentPort, receiveMessageOnPort, workerData: { folder, other } } = require('node:worker_threads');
  const tried = (work) => { try { work(); } catch {} };
  parentPort.postMessage('begun');
  while (!receiveMessageOnPort(parentPort)) {
    tried(() => renameSync(folder + '/in', folder + '/away'));
    tried(() => symlinkSync(other, folder + '/in'));
    tried(() => rmSync(folder + '/in', { recursive: true, force: true }));
    tried(() => renameSync(folder + '/away', folder + '/in'));
  }
  parentPort.close();
`;

const touches = (driver: FileDriver, path: string): Readonly<Record<string, () => Promise<unknown>>> => ({
  stat: () => driver.stat(path),
  read: async () => textOf(driver, path),
  create: () => put(driver, path, 'x'),
  replace: () => put(driver, path, 'x', 'replace'),
  remove: () => driver.remove(path),
  ...('hash' in driver && { hash: () => hashOf(driver, path) }),
});

async function hashOf(driver: FileDriver, path: string) {
  const [answer] = await driver.hash([path], { algorithms: ['SHA-1'] });
  if (!answer || 'kind' in answer) throw answer;
  return answer.hashes['SHA-1'];
}

describe.each(['by descriptor', 'by path'] as const)('with folders held %s', (holding) => {
  it.skipIf(holding === 'by descriptor' && ownHolding !== holding)(
    'no symbolic link of a place is followed, wherever it leads',
    async () => {
      const { places, folder, other } = await world();
      const driver = await places.open('place', { holding });
      await symlink(other, join(folder, 'out'));
      await symlink('in', join(folder, 'same'));
      await symlink('nowhere', join(folder, 'dangling'));
      await symlink(join(other, 'a.mov'), join(folder, 'in/out.mov'));
      await symlink('a.mov', join(folder, 'in/same.mov'));
      for (const path of ['out/a.mov', 'out/new.mov', 'same/a.mov', 'in/out.mov', 'in/same.mov']) {
        for (const [name, touch] of Object.entries(touches(driver, path))) {
          // A link that has the name is in the way of a new file, and makes room for one that replaces.
          if (name === 'replace' && path.startsWith('in/')) continue;
          const kind = name === 'create' && path.startsWith('in/') ? 'exists' : 'bad-path';
          expect([name, path, await kindOf(touch())]).toEqual([name, path, kind]);
        }
      }
      expect(await kindOf(put(driver, 'dangling/a.mov', 'x'))).toBe('bad-path');
      await put(driver, 'in/out.mov', 'mine', 'replace');
      expect(await textOf(driver, 'in/out.mov')).toBe('mine');
      expect([await readdir(other), await readFile(join(other, 'a.mov'), 'utf8')]).toEqual([['a.mov'], outside]);
      expect((await listed(driver)).paths).toEqual(['in/a.mov', 'in/out.mov']);
      expect(places.openHandles()).toBe(0);
    },
  );

  it.skipIf(holding === 'by descriptor' && ownHolding !== holding)(
    'a link that comes between the look at a file and its first byte gives no byte of the other one',
    async () => {
      const { places, folder, other } = await world();
      const driver = await places.open('place', { holding });
      const { body } = await driver.read('in/a.mov');
      await exchange({ folder, other });
      expect(await kindOf(new Response(body).text())).toMatch(/bad-path|not-found|changed/);
      const again = await places.open('place', { holding });
      expect(await kindOf(again.read('in/a.mov'))).toBe('bad-path');
      await put(again, 'b.mov', inside);
      const { body: second } = await again.read('b.mov');
      await rm(join(folder, 'b.mov'));
      await symlink(join(other, 'a.mov'), join(folder, 'b.mov'));
      expect(await kindOf(new Response(second).text())).toMatch(/bad-path|TypeError/);
    },
  );
});

it.skipIf(ownHolding === 'by path')(
  'a link that comes between the check of a folder and its use changes nothing',
  async () => {
    for (const call of ['lstat', 'open', 'link', 'rename', 'unlink'] as const) {
      let strike: (() => Promise<void>) | undefined;
      const struck = async (...given: readonly unknown[]) => {
        // The folder is held by then.
        if (String(given.at(-1)).endsWith('/a.mov') || String(given[0]).endsWith('/a.mov')) {
          await strike?.();
          strike = undefined;
        }
        return (disk[call] as (...given: readonly unknown[]) => Promise<unknown>)(...given);
      };
      for (const touch of ['stat', 'read', 'create', 'replace', 'remove'] as const) {
        const { driver, folder, other, places } = await world({ [call]: struck });
        if (touch === 'create') await unlink(join(folder, 'in/a.mov'));
        strike = () => exchange({ folder, other });
        const outcome = await touches(driver, 'in/a.mov')[touch]!().catch((error) => error.kind);
        strike = undefined;
        expect([call, touch, outcome]).not.toEqual([call, touch, outside]);
        expect([await readdir(other), await readFile(join(other, 'a.mov'), 'utf8')]).toEqual([['a.mov'], outside]);
        expect(places.openHandles()).toBe(0);
      }
    }
  },
);

it.skipIf(ownHolding === 'by path')(
  'an attacker who exchanges a folder for a link as fast as the disk allows gets nothing read, written or removed',
  async () => {
    const { driver, folder, other } = await world();
    const attacker = new Worker(attack, { eval: true, workerData: { folder, other } });
    await new Promise((resolve) => attacker.once('message', resolve));
    const outcomes = new Set<string>();
    for (let round = 0; round < shareOfTries(5, 300); round++) {
      outcomes.add(await textOf(driver, 'in/a.mov').catch((error) => error.kind ?? String(error.cause?.kind)));
      outcomes.add(await kindOf(put(driver, `in/${round}.mov`, 'x')));
      await driver.remove(`in/${round}.mov`).catch(() => false);
      await driver.remove('in/b.mov').catch(() => false);
    }
    attacker.postMessage('end');
    await new Promise((resolve) => attacker.once('exit', resolve));
    expect([await readdir(other), await readFile(join(other, 'a.mov'), 'utf8')]).toEqual([['a.mov'], outside]);
    expect(outcomes.has(outside)).toBe(false);
    expect(await textOf(driver, 'in/a.mov')).toBe(inside);
  },
);

describe('the folder of a place', () => {
  it('may be reached by links as long as it lies below an allowed folder', async () => {
    const { places, folder, other } = await world();
    await symlink(folder, join(places.root, 'link'));
    const within = await places.open('link', { folder: join(places.root, 'link') });
    expect(await textOf(within, 'in/a.mov')).toBe(inside);
    // The operator lets it lead elsewhere, while the driver is open.
    await unlink(join(places.root, 'link'));
    await symlink(other, join(places.root, 'link'));
    expect(await textOf(within, 'a.mov')).toBe(outside);
  });

  it('is denied once a link leads out of the allowed folders', async () => {
    const { places, other } = await world();
    await mkdir(join(places.root, 'allowed'));
    await symlink(other, join(places.root, 'allowed/link'));
    const driver = await places.open('', {
      folder: join(places.root, 'allowed/link'),
      roots: { folders: [join(places.root, 'allowed')] },
    });
    for (const ask of [() => driver.check(), () => driver.list({ limit: 1 }), () => textOf(driver, 'a.mov')]) {
      expect(await kindOf(ask())).toBe('denied');
    }
    expect(await kindOf(driver.stage(bodyOf('x')))).toBe('denied');
    expect(await readdir(other)).toEqual(['a.mov']);
  });
});

describe.skipIf(ownHolding !== 'by descriptor')('a folder that others have open', () => {
  /** A look at `in/a.mov` that stays in the folder until it is let go of, and how often folders were opened. */
  async function held() {
    let opened = 0;
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    let waits = true;
    const there = await world({
      open: (...given) => {
        if (String(given[0]).endsWith('/in')) opened++;
        return disk.open(...given);
      },
      lstat: (async (...given: Parameters<Disk['lstat']>) => {
        if (waits) {
          waits = false;
          await gate;
        }
        return disk.lstat(...given);
      }) as Disk['lstat'],
    });
    const first = there.driver.stat('in/a.mov');
    while (waits) await new Promise((resolve) => setImmediate(resolve));
    return { ...there, first, go, opened: () => opened };
  }

  it('is not opened again, and is closed behind the last one', async () => {
    const { driver, first, go, opened } = await held();
    for (let count = 0; count < 3; count++) expect((await driver.stat('in/a.mov'))?.size).toBe(inside.length);
    expect(opened()).toBe(1);
    go();
    expect((await first)?.size).toBe(inside.length);
    await driver.stat('in/a.mov');
    expect(opened()).toBe(2);
  });

  it('is opened again once many have had it, as another one may be mounted there', async () => {
    const { driver, first, go, opened } = await held();
    for (let count = 0; count < 40; count++) await driver.stat('in/a.mov');
    expect(opened()).toBeGreaterThan(1);
    go();
    await first;
  });

  it('is none for those who come after a link has its name', async () => {
    const { driver, first, go, folder, other } = await held();
    await exchange({ folder, other });
    expect(await kindOf(driver.stat('in/a.mov'))).toBe('bad-path');
    go();
    // The first call was in the folder before the exchange.
    expect((await first)?.size).toBe(inside.length);
  });

  it.each(['moved', 'removed'])('and that is %s meanwhile gives way to the new one', async (how) => {
    const { driver, first, go, folder } = await held();
    if (how === 'moved') await rename(join(folder, 'in'), join(folder, 'away'));
    else await rm(join(folder, 'in'), { recursive: true });
    expect(await driver.stat('in/a.mov')).toBeUndefined();
    await mkdir(join(folder, 'in'));
    await writeFile(join(folder, 'in/a.mov'), 'a new one');
    expect((await driver.stat('in/a.mov'))?.size).toBe('a new one'.length);
    go();
    await first;
  });

  it('and that somebody looked for before it was made is there for who made it', async () => {
    const places = await filePlaces();
    const folder = join(places.root, 'place');
    await mkdir(folder, { recursive: true });
    let looks = 0;
    const slowly: Partial<Disk> = {
      async open(path, flags) {
        const isLate = String(path).endsWith('/new') && ++looks === 2;
        return disk.open(path, flags).catch(async (error: unknown) => {
          if (isLate) await pause(150);
          throw error;
        });
      },
      mkdir: (async (path: string) => {
        await pause(60);
        await disk.mkdir(path);
      }) as Disk['mkdir'],
    };
    const roots = { folders: [folder] };
    const place = new StorageFolder({ disk: { ...disk, ...slowly }, folder, roots, holding: ownHolding });
    const making = place.hold(['new'], { make: true });
    await pause(30);
    await expect(place.hold(['new'])).rejects.toMatchObject({ code: 'ENOENT' });
    await (await making).close();
  });
});

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
