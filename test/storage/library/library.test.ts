import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkTranscoder } from '../../../src/kit/testing/index.ts';
import type { MediaSource, Still, TranscodeOrder, Transcoder } from '../../../src/spi/index.ts';
import { mkv, png, wav } from '../../production/checking/samples.ts';
import { decoded } from './decoded.ts';
import { film, mediaWorld, sourceOf } from './world.ts';

const never = new AbortController().signal;
const options = { signal: never, progress: () => undefined };

const sound = { channels: [], streams: [], settings: [] } as const;
const pictures = { presets: [], profiles: [], settings: [] } as const;
const small = { ...pictures, bitrate: 400_000, scaling: { width: 160, height: 90 } };
const web: TranscodeOrder = { format: 'mp4', video: small, audio: { ...sound, bitrate: 64_000 }, fastStart: true };

const { scratch, opened, transcoder, host } = mediaWorld();

/** Findings of the media check for the new file, and its bytes. */
async function madeOf(source: MediaSource, order: TranscodeOrder) {
  const made = await transcoder.run(source, order, options);
  const bytes = new Uint8Array(await new Response(made.body()).arrayBuffer());
  await made.close();
  const probed = await host.probe(sourceOf(bytes, `a.${order.format}`), { maxBytes: 2 ** 26, signal: never });
  return { bytes, size: made.size, warnings: made.warnings, probed };
}

it('says its version, its licence and its encoders', async () => {
  expect(await transcoder.abilities()).toMatchObject({
    version: '1.59.0',
    licence: expect.stringContaining('GPL'),
    video: expect.arrayContaining(['h264', 'hevc', 'vp9', 'av1']),
    audio: expect.arrayContaining(['aac', 'opus', 'mp3', 'pcm_s16le']),
    stills: ['image/jpeg', 'image/png'],
  });
});

it('keeps the contract of transcoders', async () => {
  const results = await checkTranscoder({
    make: () => opened(),
    media: [{ name: 'film.mp4', bytes: film('short') }],
    orders: [web],
  });
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(results.length).toBeGreaterThan(4);
});

describe('other forms of media', () => {
  it('a film in another size, whose index stands ahead of the media', async () => {
    const { bytes, size, warnings, probed } = await madeOf(sourceOf(film('short')), { ...web, seconds: 3 });
    expect([bytes.byteLength, warnings]).toEqual([size, []]);
    expect(probed).toMatchObject({ format: expect.stringContaining('mp4'), mimeType: 'video/mp4' });
    expect(probed.duration).toBeCloseTo(3, 0);
    expect(probed.tracks).toMatchObject([
      { kind: 'video', codec: 'h264', width: 160, height: 90 },
      { kind: 'audio', codec: 'aac', channels: 2 },
    ]);
    const text = Buffer.from(bytes).toString('latin1');
    expect(text.indexOf('moov')).toBeLessThan(text.indexOf('mdat'));
  });

  it.each([
    ['webm', { format: 'webm', video: pictures, audio: sound, fastStart: false }, ['vp9', 'opus']],
    ['mkv', { format: 'mkv', video: { ...pictures, codec: 'hevc' }, audio: sound, fastStart: false }, ['hevc', 'aac']],
    ['mov', { format: 'mov', video: { ...pictures, codec: 'prores' }, audio: null, fastStart: true }, ['prores']],
    ['mp3', { format: 'mp3', video: null, audio: sound, fastStart: false }, ['mp3']],
    ['flac', { format: 'flac', video: null, audio: sound, fastStart: false }, ['flac']],
    ['ogg', { format: 'ogg', video: null, audio: { ...sound, codec: 'opus' }, fastStart: false }, ['opus']],
    ['aac', { format: 'aac', video: null, audio: sound, fastStart: false }, ['aac']],
    [
      'wav',
      {
        format: 'wav',
        video: null,
        audio: { ...sound, channels: [0], sample: { numerator: 1, denominator: 16_000 } },
        fastStart: false,
      },
      ['pcm_s16le'],
    ],
  ] as [string, TranscodeOrder, string[]][])('%s of a film', async (_name, order, codecs) => {
    const { probed } = await madeOf(sourceOf(film('short')), order);
    expect(probed.tracks.map(({ codec }) => codec)).toEqual(codecs);
    expect(probed.duration).toBeGreaterThan(2.8);
    expect(probed.duration).toBeLessThan(3.3);
    if (order.format === 'wav') expect(probed.tracks).toMatchObject([{ channels: 1, sampleRate: 16_000 }]);
  });

  it('tells how far it is, and reads no more than the source has', async () => {
    const bytes = film('long');
    let read = 0;
    const told: number[] = [];
    const source: MediaSource = {
      ...sourceOf(bytes),
      async read({ from, end }) {
        read += end - from;
        return bytes.slice(from, end);
      },
    };
    const made = await transcoder.run(source, web, { signal: never, progress: (done) => told.push(done) });
    await made.close();
    expect(told.at(-1)).toBe(1);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(read / bytes.byteLength).toBeLessThan(1.5);
  });

  it('an order that it cannot carry out is named by its element', async () => {
    const lacks = async (order: Partial<TranscodeOrder>) => transcoder.unable({ ...web, ...order });
    expect(await lacks({})).toBeUndefined();
    expect(await lacks({ format: 'mxf' })).toBe('format=mxf');
    expect(await lacks({ video: { ...pictures, codec: 'mpeg2video' } })).toBe('video.codec=mpeg2video');
    expect(await lacks({ audio: { ...sound, settings: [['q', '2']] } })).toBe('audio.setting=q');
  });
});

async function stillsOf(
  source: MediaSource,
  wanted: Omit<Parameters<Transcoder['stills']>[1], 'seconds'>,
  seconds: readonly number[],
) {
  const found: Still[] = [];
  await transcoder.stills(source, { seconds, ...wanted }, async (still) => void found.push(still), options);
  return found;
}

describe('stills', () => {
  it('of each time, in the box, and behind the end the last one: JPEG that FFmpeg reads', async () => {
    const wanted = { width: 160, height: 160, type: 'image/jpeg' } as const;
    const found = await stillsOf(sourceOf(film('short')), wanted, [0.5, 1.5, 1000]);
    expect(found.map(({ seconds }) => seconds)).toEqual([0.5, 1.5, 1000]);
    const seen = await Promise.all(found.map(({ bytes }) => decoded(bytes)));
    expect(seen.map(({ width, height }) => [width, height])).toEqual(Array(3).fill([160, 90]));
    expect(seen.map(({ left }) => left.indexOf(Math.max(...left)))).toEqual([0, 1, 2]);
    for (const { left, right } of seen) {
      expect(Math.max(...left)).toBeGreaterThan(190);
      expect(Math.max(...right)).toBeLessThan(160);
      expect(Math.min(...left)).toBeLessThan(60);
    }
  });

  it('as PNG, as large as the film', async () => {
    const [still] = await stillsOf(sourceOf(film('short')), { type: 'image/png' }, [0]);
    expect(await decoded(still!.bytes)).toMatchObject({ width: 320, height: 180 });
  });

  it('of a sound there are none, and of a picture neither: the service shows a small one itself', async () => {
    const wanted = { type: 'image/jpeg' } as const;
    await expect(stillsOf(sourceOf(await wav()), wanted, [0])).rejects.toMatchObject({ kind: 'broken' });
    await expect(stillsOf(sourceOf(png(8, 8)), wanted, [0])).rejects.toMatchObject({ kind: 'unsupported' });
  });
});

describe('hostile media', () => {
  it('truncated, damaged and lying films end with a sentence, and the next film is made', async () => {
    const whole = film('short');
    const lying = whole.slice();
    for (let at = 32; at < 900; at += 7) lying[at] = (lying[at]! * 31 + at) & 255;
    const others = [new Uint8Array(), whole.slice(0, 60), new Uint8Array(5000).fill(7), await mkv(), lying];
    for (const bytes of others) {
      const end = await transcoder.run(sourceOf(bytes), web, options).catch((error: Error) => error);
      if (!(end instanceof Error)) await end.close();
      else {
        expect(end).toMatchObject({ kind: expect.stringMatching(/^(?:broken|unsupported|exhausted)$/) });
        expect(end.message).toMatch(/^Expected /);
        expect(end.message).not.toMatch(/127\.0\.0\.1|\/tmp\//);
      }
    }
    expect((await madeOf(sourceOf(whole), web)).probed.tracks).toHaveLength(2);
  });

  it('a film that is shorter than its source says is told of', async () => {
    const { warnings } = await madeOf(sourceOf(film('short')), { ...web, seconds: 9 });
    expect(warnings).toEqual([expect.stringMatching(/^Expected 9 seconds: found 3/)]);
  });

  it('a source that fails says why, and one that never answers ends with its caller', async () => {
    const failing = { size: 1000, name: 'a.mp4', read: () => Promise.reject(new Error('storage away')) };
    await expect(transcoder.run(failing, web, options)).rejects.toThrow('storage away');
    const stop = new AbortController();
    const endless = { size: 10 ** 9, read: () => new Promise<never>(() => stop.abort(new Error('stopped'))) };
    await expect(transcoder.run(endless, web, { ...options, signal: stop.signal })).rejects.toThrow('stopped');
  });

  it.skipIf(process.platform !== 'linux')('a process gets no more memory than it may have', async () => {
    const tight = opened({ megabytes: 64 });
    expect(await tight.abilities()).toEqual({ missing: expect.stringContaining('install @mediabunny/server again') });
  });

  it('leaves no file behind', () => {
    expect(readdirSync(scratch)).toEqual([]);
  });
});

it('a folder without the library says what to install', async () => {
  const missing = expect.stringContaining('install @mediabunny/server');
  expect(await opened({ folder: scratch }).abilities()).toEqual({ missing });
});
