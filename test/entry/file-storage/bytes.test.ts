import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disk, disk } from '../../../src/entry/native/file-storage/disk.ts';
import { FileWriter } from '../../../src/entry/native/file-storage/file-writer.ts';
import { bodyOf, filePlaces, kindOf, put, textOf } from '../../support/file-place.ts';

const mebibyte = 1024 * 1024;
const failure = (code: string) => Object.assign(new Error(`${code}: /srv/secret/path`), { code });

/** Files whose calls go otherwise. */
const handles = (change: (handle: FileHandle) => Partial<FileHandle>): Disk => ({
  ...disk,
  open: async (...given) => {
    const handle = await disk.open(...given);
    return Object.assign(handle, change(handle));
  },
});

async function world(disturbed: Partial<Disk> = {}, more: object = {}) {
  const places = await filePlaces();
  const driver = await places.open('place', { disk: { ...disk, ...disturbed }, ...more });
  const folder = join(places.root, 'place');
  return { places, driver, folder, waiting: () => readdir(join(folder, '.portico/tmp')) };
}

/** Stream of that many mebibytes, in equal pieces of one mebibyte. */
function largeBody(mebibytes: number): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(mebibyte);
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => (sent++ < mebibytes ? controller.enqueue(piece) : controller.close()),
  });
}

describe('bytes on their way to the disk', () => {
  it('are all written when the system takes a part of them only', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7) & 255);
    const short = handles((handle) => {
      const write = handle.write.bind(handle) as (...given: unknown[]) => Promise<unknown>;
      return {
        write: ((piece: Uint8Array, from: number, length: number, at: number) =>
          write(piece, from, Math.min(length, 1000), at)) as never,
        writev: (async (pieces: Uint8Array[], at: number) => {
          const [first, second] = pieces;
          await write(first, 0, first!.byteLength, at);
          await write(second, 0, 1, at + first!.byteLength);
          return { bytesWritten: first!.byteLength + 1, buffers: pieces };
        }) as never,
      };
    });
    const { places, driver } = await world(short);
    const pieces = [bytes.slice(0, 5), bytes.slice(5, 7000), bytes.slice(7000, 7003), bytes.slice(7003)];
    const { token, hashes } = await driver.stage(new Blob(pieces).stream(), { hashes: ['MD5', 'SHA-1', 'SHA-256'] });
    await driver.publish(token, 'a.mov', 'create');
    expect((await readFile(join(places.root, 'place/a.mov'))).equals(bytes)).toBe(true);
    for (const [name, algorithm] of Object.entries({ MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256' })) {
      expect(hashes[name as 'MD5']).toBe(createHash(algorithm).update(bytes).digest('hex'));
    }
    for (const [gather, overlaps] of [
      [0, false],
      [10_000, false],
      [5000, true],
    ] as const) {
      const handle = await short.open(join(places.root, 'b'), 'w');
      const writer = new FileWriter(handle, { gather, overlaps });
      for (const piece of pieces) await writer.add(piece);
      await writer.flush();
      await handle.close();
      expect(writer.written).toBe(300_000);
      expect((await readFile(join(places.root, 'b'))).equals(bytes)).toBe(true);
    }
  });

  it('are refused when a write fails that goes on while the next ones come', async () => {
    const { places } = await world();
    let calls = 0;
    const failing = handles(() => ({
      writev: (async () => {
        calls++;
        throw failure('ENOSPC');
      }) as never,
    }));
    const handle = await failing.open(join(places.root, 'full'), 'w');
    const writer = new FileWriter(handle, { gather: 2, overlaps: true });
    const two = Uint8Array.of(1, 2);
    await writer.add(two.subarray(0, 1));
    await writer.add(two);
    await expect(writer.add(two)).rejects.toThrow('ENOSPC');
    await expect(writer.flush()).rejects.toThrow('ENOSPC');
    expect([calls, writer.written]).toEqual([1, 0]);
    await handle.close();
  });

  it('may come one by one: no call takes more pieces than the system does', async () => {
    let max = 0;
    const { driver } = await world(
      handles((handle) => {
        const writev = handle.writev.bind(handle);
        return {
          writev: ((pieces: Uint8Array[], at: number) => {
            max = Math.max(max, pieces.length);
            return writev(pieces, at);
          }) as never,
        };
      }),
    );
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (sent++ < 5000 ? controller.enqueue(Uint8Array.of(sent & 255)) : controller.close()),
    });
    expect((await driver.stage(body, { size: 5000 })).size).toBe(5000);
    expect(max).toBeLessThanOrEqual(1024);
  });

  it('are told of now and then, and end as soon as they are too many', async () => {
    const { driver, waiting } = await world();
    const told: number[] = [];
    await driver.stage(largeBody(5), { onBytes: (count) => told.push(count) });
    expect(told).toEqual([1, 2, 3, 4, 5].map((count) => count * mebibyte));
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(mebibyte)),
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await kindOf(driver.stage(endless, { size: 2 * mebibyte }))).toBe('failed');
    expect([cancelled, (await waiting()).length]).toEqual([true, 1]);
  });

  it.each([
    ['ENOSPC', 'no-space'],
    ['EDQUOT', 'no-space'],
    ['EFBIG', 'no-space'],
    ['EACCES', 'denied'],
    ['EROFS', 'denied'],
    ['EIO', 'offline'],
    ['ESTALE', 'offline'],
    ['EMFILE', 'failed'],
    ['EWHATEVER', 'failed'],
  ])(
    '%s is %s, wherever it comes: nothing stays, nothing is open, and no path of the machine is told',
    async (code, kind) => {
      const throwing = () => Promise.reject(failure(code));
      const disturbances: readonly Partial<Disk>[] = [
        handles(() => ({ write: throwing as never, writev: throwing as never })),
        handles(() => ({ datasync: throwing })),
        handles(() => ({ sync: throwing })),
        { mkdir: throwing },
        { open: (path, flags) => (/[0-9a-f]{32}$/.test(String(path)) ? throwing() : disk.open(path, flags)) },
      ];
      for (const disturbed of disturbances) {
        const { places, driver, folder } = await world(disturbed);
        let cancelled = false;
        const body = new ReadableStream<Uint8Array>(
          {
            pull: (controller) => controller.enqueue(new Uint8Array(2 * mebibyte)),
            cancel: () => {
              cancelled = true;
            },
          },
          { highWaterMark: 0 },
        );
        const error = await driver.stage(cut(body)).catch((thrown) => thrown);
        expect([error.kind, error.message]).toEqual([
          kind,
          expect.stringMatching(/^Expected to write to the storage: .+ \(E/),
        ]);
        expect(error.message).not.toContain('/srv');
        const sinking = await driver.openParts({ size: 10 * mebibyte }).catch((thrown) => thrown);
        if (sinking.kind) expect(sinking.kind).toBe(kind);
        else {
          const writing = await kindOf(sinking.write(0, largeBody(2)));
          const syncing = await kindOf(sinking.sync());
          await sinking.close().catch(() => undefined);
          expect([writing, syncing]).toContain(kind);
        }
        expect(places.openHandles()).toBe(0);
        const left = await readdir(join(folder, '.portico/tmp')).catch(() => []);
        expect(left.length).toBeLessThanOrEqual(1);
        expect(cancelled || body.locked).toBe(true);
      }
    },
  );
});

/** Ends after three pieces: what breaks with the last call breaks there. */
function cut(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let count = 0;
  return body.pipeThrough(
    new TransformStream({
      transform(piece, controller) {
        controller.enqueue(piece);
        if (++count === 3) controller.terminate();
      },
    }),
  );
}

describe('free space', () => {
  const withFree = (free: () => number): Partial<Disk> => ({
    statfs: (async () => ({ bavail: free(), bsize: 1, blocks: 1000 })) as never,
  });

  it('what would leave less than stays free is refused before a byte is written', async () => {
    const { driver, waiting } = await world(
      withFree(() => 1500),
      { minFreeBytes: 1000 },
    );
    expect((await driver.stage(bodyOf('x'), { size: 1 })).size).toBe(1);
    for (const ask of [() => driver.stage(bodyOf('x'), { size: 501 }), () => driver.openParts({ size: 501 })]) {
      await expect(ask()).rejects.toMatchObject({
        kind: 'no-space',
        message: expect.stringContaining('PORTICO_MIN_FREE_BYTES'),
      });
    }
    expect((await waiting()).length).toBe(1);
  });

  it('a body of unknown length ends when the disk is nearly full, and so does a part', async () => {
    let free = 10_000;
    const { places, driver, waiting } = await world(
      withFree(() => free),
      { minFreeBytes: 1000 },
    );
    let pieces = 0;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          free -= 100;
          pieces++;
          controller.enqueue(new Uint8Array(mebibyte));
        },
      });
    expect(await kindOf(driver.stage(body()))).toBe('no-space');
    expect([await waiting(), pieces < 200]).toEqual([[], true]);
    free = 10_000;
    const sink = await driver.openParts({ size: 9000 });
    await sink.close();
    expect(places.openHandles()).toBe(0);
  });
});

describe('a part', () => {
  it('counts what was written when its sender breaks off, to the byte', async () => {
    const { driver } = await world();
    const sink = await driver.openParts({ size: 3 * mebibyte });
    const piece = new Uint8Array(100_001).fill(7);
    let sent = 0;
    const breaking = new ReadableStream<Uint8Array>({
      pull: (controller) => (sent++ < 12 ? controller.enqueue(piece) : controller.error(new Error('ECONNRESET'))),
    });
    expect(await sink.write(1000, breaking)).toBe(12 * 100_001);
    await sink.close();
  });

  /** Counts what is asked of the disk to keep bytes. */
  async function counted() {
    const counts = { synced: 0 };
    const { driver } = await world(
      handles((handle) => {
        const datasync = handle.datasync.bind(handle);
        return {
          datasync: () => {
            counts.synced++;
            return datasync();
          },
        };
      }),
    );
    return { driver, counts };
  }

  it('survives a power cut also where another part is synced while its last bytes wait to be written', async () => {
    const { driver, counts } = await counted();
    const sink = await driver.openParts({ size: 10 });
    let end = () => {};
    const slow = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('56789'));
        end = () => controller.close();
      },
    });
    const late = sink.write(5, slow);
    await sink.write(0, bodyOf('01234'));
    await sink.sync();
    expect(counts.synced).toBe(1);
    end();
    await late;
    await sink.sync();
    expect(counts.synced).toBe(2);
    await sink.close();
  });

  it('survives a power cut once it is closed, also without a sync', async () => {
    const { driver, counts } = await counted();
    const sink = await driver.openParts({ size: 10 });
    await sink.write(0, bodyOf('01234'));
    await sink.sync();
    await sink.sync();
    expect(counts.synced).toBe(1);
    await sink.write(5, bodyOf('56789'));
    await sink.close();
    expect(counts.synced).toBe(2);
    expect((await driver.publish(sink.token, 'a.mov', 'create')).size).toBe(10);
    expect(await textOf(driver, 'a.mov')).toBe('0123456789');
  });
});

describe('a reader', () => {
  const large = 'x'.repeat(3 * mebibyte);

  it('of a file that somebody changes, cuts or lengthens gets its version or "changed"', async () => {
    const changes = [
      ['changed', (path: string) => writeFile(path, 'y'.repeat(3 * mebibyte))],
      ['changed', (path: string) => truncate(path, mebibyte + 5)],
      ['no error', (path: string) => appendFile(path, 'growing')],
    ] as const;
    for (const [kind, change] of changes) {
      const { places, driver, folder } = await world();
      await put(driver, 'a.mov', large);
      const { body, file } = await driver.read('a.mov');
      const reader = body.getReader();
      const first = await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await change(join(folder, 'a.mov'));
      let bytes = first.value!.byteLength;
      const rest = async () => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          bytes += value.byteLength;
        }
      };
      expect(await kindOf(rest())).toBe(kind);
      if (kind === 'no error') expect(bytes).toBe(file.size);
      expect(places.openHandles()).toBe(0);
    }
  });

  it('who leaves 60 times at once leaves no descriptor behind, also while the file is being opened', async () => {
    let opening = 0;
    const slow: Partial<Disk> = {
      open: async (...given) => {
        opening++;
        await new Promise((resolve) => setTimeout(resolve, 1));
        return disk.open(...given);
      },
    };
    const { places, driver } = await world(slow);
    await put(driver, 'a.mov', large);
    const before = opening;
    const unread = await Promise.all(Array.from({ length: 60 }, () => driver.read('a.mov')));
    const looked = opening - before;
    await Promise.all(unread.map(({ body }) => body.cancel()));
    // Only to look at the file: no body was read.
    expect([opening - before, places.openHandles()]).toEqual([looked, 0]);
    const left = await Promise.all(Array.from({ length: 60 }, () => driver.read('a.mov')));
    await Promise.all(
      left.map(async ({ body }) => {
        const reader = body.getReader();
        const reading = reader.read().catch(() => undefined);
        await Promise.resolve();
        await reader.cancel();
        await reading;
      }),
    );
    expect(places.openHandles()).toBe(0);
  });

  it('leaves no listener on the signal of its caller', async () => {
    const { driver } = await world();
    await put(driver, 'a.mov', large);
    const abort = new AbortController();
    const listening = new Set<unknown>();
    const { addEventListener, removeEventListener } = abort.signal;
    abort.signal.addEventListener = (...given: unknown[]) => {
      listening.add(given[1]);
      return addEventListener.apply(abort.signal, given as never);
    };
    abort.signal.removeEventListener = (...given: unknown[]) => {
      listening.delete(given[1]);
      return removeEventListener.apply(abort.signal, given as never);
    };
    const { signal } = abort;
    await new Response((await driver.read('a.mov', { signal })).body).arrayBuffer();
    await (await driver.read('a.mov', { signal })).body.cancel();
    await driver.stage(bodyOf('x'), { signal });
    await driver.list({ limit: 10, signal });
    expect(listening.size).toBe(0);
  });
});
