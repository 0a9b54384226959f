import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { CutOrder, MediaSource, Still } from '../../../src/spi/index.ts';
import { png, wav } from '../../production/checking/samples.ts';
import { decoded } from './decoded.ts';
import { film, mediaWorld, sourceOf } from './world.ts';

const never = new AbortController().signal;
const options = { signal: never, progress: () => undefined };
const { scratch, transcoder, host } = mediaWorld();

async function cutOf(source: MediaSource, order: CutOrder) {
  const made = await transcoder.cut!(source, order, options);
  const bytes = new Uint8Array(await new Response(made.body()).arrayBuffer());
  await made.close();
  expect(bytes.byteLength).toBe(made.size);
  const probed = await host.probe(sourceOf(bytes, `a.${order.format}`), { maxBytes: 2 ** 26, signal: never });
  return { bytes, warnings: made.warnings, probed };
}

/** The brightest of red, green and blue at each time. */
async function coloursOf(bytes: Uint8Array, seconds: readonly number[]): Promise<readonly number[]> {
  const found: Still[] = [];
  await transcoder.stills(
    sourceOf(bytes),
    { seconds, type: 'image/png' },
    async (still) => void found.push(still),
    options,
  );
  const seen = await Promise.all(found.map((still) => decoded(still.bytes)));
  return seen.map(({ left }) => left.indexOf(Math.max(...left)));
}

it('cuts a part out of a film from the key picture before it, with its sound and without a new encoding', async () => {
  const told: number[] = [];
  const whole = film('long');
  const made = await transcoder.cut!(
    sourceOf(whole),
    { format: 'mp4', from: 5, to: 7 },
    {
      signal: never,
      progress: (done) => told.push(done),
    },
  );
  await made.close();
  expect([told.at(-1), made.warnings]).toEqual([1, []]);
  const { bytes, probed } = await cutOf(sourceOf(whole), { format: 'mp4', from: 5, to: 7 });
  const text = Buffer.from(bytes).toString('latin1');
  expect(text.indexOf('moov')).toBeLessThan(text.indexOf('mdat'));
  expect(probed.tracks).toMatchObject([
    { kind: 'video', codec: 'h264', width: 320, height: 180 },
    { kind: 'audio', codec: 'aac', channels: 2 },
  ]);
  // The library sets a key picture every second or two: the part begins at 4 or at 5.
  const begin = Math.round(7 - probed.duration!);
  expect([4, 5]).toContain(begin);
  expect(Math.abs(7 - begin - probed.duration!)).toBeLessThan(0.1);
  const last = 7 - begin - 0.5;
  expect(await coloursOf(bytes, [0.5, last])).toEqual([begin % 3, 6 % 3]);
  expect(whole.byteLength / bytes.byteLength).toBeGreaterThan(3);
  expect(readdirSync(scratch)).toEqual([]);
});

it.each([
  ['mov', 'mov'],
  ['mkv', 'mkv'],
  ['mpegts', 'mpegts'],
])('writes a part as %s', async (_name, format) => {
  const { probed } = await cutOf(sourceOf(film('short')), { format, from: 0, to: 1 });
  expect(probed.tracks.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
  expect(probed.duration).toBeGreaterThan(0.9);
  expect(probed.duration).toBeLessThan(1.2);
});

it('cuts to the end where none is said, and sound at the packet before the start', async () => {
  const { probed, bytes } = await cutOf(sourceOf(await wav({ seconds: 3 })), { format: 'wav', from: 1 });
  expect(probed.duration).toBeGreaterThan(1.95);
  expect(probed.duration).toBeLessThan(2.1);
  expect(bytes.byteLength).toBeGreaterThan(2 * 48_000 * 4 - 1000);
});

it('a part that is shorter than it should be is told of', async () => {
  const bytes = film('long');
  const { warnings } = await cutOf(sourceOf(bytes.slice(0, bytes.byteLength / 2)), { format: 'mp4', from: 0, to: 11 });
  expect(warnings).toEqual([expect.stringMatching(/^Expected 11 seconds of audio: found 5\.\d/)]);
});

it.each<[string, () => Promise<Uint8Array> | Uint8Array, CutOrder, string, RegExp]>([
  ['a container that it does not write', () => film('short'), { format: 'mxf', from: 0 }, 'unsupported', /mxf/],
  ['a codec that the container has not', () => film('short'), { format: 'webm', from: 0 }, 'unsupported', /avc/],
  ['a picture', () => png(8, 8), { format: 'mp4', from: 0 }, 'unsupported', /container/],
  ['a start behind the end', () => film('short'), { format: 'mp4', from: 9 }, 'broken', /within 3\S* seconds: 9/],
])('says what it cannot cut: %s', async (_title, bytes, order, kind, says) => {
  const source = sourceOf(await bytes());
  await expect(transcoder.cut!(source, order, options)).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(says),
  });
  expect(readdirSync(scratch)).toEqual([]);
});
