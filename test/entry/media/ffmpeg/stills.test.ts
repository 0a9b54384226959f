import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Gate } from '../../../../src/core/lib/gate.ts';
import { findProgram } from '../../../../src/entry/media/child/find-program.ts';
import { TimedPictures } from '../../../../src/entry/media/ffmpeg/timed-pictures.ts';
import { ffmpegTranscoder } from '../../../../src/entry/media/ffmpeg/transcoder.ts';
import { readPixels } from '../../../../src/extensions/pictures/pixels.ts';
import { jpegFrame } from '../../../../src/production/transcoding/public-reading.ts';
import type { MediaSource, Still, StillOrder } from '../../../../src/spi/index.ts';
import { samples } from '../../../production/transcoding/jpeg-samples.ts';
import { scratchFolder } from './film-samples.ts';

const program = await findProgram('ffmpeg');
const isAble =
  program !== undefined &&
  execFileSync(program, ['-hide_banner', '-encoders'], { encoding: 'utf8' }).includes(' libx264 ');
if (!isAble) console.log('Left out: stills of films need ffmpeg with libx264');

/** Pictures of a film in a second. */
const rate = 10;

/** A film of a minute whose pictures say their number: the left half has its steps, the right half the tens of them. */
function film(folder: string, distanceOfKeys: number, ending = 'mp4'): Buffer {
  const file = join(folder, `${distanceOfKeys}.${ending}`);
  const light = 'lum=16+6*if(lt(X\\,W/2)\\,mod(N\\,32)\\,floor(N/32)):cb=128:cr=128';
  const inputs = ['-f', 'lavfi', '-i', `color=s=64x32:r=${rate}:d=60,geq=${light}`];
  const keys = ['-g', String(distanceOfKeys), '-keyint_min', String(distanceOfKeys), '-sc_threshold', '0'];
  execFileSync(program!, [
    '-v',
    'error',
    ...inputs,
    '-c:v',
    'libx264',
    '-qp',
    '1',
    '-pix_fmt',
    'yuv420p',
    ...keys,
    file,
  ]);
  return readFileSync(file);
}

/** Number of the picture of the film that a still is. */
async function numberOf({ bytes }: Still): Promise<number> {
  const { width, height, data } = (await readPixels(bytes))!;
  const steps = (x: number) => Math.round((data[(Math.floor(height / 2) * width + x) * 4]! * (219 / 255)) / 6);
  return steps(Math.floor(width * 0.75)) * 32 + steps(Math.floor(width / 4));
}

const sourceOf = (bytes: Uint8Array): MediaSource => ({
  size: bytes.byteLength,
  name: 'film',
  read: async ({ from, end }) => bytes.subarray(from, end),
});

type Order = Pick<StillOrder, 'seconds' | 'tolerance'> & Partial<StillOrder>;
const { signal } = new AbortController();

/** Stills by a program that notes its runs. `acts`: words of a shell, which run instead for runs over a part of a film. */
function opened(acts = '') {
  const folder = scratchFolder();
  const wrapper = join(folder, 'ffmpeg-noted');
  const notes = join(folder, 'notes');
  appendFileSync(notes, '');
  const pass = acts === '' ? '' : `case "$*" in *smjpeg*) ${acts};; esac\n`;
  writeFileSync(wrapper, `#!/bin/sh\necho "$*" >> "${notes}"\n${pass}exec "${program}" "$@"\n`);
  chmodSync(wrapper, 0o755);
  const scratch = scratchFolder();
  const transcoder = ffmpegTranscoder({ program: wrapper, scratch, turns: new Gate({ width: 1 }), megabytes: 8192 });
  return {
    async stills(source: MediaSource, order: Order, each: (still: Still) => Promise<void> = async () => undefined) {
      const stills: Still[] = [];
      const keep = async (still: Still) => {
        await each(still);
        stills.push(still);
      };
      await transcoder.stills(source, { type: 'image/jpeg', ...order }, keep, { signal });
      expect(readdirSync(scratch)).toEqual([]);
      return stills.toSorted((a, b) => a.seconds - b.seconds);
    },
    /** Sizes at which it decoded. */
    decoding: () => [...new Set(Array.from(readFileSync(notes, 'utf8').matchAll(/-lowres \d/g), ([word]) => word))],
    /** How often it looked at the first picture. */
    looks: () => readFileSync(notes, 'utf8').split('showinfo').length - 1,
    /** How often it ran over parts of the film, and how often to one picture. */
    runs() {
      const lines = readFileSync(notes, 'utf8').split('\n');
      const passes = lines.filter((line) => line.includes('smjpeg')).length;
      return [passes, lines.filter((line) => line.includes('image2pipe')).length];
    },
  };
}

const numbersOf = (stills: readonly Still[]) => Promise.all(stills.map(numberOf));
const every = (step: number, count: number) => Array.from({ length: count }, (_, at) => at * step);

describe.skipIf(!isAble)('stills of a film', () => {
  let films: { readonly short: Buffer; readonly long: Buffer; readonly stream: Buffer };
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-films-'));
    films = { short: film(folder, 20), long: film(folder, 10_000), stream: film(folder, 5, 'ts') };
    rmSync(folder, { recursive: true });
  });

  it('at times that a caller names are the same by one run as by a seek to each', async () => {
    const seconds = [0, 0.1, 0.25, 1, 1.04, 2.5, 3.99, 5.9, 7, 20.05, 20.1];
    const [one, many] = [opened(), opened()];
    const stills = await one.stills(sourceOf(films.short), { seconds });
    const sought = await many.stills(sourceOf(films.short), { seconds, type: 'image/png' });
    expect(stills.map((still) => still.seconds)).toEqual(seconds);
    expect(await numbersOf(stills)).toEqual([0, 1, 3, 10, 11, 25, 40, 59, 70, 201, 201]);
    expect(await numbersOf(sought)).toEqual(await numbersOf(stills));
    expect([one.runs(), many.runs()]).toEqual([
      [1, 0],
      [0, seconds.length],
    ]);
  });

  it('of a strip are key pictures near its times, by one run', async () => {
    const program = opened();
    const stills = await program.stills(sourceOf(films.short), { seconds: every(5, 12), tolerance: 2.5 });
    const numbers = await numbersOf(stills);
    expect(numbers.map((number) => number % 20)).toEqual(every(0, 12));
    expect(numbers.every((number, at) => Math.abs(number / rate - 5 * at) <= 1)).toBe(true);
    expect(program.runs()).toEqual([1, 0]);
  });

  it('of a strip whose film has one key picture are those at its times, by two runs', async () => {
    const program = opened();
    const stills = await program.stills(sourceOf(films.long), { seconds: every(5, 12), tolerance: 2.5 });
    expect(await numbersOf(stills)).toEqual(every(50, 12));
    expect(program.runs()).toEqual([2, 0]);
  });

  it('that are far apart, few, or of large films are sought', async () => {
    for (const [seconds, size] of [
      [[0, 20, 40], 0],
      [[0, 1], 0],
      [[0, 1, 2], 200 * 1024 * 1024],
    ] as const) {
      const program = opened();
      // Bytes behind the end of a film are no part of it.
      const source = { ...sourceOf(Buffer.concat([films.short, Buffer.alloc(size)])) };
      expect(await numbersOf(await program.stills(source, { seconds }))).toEqual(seconds.map((each) => each * rate));
      expect(program.runs()).toEqual([0, seconds.length]);
    }
  });

  it('behind its end are its last second, and more than one run has them all', async () => {
    const program = opened();
    const stills = await program.stills(sourceOf(films.short), { seconds: [...every(0.5, 119), 70] });
    expect(await numbersOf(stills)).toEqual([...every(5, 119), 590]);
    expect(program.runs()).toEqual([2, 2]);
  });

  it('come each once where the run over the film is killed amid, and where the program has no such run', async () => {
    for (const acts of [
      `"${program}" "$@" | head -c 6000; kill -9 $$`,
      'exit 1',
      'head -c 100000 /dev/zero; exit 0',
      String.raw`printf '\000\nSMJPEG\000\000\000\000\000\000\000\000vidD\000\000\000\000\377\377\377\377'; sleep 60`,
    ]) {
      const stills = await opened(acts).stills(sourceOf(films.short), { seconds: every(1, 8) });
      expect(await numbersOf(stills), acts).toEqual(every(10, 8));
    }
  });

  it('of a damaged film are those that it has', async () => {
    const damaged = Buffer.from(films.stream);
    damaged.fill(0, Math.floor(damaged.byteLength * 0.4), Math.floor(damaged.byteLength * 0.5));
    const stills = await opened().stills(sourceOf(damaged), { seconds: every(2, 30) });
    expect(stills.length).toBeGreaterThan(25);
    expect(await numbersOf(stills.slice(0, 10))).toEqual(every(20, 10));
    const noise = sourceOf(Buffer.alloc(50_000, 7));
    await expect(opened().stills(noise, { seconds: every(1, 400) })).rejects.toMatchObject({ kind: 'broken' });
  });

  it('end with what their reader or the storage says, and what came before stays', async () => {
    const full = new Error('The database is full');
    const kept: number[] = [];
    const refuse = async ({ seconds }: Still) => {
      if (seconds === 3) throw full;
      kept.push(seconds);
    };
    await expect(opened().stills(sourceOf(films.short), { seconds: every(1, 8) }, refuse)).rejects.toBe(full);
    expect(kept).toEqual([0, 1, 2]);
    const away = new Error('The storage is away');
    const film = sourceOf(films.stream);
    const failing: MediaSource = {
      ...film,
      read: (range) => (range.end > film.size / 2 ? Promise.reject(away) : film.read(range)),
    };
    await expect(opened().stills(failing, { seconds: every(1, 60) })).rejects.toBe(away);
  });
});

const has = (halvings: number) => (halvings === 0 ? [] : [`-lowres ${halvings}`]);
it.skipIf(!isAble).each([
  ['a large one', [1600, 900], [320, 180], 2],
  ['one of a camera', [2560, 1440], [320, 180], 3],
  ['one that fits nearly', [500, 300], [320, 180], 0],
  ['one that is turned', [900, 1600], [320, 320], 2],
  ['one for a poster', [2560, 1440], [1280, 720], 1],
] as const)('a JPEG is decoded at the size of its still: %s', async (_title, [width, height], box, halvings) => {
  const inputs = ['-f', 'lavfi', '-i', `testsrc2=s=${width}x${height}`, '-frames:v', '1'];
  const output = ['-pix_fmt', 'yuvj420p', '-f', 'image2pipe', 'pipe:1'];
  const picture = (codec: string) =>
    sourceOf(execFileSync(program!, ['-v', 'error', ...inputs, '-c:v', codec, '-q:v', '2', ...output]));
  const order = { seconds: [0], width: box[0], height: box[1], type: 'image/png' } as const;
  const noted = opened();
  const [small] = await noted.stills(picture('mjpeg'), order);
  const [whole] = await opened().stills(picture('png'), order);
  const [pixels, expected] = [(await readPixels(small!.bytes))!, (await readPixels(whole!.bytes))!];
  expect([pixels.width, pixels.height]).toEqual([expected.width, expected.height]);
  const off = pixels.data.reduce((sum, value, at) => sum + Math.abs(value - expected.data[at]!), 0);
  expect(off / pixels.data.length).toBeLessThan(6);
  expect([noted.decoding(), noted.looks(), noted.runs()]).toEqual([has(halvings), 0, [0, 1]]);
});

it('the header of a JPEG says its colours, unless a program has tagged them or it is in inks', () => {
  expect(jpegFrame(samples.progressive)).toEqual({ width: 37, height: 29, isPlain: true });
  expect(jpegFrame(samples.inks)).toMatchObject({ width: 19, isPlain: false });
  const tagged = Uint8Array.from([0xff, 0xd8, 0xff, 0xee, 0, 2, ...samples.progressive.subarray(2)]);
  expect(jpegFrame(tagged)).toMatchObject({ width: 37, isPlain: false });
  expect(jpegFrame(samples.progressive.subarray(0, 100))).toBeUndefined();
});

describe('pictures with their times', () => {
  const text = (value: string) => Buffer.from(value, 'latin1');
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const head = Buffer.concat([text('\0\nSMJPEG'), number(0), number(0)]);
  const chunk = (name: string, ...parts: readonly Buffer[]) => Buffer.concat([text(name), ...parts]);
  const picture = (at: number, bytes: string) => chunk('vidD', number(at), number(bytes.length), text(bytes));
  const whole = Buffer.concat([
    head,
    ...[
      chunk('_TXT', number(3), text('a=b')),
      chunk('HEND'),
      picture(0, 'one'),
      picture(1_500, ''),
      picture(2_040, 'two'),
    ],
    chunk('DONE'),
  ]);

  it('are whole wherever their pieces are cut', () => {
    for (let length = 1; length <= whole.byteLength; length++) {
      const pictures = new TimedPictures(3);
      const taken: unknown[] = [];
      for (let from = 0; from < whole.byteLength; from += length)
        for (const { at, bytes } of pictures.take(whole.subarray(from, from + length)))
          taken.push([at, Buffer.from(bytes).toString()]);
      expect(taken).toEqual([
        [0, 'one'],
        [1.5, ''],
        [2.04, 'two'],
      ]);
    }
  });

  it.each([
    ['another format', text('no such format at all'), 'broken'],
    ['an unknown chunk', Buffer.concat([head, chunk('evil', number(1))]), 'broken'],
    ['a tag without end', Buffer.concat([head, chunk('_TXT', number(0xffffffff))]), 'broken'],
    ['a picture that is too large', Buffer.concat([head, chunk('vidD', number(0), number(4))]), 'exhausted'],
  ])('refuse %s', (_title, bytes, kind) => {
    expect(() => [...new TimedPictures(3).take(bytes)]).toThrow(expect.objectContaining({ kind }));
  });
});
