import { execFileSync } from 'node:child_process';
import { chmodSync, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { mediaProber } from '../../../../plugins/probers/media-prober.ts';
import { Gate } from '../../../../src/core/lib/gate.ts';
import { findProgram } from '../../../../src/entry/media/child/find-program.ts';
import { ffmpegTranscoder } from '../../../../src/entry/media/ffmpeg/transcoder.ts';
import { componentsOf } from '../../../../src/production/checking/deducing/components.ts';
import { checkedResult } from '../../../../src/production/checking/probing/checked-result.ts';
import type { MediaSource, TranscodeOrder, TranscodeVideo } from '../../../../src/spi/index.ts';
import {
  type Film,
  filmOf,
  inBt2020,
  inHlg,
  inPq,
  pixelsOf,
  type Quarters,
  type Signal,
  scratchFolder,
  streamsIn,
  turned,
} from './film-samples.ts';

const program = await findProgram('ffmpeg');
const encoders =
  program === undefined ? '' : execFileSync(program, ['-hide_banner', '-encoders'], { encoding: 'utf8' });
const isAble = ['libx264', 'libx265', 'aac', 'prores_ks'].every((name) => encoders.includes(` ${name} `));
if (!isAble) console.log('Left out: films of all kinds need ffmpeg with libx264 and libx265');

const video: TranscodeVideo = { presets: [], profiles: [], settings: [] };
const order: TranscodeOrder = {
  format: 'mp4',
  video: { ...video, codec: 'h264' },
  audio: { codec: 'aac', channels: [], streams: [], settings: [] },
  fastStart: true,
};

const sourceOf = (bytes: Uint8Array): MediaSource => ({
  size: bytes.byteLength,
  name: 'film',
  read: async ({ from, end }) => bytes.slice(from, end),
});
const { signal } = new AbortController();

const transcoderBy = (name = 'ffmpeg') =>
  ffmpegTranscoder({ program: name, scratch: scratchFolder(), turns: new Gate({ width: 1 }), megabytes: 8192 });

/** Makes another form, and a picture, of a film. */
async function outcome(bytes: Uint8Array, change: Partial<TranscodeOrder> = {}, name?: string) {
  const transcoder = transcoderBy(name);
  const made = await transcoder.run(sourceOf(bytes), { ...order, ...change }, { signal, progress: () => undefined });
  const folder = scratchFolder();
  const file = join(folder, 'out.mp4');
  await finished(Readable.fromWeb(made.body() as never).pipe(createWriteStream(file)));
  const still = join(folder, 'still');
  const keep = async (each: { readonly bytes: Uint8Array }) => writeFileSync(still, each.bytes);
  await transcoder.stills(sourceOf(bytes), { seconds: [0], type: 'image/jpeg' }, keep, { signal });
  const streams = await streamsIn(file);
  const film = streams.find((each) => each['codec_type'] === 'video')!;
  const sizeOf = (stream: Record<string, unknown>) => ({
    width: Number(stream['width']),
    height: Number(stream['height']),
  });
  const size = sizeOf(film);
  const stillSize = sizeOf((await streamsIn(still))[0]!);
  return {
    ...{ film, size, stillSize, warnings: made.warnings },
    sound: streams.find((each) => each['codec_type'] === 'audio'),
    pixels: await pixelsOf(file, size, true),
    still: await pixelsOf(still, stillSize, false),
  };
}

type Outcome = Awaited<ReturnType<typeof outcome>>;

/** Steps of 255 that compression and smaller colours may cost. */
const tolerance = 7;

function expectQuarters(seen: Outcome, wanted: Quarters): void {
  for (const [where, quarters] of Object.entries({ film: seen.pixels.quarters, still: seen.still.quarters }))
    for (const [at, quarter] of quarters.entries()) {
      const off = Math.max(...quarter.map((value, channel) => Math.abs(value - wanted[at]![channel]! * 255)));
      expect(
        off,
        `${where}, quarter ${at}: ${quarter} for ${wanted[at]!.map((value) => Math.round(value * 255))}`,
      ).toBeLessThan(tolerance);
    }
}

const forPages = {
  pix_fmt: 'yuv420p',
  color_range: 'tv',
  color_space: 'bt709',
  color_primaries: 'bt709',
  color_transfer: 'bt709',
};

const plain: Quarters = [
  [0.75, 0.25, 0.25],
  [0.25, 0.75, 0.25],
  [0.25, 0.25, 0.75],
  [0.5, 0.5, 0.5],
];

/** Encodes almost without loss. */
const x264 = ['-c:v', 'libx264', '-qp', '1'];
interface Tags {
  readonly colorspace: string;
  readonly color_primaries: string;
  readonly color_trc: string;
  readonly range?: string;
}
const tagged = (colorspace: string, color_primaries = colorspace, color_trc = color_primaries): Tags => ({
  ...{ colorspace, color_primaries, color_trc },
});
/** Filter for pictures of a matrix and a pixel format. Undefined tags: the film says nothing. */
const filtered = (matrix: string, format: string, tags?: Tags, range = 'tv'): string =>
  [
    `scale=out_color_matrix=${matrix}:out_range=${range}`,
    `format=${format}`,
    ...(tags
      ? [`setparams=${[...Object.entries(tags), ['range', range]].map((pair) => pair.join('=')).join(':')}`]
      : []),
  ].join(',');
const made = (...given: Parameters<typeof filtered>): readonly string[] => ['-vf', filtered(...given), ...x264];
const bt709 = tagged('bt709');
const control: Film = {
  ...{ width: 128, height: 72, frames: 10, quarters: plain, ending: 'mp4' },
  words: made('bt709', 'yuv420p', bt709),
};

const grey = (value: number): Signal => [value, value, value];
/** Light of a display, of which 1 is white: dark, a surface, white and a highlight, or colours. */
const greys: Quarters = [grey(0.05), grey(0.18), grey(1), grey(1_000 / 203)];
const colours: Quarters = [
  [0.25, 0.1, 0.05],
  [0.05, 0.2, 0.1],
  [0.1, 0.05, 0.25],
  [0.2, 0.18, 0.02],
];
/** Signal of a display for its light. White is bent to 68 percent, so that highlights stay brighter. */
const onDisplay = (light: Quarters): Quarters =>
  light.map((each) =>
    each.map((value) => (value > 1 ? 1 : value === 1 ? 0.6787 : value) ** (1 / 2.4)),
  ) as unknown as Quarters;
const each = (light: Quarters, signalOf: (light: Signal) => Signal): Quarters =>
  light.map(signalOf) as unknown as Quarters;
const hdr = (quarters: Quarters, transfer: string): Film => ({
  ...{ width: 128, height: 72, frames: 5, quarters, ending: 'mp4' },
  words: [
    ...['-vf', filtered('bt2020', 'yuv420p10le', tagged('bt2020nc', 'bt2020', transfer))],
    ...['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=none:lossless=1'],
  ],
});
const pq = (light: Quarters) => hdr(each(light, inPq), 'smpte2084');
const hlg = (light: Quarters) => hdr(each(light, inHlg), 'arib-std-b67');

/** Colours of BT.709 in those of BT.2020, whose signals have the same curve. */
const sdrWide = (quarters: Quarters): Quarters =>
  each(quarters, (signal) => {
    const light = signal.map((value) => ((value + 0.099) / 1.099) ** (1 / 0.45)) as unknown as Signal;
    return inBt2020(light).map((value) => 1.099 * value ** 0.45 - 0.099) as unknown as Signal;
  });

describe.skipIf(!isAble)('a film becomes SDR in BT.709, tagged as such, and so do its pictures', () => {
  const rows: readonly (readonly [title: string, film: Film, wanted: Quarters])[] = [
    ['SDR, as it is', control, plain],
    ['PQ: greys', pq(greys), onDisplay(greys)],
    ['PQ: colours', pq(colours), onDisplay(colours)],
    ['HLG: greys', hlg(greys), onDisplay(greys)],
    [
      'SDR in BT.2020',
      {
        ...control,
        quarters: sdrWide(plain),
        words: made('bt2020', 'yuv420p10le', tagged('bt2020nc', 'bt2020', 'bt2020-10')),
      },
      plain,
    ],
    ['SD of Europe', { ...control, words: made('bt601', 'yuv420p', tagged('bt470bg', 'bt470bg', 'bt709')) }, plain],
    ['SD that says nothing', { ...control, words: made('bt601', 'yuv420p') }, plain],
    [
      'HD that says nothing',
      { ...control, width: 1280, height: 720, frames: 2, words: made('bt709', 'yuv420p') },
      plain,
    ],
    ['full range', { ...control, words: made('bt709', 'yuv420p', bt709, 'pc') }, plain],
    ['RGB', { ...control, words: ['-c:v', 'libx264rgb', '-qp', '1'] }, plain],
    ['10 bit 4:2:2', { ...control, words: made('bt709', 'yuv422p10le', bt709) }, plain],
    [
      'ProRes of odd size',
      {
        ...control,
        width: 129,
        height: 73,
        ending: 'mov',
        words: ['-vf', filtered('bt709', 'yuv422p10le', bt709), '-c:v', 'prores_ks'],
      },
      plain,
    ],
  ];
  it.each(rows)('%s', async (_title, film, wanted) => {
    const seen = await outcome(await filmOf(film));
    expect(seen.film).toMatchObject(forPages);
    expect(seen.size).toEqual({ width: film.width & ~1, height: film.height & ~1 });
    expect(seen.stillSize).toEqual({ width: film.width, height: film.height });
    expect([Number(seen.film['duration']), seen.warnings]).toEqual([film.frames / 10, []]);
    expectQuarters(seen, wanted);
  });

  it('also without zscale and tonemap, and the job says so', async () => {
    const wrapper = join(scratchFolder(), 'ffmpeg-lgpl');
    writeFileSync(
      wrapper,
      `#!/bin/sh\ncase "$*" in *-filters*) "${program}" "$@" | grep -v -e zscale -e tonemap;; *) exec "${program}" "$@";; esac\n`,
    );
    chmodSync(wrapper, 0o755);
    for (const film of [pq(greys), hlg(greys)]) {
      const seen = await outcome(await filmOf(film), {}, wrapper);
      expect(seen.film).toMatchObject(forPages);
      expectQuarters(seen, onDisplay(greys));
      expect(seen.warnings).toEqual([
        'This ffmpeg has no zscale and tonemap: saturated bright colours of the HDR source are approximate',
      ]);
    }
    expect((await outcome(await filmOf(control), {}, wrapper)).warnings).toEqual([]);
  });

  it('and the media check tells its colours', async () => {
    const wanted = { colr_primaries: 9, colr_transfer_function: 16, colr_matrix: 9, bitDepth: 10 };
    const source = sourceOf(await filmOf(pq(greys)));
    const probe = checkedResult(await mediaProber.probe(source, { maxBytes: 1e9, signal }));
    expect(componentsOf(probe, source.size)[1]?.properties).toMatchObject({
      ...wanted,
      mediaInfo: { property: [{ key: 'Color_range', value: 'Limited' }] },
    });
  });

  it('unless its tag asks for more than eight bits: then it stays HDR', async () => {
    const change = { video: { ...video, codec: 'hevc', pixelFormat: 'yuv420p10le' } };
    const { film, pixels } = await outcome(await filmOf(pq(greys)), change);
    expect(film).toMatchObject({
      ...{ pix_fmt: 'yuv420p10le', color_space: 'bt2020nc', color_primaries: 'bt2020', color_transfer: 'smpte2084' },
    });
    expect(Math.abs(pixels.quarters[2][0] - inPq(grey(1))[0] * 255)).toBeLessThan(tolerance);
  });
});

describe.skipIf(!isAble)('a film on a page', () => {
  it.each([
    [90, { width: 72, height: 128 }, [2, 0, 3, 1]],
    [180, { width: 128, height: 72 }, [3, 2, 1, 0]],
    [270, { width: 72, height: 128 }, [1, 3, 0, 2]],
  ] as const)('stands upright where it is turned by %i degrees', async (degrees, size, from) => {
    const seen = await outcome(turned(await filmOf(control), degrees));
    expect([seen.size, seen.stillSize, seen.film['side_data_list']]).toEqual([size, size, undefined]);
    expectQuarters(seen, from.map((quarter) => plain[quarter]) as unknown as Quarters);
  });

  it('has square pixels', async () => {
    const words = [...made('bt601', 'yuv420p', tagged('smpte170m')), '-aspect', '16:9'];
    const seen = await outcome(await filmOf({ ...control, width: 90, height: 72, words }));
    expect([seen.size, seen.stillSize, seen.film['sample_aspect_ratio']]).toEqual([
      { width: 128, height: 72 },
      { width: 128, height: 72 },
      '1:1',
    ]);
    expectQuarters(seen, plain);
  });

  const within = { width: 96, height: 54 };
  it.each([
    ['a wide film', control, within, {}, { width: 96, height: 54 }],
    ['a wider one', { ...control, height: 60 }, within, {}, { width: 96, height: 44 }],
    ['an upright one', { ...control, width: 72, height: 128 }, within, {}, { width: 54, height: 96 }],
    ['a square', { ...control, width: 80, height: 80 }, within, {}, { width: 54, height: 54 }],
    ['one that fits', { ...control, width: 90, height: 50 }, within, {}, { width: 90, height: 50 }],
    ['one of another size', control, { width: 64, height: 64 }, { scaling: { width: 32 } }, { width: 32, height: 18 }],
  ] as const)('fits in the box of its tag, and is never made larger: %s', async (_title, film, box, change, size) => {
    const seen = await outcome(await filmOf(film), {
      video: { ...video, codec: 'h264', presets: ['veryfast'], within: box, ...change },
    });
    expect([seen.size, seen.film['sample_aspect_ratio'] ?? '1:1']).toEqual([size, '1:1']);
    expectQuarters(seen, plain);
  });

  it('has no combs where it was interlaced', async () => {
    const fields = `${filtered('bt709', 'yuv422p', bt709)},setfield=tff`;
    const words = ['-vf', fields, ...x264, '-flags', '+ildct+ilme', '-x264opts', 'tff=1'];
    const white: Quarters = [grey(0.9), grey(0.9), grey(0.9), grey(0.9)];
    const source = { ...control, quarters: white, secondField: grey(0.1), words };
    const seen = await outcome(await filmOf(source));
    for (const picture of [seen.pixels, seen.still]) {
      const lines = Array.from({ length: 40 }, (_, line) => picture.at(64, 16 + line)[0]);
      expect(Math.max(...lines) - Math.min(...lines), lines.join()).toBeLessThan(tolerance);
    }
    expect([seen.film['field_order'], Number(seen.film['duration'])]).toEqual(['progressive', 1]);
  });

  it('keeps six channels', async () => {
    const inputs = ['-f', 'lavfi', '-i', 'aevalsrc=0.1*sin(600*t)|0|0|0|0|0.1*sin(900*t):c=5.1:s=48000:d=1'];
    const { sound } = await outcome(await filmOf({ ...control, inputs, words: [...control.words, '-c:a', 'ac3'] }));
    expect(sound).toMatchObject({ codec_name: 'aac', channels: 6, channel_layout: '5.1', sample_rate: '48000' });
  });

  it('keeps the times of its pictures where they differ', async () => {
    const [, filters, ...behind] = control.words;
    const words = ['-vf', `setpts='(N+0.4*mod(N,2))/10/TB',${filters}`, '-vsync', 'vfr', ...behind];
    const { film } = await outcome(await filmOf({ ...control, words }));
    expect(Number(film['nb_read_packets'])).toBe(10);
    expect(Math.abs(Number(film['duration']) - 1)).toBeLessThan(0.15);
  });
});
