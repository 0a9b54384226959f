import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Red, green and blue from 0 to 1, as the signal has them. */
export type Signal = readonly [number, number, number];

/** Signals of the upper left, upper right, lower left and lower right quarter. */
export type Quarters = readonly [Signal, Signal, Signal, Signal];

export interface Film {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly quarters: Quarters;
  /** Signal of each second line, in place of that of its quarter: fields of two times. */
  readonly secondField?: Signal;
  /** Arguments behind the raw pictures: filters, encoders, tags. */
  readonly words: readonly string[];
  readonly ending: string;
  /** Inputs beside the pictures. */
  readonly inputs?: readonly string[];
}

function rawFrame({ width, height, quarters, secondField }: Film): Buffer {
  const frame = Buffer.alloc(width * height * 6);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const quarter = quarters[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!;
      const signal = secondField && y % 2 === 1 ? secondField : quarter;
      for (const [at, value] of signal.entries())
        frame.writeUInt16LE(Math.round(Math.min(1, Math.max(0, value)) * 65_535), (y * width + x) * 6 + at * 2);
    }
  return frame;
}

/** A folder that goes with the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-films-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Bytes of a film, ten pictures a second. */
export async function filmOf(film: Film): Promise<Buffer> {
  const file = join(scratchFolder(), `film.${film.ending}`);
  const raw = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb48le',
    '-s',
    `${film.width}x${film.height}`,
    '-r',
    '10',
    '-i',
    'pipe:0',
  ];
  const child = spawn('ffmpeg', ['-v', 'error', ...raw, ...(film.inputs ?? []), ...film.words, '-y', file]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const frame = rawFrame(film);
  child.stdin.on('error', () => undefined).end(Buffer.concat(Array.from({ length: film.frames }, () => frame)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`Expected ffmpeg to make a sample: ${said}`);
  return readFileSync(file);
}

/** The same film, to be shown turned clockwise by 90, 180 or 270 degrees. */
export function turned(film: Buffer, degrees: number): Buffer {
  const bytes = Buffer.from(film);
  const matrix = bytes.indexOf('tkhd') + 44;
  const [cos, sin] = [Math.round(Math.cos((degrees * Math.PI) / 180)), Math.round(Math.sin((degrees * Math.PI) / 180))];
  for (const [at, value] of [cos, sin, 0, -sin, cos, 0].entries()) bytes.writeInt32BE(value * 65_536, matrix + at * 4);
  return bytes;
}

/** Streams of a file as ffprobe tells them. */
export async function streamsIn(file: string): Promise<readonly Record<string, unknown>[]> {
  const words = ['-v', 'error', '-show_streams', '-count_packets', '-of', 'json', file];
  return (JSON.parse((await run('ffprobe', words)).stdout) as { streams: Record<string, unknown>[] }).streams;
}

/** Red, green and blue of the last picture of a file, as a page shows BT.709 of the usual range or a single picture. */
export async function pixelsOf(
  file: string,
  size: { readonly width: number; readonly height: number },
  isFilm: boolean,
) {
  const filters = [...(isFilm ? ['scale=in_color_matrix=bt709:in_range=tv'] : []), 'format=rgb24'].join(',');
  const words = ['-v', 'error', '-i', file, '-vf', filters, '-frames:v', '1', '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await run('ffmpeg', words, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 });
  const at = (x: number, y: number): Signal => {
    const place = (y * size.width + x) * 3;
    return [stdout[place]!, stdout[place + 1]!, stdout[place + 2]!];
  };
  const middle = (column: number, row: number) =>
    at(Math.floor((size.width * (1 + 2 * column)) / 4), Math.floor((size.height * (1 + 2 * row)) / 4));
  return { at, quarters: [middle(0, 0), middle(1, 0), middle(0, 1), middle(1, 1)] as const };
}

/** Light of a display in the primaries of BT.709 as that in BT.2020 (ITU-R BT.2087). */
export const inBt2020 = ([r, g, b]: Signal): Signal => [
  0.6274 * r + 0.3293 * g + 0.0433 * b,
  0.0691 * r + 0.9195 * g + 0.0114 * b,
  0.0164 * r + 0.088 * g + 0.8956 * b,
];

/** Candela of white on a page beside pictures of a wide range (ITU-R BT.2408). */
const white = 203;

/** Signal of SMPTE ST 2084 for light of a display, of which 1 is white. */
export const inPq = (light: Signal): Signal =>
  inBt2020(light).map((value) => {
    const share = ((value * white) / 10_000) ** 0.1593017578125;
    return ((0.8359375 + 18.8515625 * share) / (1 + 18.6875 * share)) ** 78.84375;
  }) as unknown as Signal;

/** Signal of HLG (ITU-R BT.2100) for grey light of a display of 1,000 candela, of which 1 is white. */
export const inHlg = (light: Signal): Signal =>
  light.map((value) => {
    const scene = ((value * white) / 1_000) ** (1 / 1.2);
    return scene <= 1 / 12 ? Math.sqrt(3 * scene) : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073;
  }) as unknown as Signal;
