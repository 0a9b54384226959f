import type { FileHandle } from 'node:fs/promises';
import { open, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Disk, disk } from '../../../src/entry/native/file-storage/disk.ts';
import { filePlaces, kindOf, put } from '../../support/file-place.ts';

const piece = 256 * 1024;

/** Bytes in which no two pieces are the same. */
const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + Math.floor(at / piece) * 7) & 255);

/** A file of so many bytes. `reading` stands in front of each read of it, and is told which one it is. */
async function world(length: number, reading: (read: number) => Promise<void> | void = () => undefined) {
  const places = await filePlaces();
  const calls: string[] = [];
  let reads = 0;
  let looks = 0;
  const watched: Partial<Disk> = {
    open: async (...given) => {
      const handle = await disk.open(...given);
      const read = handle.read.bind(handle) as FileHandle['read'];
      const stat = handle.stat.bind(handle) as FileHandle['stat'];
      const close = handle.close.bind(handle);
      return Object.assign(handle, {
        read: (async (...asked: Parameters<FileHandle['read']>) => {
          const number = ++reads;
          calls.push(`read ${number}`);
          await reading(number);
          return await read(...asked).finally(() => calls.push(`has read ${number}`));
        }) as never,
        stat: (() => stat().finally(() => void looks++)) as never,
        close: () => {
          if (reads > 0) calls.push('close');
          return close();
        },
      });
    },
  };
  const driver = await places.open('place', { disk: { ...disk, ...watched } });
  const bytes = bytesOf(length);
  await put(driver, 'a.mov', bytes);
  return { places, driver, bytes, calls, looks: () => looks, path: join(places.root, 'place/a.mov') };
}

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** As long as what has begun needs to come as far as it can. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const failure = () => Object.assign(new Error('EIO: /srv/secret/path'), { code: 'EIO' });

/** Collects the rejections that nobody handles. */
function unhandled(): readonly unknown[] {
  const seen: unknown[] = [];
  const note = (reason: unknown) => void seen.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  return seen;
}

describe('a reader of a file', () => {
  it('has one piece read ahead, and no more, however long it takes', async () => {
    const { places, driver, bytes, calls } = await world(4 * piece);
    const { body } = await driver.read('a.mov');
    await settled();
    expect([calls, places.openHandles()]).toEqual([[], 0]);
    const reader = body.getReader();
    const first = await reader.read();
    await settled();
    expect([first.value!.byteLength, calls.filter((call) => call.startsWith('read'))]).toEqual([
      piece,
      ['read 1', 'read 2'],
    ]);
    const second = await reader.read();
    await settled();
    expect(calls.filter((call) => call.startsWith('read'))).toEqual(['read 1', 'read 2', 'read 3']);
    expect(Buffer.concat([first.value!, second.value!]).equals(bytes.subarray(0, 2 * piece))).toBe(true);
    await reader.cancel();
    expect(places.openHandles()).toBe(0);
  });

  it.each([
    ['of which the last piece is short', 2 * piece + 1, { from: 0, end: 2 * piece + 1 }],
    ['of which the last piece is whole', 3 * piece, { from: 0, end: 3 * piece }],
    ['that fits into one', 7, { from: 0, end: 7 }],
    ['that begins and ends within pieces', 4 * piece, { from: piece - 3, end: 3 * piece + 5 }],
    ['of one byte', 4 * piece, { from: 2 * piece, end: 2 * piece + 1 }],
    ['of none', 4 * piece, { from: 9, end: 9 }],
  ])('gets the bytes of a range %s, and reads none behind it', async (_, length, range) => {
    const { places, driver, bytes, calls } = await world(length);
    const { body } = await driver.read('a.mov', { range });
    const got = new Uint8Array(await new Response(body).arrayBuffer());
    expect(Buffer.from(got).equals(bytes.subarray(range.from, range.end))).toBe(true);
    const reads = calls.filter((call) => call.startsWith('read'));
    expect([reads.length, places.openHandles()]).toEqual([Math.ceil((range.end - range.from) / piece), 0]);
  });

  it('gets all bytes also where the system gives fewer than were asked for', async () => {
    const places = await filePlaces();
    const short: Disk = {
      ...disk,
      open: async (...given) => {
        const handle = await disk.open(...given);
        const read = handle.read.bind(handle) as (...asked: unknown[]) => never;
        return Object.assign(handle, {
          read: ((into: Buffer, at: number, max: number, from: number) =>
            read(into, at, Math.min(max, 100_000), from)) as never,
        });
      },
    };
    const driver = await places.open('place', { disk: short });
    const bytes = bytesOf(2 * piece + 77);
    await put(driver, 'a.mov', bytes);
    const got = await new Response((await driver.read('a.mov')).body).arrayBuffer();
    expect(Buffer.from(got).equals(bytes)).toBe(true);
  });

  it.each(['leaves', 'is called off', 'leaves when it was called off'])(
    'who %s waits for the piece ahead before the file closes',
    async (how) => {
      const ahead = gate();
      const { places, driver, calls } = await world(4 * piece, (read) => (read === 2 ? ahead.opened : undefined));
      const abort = new AbortController();
      const reader = (await driver.read('a.mov', { signal: abort.signal })).body.getReader();
      await reader.read();
      if (how !== 'leaves') abort.abort();
      let left = false;
      const leaving = how === 'is called off' ? undefined : reader.cancel().catch(() => undefined);
      void leaving?.then(() => {
        left = true;
      });
      await settled();
      // A read that was called off is an error for its reader at once.
      expect(left).toBe(how === 'leaves when it was called off');
      expect([calls, places.openHandles()]).toEqual([['read 1', 'has read 1', 'read 2'], 1]);
      ahead.open();
      await expect.poll(() => places.openHandles()).toBe(0);
      expect(calls).toEqual(['read 1', 'has read 1', 'read 2', 'has read 2', 'close']);
      await leaving;
    },
  );

  it('who leaves 60 times while a piece is read ahead leaves no descriptor behind', async () => {
    const { places, driver } = await world(3 * piece);
    const readers = await Promise.all(
      Array.from({ length: 60 }, async () => (await driver.read('a.mov')).body.getReader()),
    );
    await Promise.all(
      readers.map(async (reader, number) => {
        await reader.read();
        // Some go while the next pull waits for the piece ahead.
        const next = number % 2 === 0 ? reader.read().catch(() => undefined) : undefined;
        await reader.cancel();
        await next;
      }),
    );
    expect(places.openHandles()).toBe(0);
  });

  it('is told of a piece that cannot be read with that piece, and not before', async () => {
    const seen = unhandled();
    const { places, driver, bytes } = await world(4 * piece, (read) => {
      if (read === 3) throw failure();
    });
    const reader = (await driver.read('a.mov')).body.getReader();
    const got = [(await reader.read()).value!, (await reader.read()).value!];
    await settled();
    expect(Buffer.concat(got).equals(bytes.subarray(0, 2 * piece))).toBe(true);
    expect(await kindOf(reader.read())).toBe('offline');
    await settled();
    expect([seen, places.openHandles()]).toEqual([[], 0]);
  });

  it('who leaves is not told of the piece ahead, and neither is anybody else', async () => {
    const seen = unhandled();
    const failing = (read: number) => {
      if (read === 2) throw failure();
    };
    const { places, driver } = await world(4 * piece, failing);
    const reader = (await driver.read('a.mov')).body.getReader();
    await reader.read();
    await settled();
    expect(await kindOf(reader.cancel())).toBe('no error');
    await settled();
    expect([seen, places.openHandles()]).toEqual([[], 0]);
  });

  it('gets one version where the file changes between two pieces, or "changed"', async () => {
    const { places, driver, bytes, looks, path } = await world(3 * piece);
    const cases = [
      ['changed', () => writeFile(path, bytesOf(3 * piece).fill(1))],
      ['changed', async () => await open(path, 'r+').then((file) => file.truncate(piece).finally(() => file.close()))],
    ] as const;
    for (const [kind, change] of cases) {
      await writeFile(path, bytes);
      const reader = (await driver.read('a.mov')).body.getReader();
      await reader.read();
      await settled();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await change();
      const rest = async () => {
        while (!(await reader.read()).done);
      };
      expect([await kindOf(rest()), places.openHandles()]).toEqual([kind, 0]);
    }
    // All is read already: what comes later is another version, and this one is whole.
    await writeFile(path, bytes.subarray(0, 2 * piece));
    const reader = (await driver.read('a.mov')).body.getReader();
    const before = looks();
    const first = (await reader.read()).value!;
    await expect.poll(() => looks() - before).toBe(2);
    await writeFile(`${path}.new`, 'other');
    await rename(`${path}.new`, path);
    const last = (await reader.read()).value!;
    expect(Buffer.concat([first, last]).equals(bytes.subarray(0, 2 * piece))).toBe(true);
    expect([(await reader.read()).done, places.openHandles()]).toEqual([true, 0]);
  });

  it('may keep its pieces: no other reader gets their memory', async () => {
    const { driver, bytes } = await world(3 * piece);
    const kept: Uint8Array[] = [];
    for (let round = 0; round < 3; round++) {
      for await (const each of (await driver.read('a.mov')).body) kept.push(each);
    }
    expect(new Set(kept.map(({ buffer }) => buffer)).size).toBe(9);
    expect(Buffer.concat(kept).equals(Buffer.concat([bytes, bytes, bytes]))).toBe(true);
  });
});

describe('a short range', () => {
  const range = { from: 10, end: 1_010 };

  it('is read at once, the file is looked at behind the read, and stays open for a moment', async () => {
    const { places, driver, bytes, calls, looks } = await world(5_000);
    const { version } = (await driver.stat('a.mov'))!;
    const before = looks();
    for (let count = 0; count < 2; count++)
      expect(await driver.readPiece('a.mov', { range, version })).toEqual(Buffer.from(bytes.subarray(10, 1_010)));
    const reads = ['read 1', 'has read 1', 'read 2', 'has read 2'];
    expect([calls, looks() - before]).toEqual([reads, 2]);
    await expect.poll(() => places.openHandles(), { timeout: 10_000 }).toBe(0);
    expect(calls).toEqual([...reads, 'close']);
  });

  it('of a file that was open a moment ago is of the one that has the name now', async () => {
    const { places, driver, path } = await world(5_000);
    const { version } = (await driver.stat('a.mov'))!;
    const readAs = (version: string) => driver.readPiece('a.mov', { range, version });
    await readAs(version);
    const readBehind = async (change: () => Promise<unknown>) => {
      await change();
      return kindOf(readAs(version));
    };
    expect(await readBehind(() => put(driver, 'a.mov', 'x'.repeat(5_000), 'replace'))).toBe('changed');
    const { version: second } = (await driver.stat('a.mov'))!;
    expect(Buffer.from(await readAs(second)).toString()).toBe('x'.repeat(1_000));
    expect(await readBehind(() => unlink(path))).toBe('not-found');
    // Forty files, and no more of them stay open than have to.
    await Promise.all(Array.from({ length: 40 }, (_, number) => put(driver, `${number}`, 'x'.repeat(5_000))));
    for (let number = 0; number < 40; number++) {
      const { version } = (await driver.stat(`${number}`))!;
      await driver.readPiece(`${number}`, { range, version });
    }
    expect(places.openHandles()).toBeLessThanOrEqual(32);
    await driver.close();
    expect(places.openHandles()).toBe(0);
  });

  it('of a file that is written meanwhile is refused, and leaves no file open', async () => {
    const written = { path: '' };
    const { driver, calls, path } = await world(5_000, () => writeFile(written.path, 'young'.repeat(1_000)));
    written.path = path;
    const { version } = (await driver.stat('a.mov'))!;
    expect(await kindOf(driver.readPiece('a.mov', { range, version }))).toBe('changed');
    expect(calls.at(-1)).toBe('close');
  });

  it('that ends behind the file is refused as changed: the row knew another one', async () => {
    const { driver, calls } = await world(5_000);
    const { version } = (await driver.stat('a.mov'))!;
    const behind = { from: 4_990, end: 5_010 };
    expect(await kindOf(driver.readPiece('a.mov', { range: behind, version }))).toBe('changed');
    expect(calls.at(-1)).toBe('close');
  });
});
