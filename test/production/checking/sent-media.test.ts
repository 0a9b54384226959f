import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMediaHost } from '../../../src/entry/media/child/host.ts';
import { Loopback } from '../../../src/entry/media/child/loopback.ts';
import { headBytes } from '../../../src/production/checking/probing/counted-source.ts';
import { mediaSourceOf, type ProbeParts } from '../../../src/production/checking/probing/source.ts';
import type { MediaSource, StorageDriver } from '../../../src/spi/index.ts';
import { findFile } from '../../../src/storage/files/store.ts';
import { openBucket } from '../../plugins/storages/support.ts';
import { fileWith } from '../../support/media.ts';
import { type RoomWorld, worldOf } from '../../support/world.ts';
import { sourceOf } from './counted-source.ts';
import { jpeg, mkv, mp4, png, wav } from './samples.ts';

const endless = new AbortController().signal;
const options = { maxBytes: 8 * 1024 * 1024, signal: endless };
const host = createMediaHost({ mediaChildren: 1, mediaChildMegabytes: 512, probeSeconds: 20, ffprobe: '' });
afterAll(() => host.close());

let visits: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  visits = vi.spyOn(Loopback.prototype, 'lend');
});
afterEach(() => visits.mockRestore());

/** A text of so many bytes. */
const text = (length: number): Uint8Array => new TextEncoder().encode('x'.repeat(length));

describe('the first bytes of media go with the question about it', () => {
  it('so that a small file is read once, and gets no address', async () => {
    const samples: readonly (readonly [string, Uint8Array, string])[] = [
      ['a.wav', await wav({ seconds: 0.1 }), 'mediabunny'],
      ['a.mp4', await mp4(), 'mediabunny'],
      ['a.png', png(3, 4), 'image-size'],
      ['a.txt', text(9), ''],
    ];
    for (const [name, bytes, by] of samples) {
      const { source, ranges } = sourceOf(bytes, name);
      expect(await host.probe(source, options), name).toMatchObject({ by, bytesRead: bytes.byteLength });
      expect(ranges, name).toEqual([{ from: 0, end: bytes.byteLength }]);
    }
    const nothing = sourceOf(new Uint8Array(), 'a.mp4');
    expect((await host.probe(nothing.source, options)).by).toBe('');
    expect(nothing.ranges).toEqual([]);
    expect(visits).not.toHaveBeenCalled();
  });

  it('up to a limit, which itself is small', async () => {
    const exact = sourceOf(text(headBytes), 'a.txt');
    await host.probe(exact.source, options);
    expect(visits).not.toHaveBeenCalled();
    expect(exact.ranges).toEqual([{ from: 0, end: headBytes }]);
    const above = sourceOf(text(headBytes + 1), 'a.txt');
    await host.probe(above.source, options);
    expect(visits).toHaveBeenCalledTimes(1);
    // Text is no media, so its first bytes are all that anybody looks at.
    expect(above.ranges).toEqual([{ from: 0, end: headBytes }]);
  });

  it('and of a large one they are not read again, and count once', async () => {
    const { source, ranges } = sourceOf(await mkv({ seconds: 4 }), 'a.mkv');
    const { bytesRead, by } = await host.probe(source, options);
    expect(by).toBe('mediabunny');
    const read = ranges.reduce((sum, { from, end }) => sum + end - from, 0);
    expect(bytesRead).toBe(read);
    expect(ranges.filter(({ from }) => from < headBytes)).toEqual([{ from: 0, end: headBytes }]);
    // A picture says all at its beginning.
    const bytes = new Uint8Array(200_000);
    bytes.set(jpeg(30, 40));
    const large = sourceOf(bytes, 'a.jpg');
    expect(await host.probe(large.source, options)).toMatchObject({ by: 'image-size', bytesRead: headBytes });
    expect(large.ranges).toEqual([{ from: 0, end: headBytes }]);
  });

  it('within the budget of the probe', async () => {
    const small = sourceOf(await wav({ seconds: 0.1 }), 'a.wav');
    const exhausted = expect(host.probe(small.source, { ...options, maxBytes: 1_000 })).rejects;
    await exhausted.toMatchObject({ kind: 'exhausted', message: expect.stringContaining('1000 bytes') });
    expect(small.ranges).toEqual([]);
    const film = sourceOf(await mkv({ seconds: 2 }), 'a.mkv');
    const short = host.probe(film.source, { ...options, maxBytes: 100_000 });
    await expect(short).rejects.toMatchObject({ kind: 'exhausted' });
    expect(film.ranges.reduce((sum, { from, end }) => sum + end - from, 0)).toBeLessThanOrEqual(100_000);
  });

  it('and say what the storage said where it gives none', async () => {
    const away = Object.assign(new Error('The storage is away'), { kind: 'offline' });
    const { source } = sourceOf(await wav({ seconds: 0.1 }), 'a.wav');
    await expect(host.probe({ ...source, read: () => Promise.reject(away) }, options)).rejects.toBe(away);
    const short = { ...source, read: async () => new Uint8Array(3) };
    await expect(host.probe(short, options)).rejects.toThrow(/^Expected \d+ bytes of the file: found 3$/);
  });

  it('within the deadline of a probe, and as long as somebody waits for it', async () => {
    const hasty = createMediaHost({ mediaChildren: 1, mediaChildMegabytes: 512, probeSeconds: 0.05, ffprobe: '' });
    const hanging: MediaSource = { size: 9, read: () => new Promise(() => undefined) };
    await expect(hasty.probe(hanging, options)).rejects.toMatchObject({ kind: 'exhausted' });
    await hasty.close();
    const stop = new AbortController();
    const answer = host.probe(hanging, { ...options, signal: stop.signal });
    stop.abort();
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  });
});

describe('a file that changes between the look and the question', () => {
  let world: RoomWorld;
  beforeEach(async () => {
    world = await worldOf('placement');
  });

  async function media(path: string, bytes: Uint8Array, state = 'CLOSED') {
    const id = await fileWith(world, path, bytes);
    const parts = { store: world.service.store, sharesWork: true } as unknown as ProbeParts;
    const row = (await findFile(world.service.store, { id }))!;
    return (await mediaSourceOf(parts, { ...row, state }, endless)).source;
  }

  it('is another one once it is replaced, also by one of the same length', async () => {
    const source = await media('a.wav', await wav({ seconds: 0.1 }));
    world.from.put('a.wav', new Uint8Array(source.size));
    await expect(host.probe(source, options)).rejects.toMatchObject({ kind: 'changed' });
  });

  it('is another one, too, when that happens behind its first bytes', async () => {
    const source = await media('a.mkv', await mkv({ seconds: 4 }));
    const replacing: MediaSource = {
      ...source,
      async read(range) {
        const bytes = await source.read(range);
        world.from.put('a.mkv', new Uint8Array(source.size));
        return bytes;
      },
    };
    await expect(host.probe(replacing, options)).rejects.toMatchObject({ kind: 'changed' });
  });

  it('is read as far as it was while it grows', async () => {
    const sound = await wav({ seconds: 0.1 });
    const source = await media('a.wav', sound, 'OPEN');
    world.from.put('a.wav', new Uint8Array([...sound, ...new Uint8Array(5_000)]));
    expect(await host.probe(source, options)).toMatchObject({ format: 'wav', bytesRead: sound.byteLength });
  });
});

it('a small file of a bucket is fetched once', async () => {
  const { fake, driver } = await openBucket();
  const put = (name: string, bytes: Uint8Array) =>
    fake.objects.set(name, { bytes: new Uint8Array(bytes), etag: name, at: 0, metadata: {} });
  const asked = async (name: string): Promise<readonly string[]> => {
    const file = (await driver.stat(name))!;
    fake.asked.length = 0;
    await host.probe(bucketSource(driver, file), options);
    // The driver looks at the file ahead of each read.
    return fake.asked.filter((each) => !each.startsWith('HEAD'));
  };
  put('a.wav', await wav({ seconds: 0.1 }));
  expect(await asked('a.wav')).toEqual(['GET a.wav']);
  const bytes = new Uint8Array(200_000);
  bytes.set(png(3, 4));
  put('a.png', bytes);
  expect(await asked('a.png')).toEqual(['GET a.png']);
  expect(visits).toHaveBeenCalledTimes(1);
});

const bucketSource = (
  driver: StorageDriver,
  { path, size, version }: { readonly path: string; readonly size: number; readonly version: string },
): MediaSource => ({
  size,
  name: path,
  async read(range) {
    const { body } = await driver.read(path, { range, version });
    return new Uint8Array(await new Response(body).arrayBuffer());
  },
});
