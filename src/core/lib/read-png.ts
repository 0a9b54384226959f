import type { Pixels } from './jpeg/jpeg.ts';
import { mostPixels, type Size } from './jpeg/reader.ts';
import { crcTable, pngBegin } from './png.ts';
import { nextTurn, runInSlices } from './turn.ts';

/** Bytes of a picture that are looked at in one turn of the loop. */
const tickBytes = 512 * 1024;
/** Four samples of 16 bits, and the number of a filter where a row has one pixel. */
const mostBytesOfPixel = 9;

/** Samples of a pixel by the type of its colours, and the bits that a sample may have. */
const colours: ReadonlyMap<number, readonly [samples: number, bits: readonly number[]]> = new Map([
  [0, [1, [1, 2, 4, 8, 16]]],
  [2, [3, [8, 16]]],
  [3, [1, [1, 2, 4, 8]]],
  [4, [2, [8, 16]]],
  [6, [4, [8, 16]]],
]);

/** Offsets and steps of the passes over an interlaced picture. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Parts extends Size {
  readonly bits: number;
  readonly colour: number;
  readonly samples: number;
  readonly isInterlaced: boolean;
  readonly palette: Uint8Array | undefined;
  readonly data: readonly Uint8Array<ArrayBuffer>[];
  /** Bytes of the rows. */
  readonly size: number;
}

/** The size of a PNG that was read to its last byte, or a text that says what was expected. `most`: bytes of all pixels. */
export async function wholePng(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<Size | string> {
  const parts = await partsOf(bytes, most);
  if (typeof parts === 'string') return parts;
  if (!(await unpack(parts))) return 'Expected a PNG with all of its pixels';
  return { width: parts.width, height: parts.height };
}

/** The pixels of a PNG. Undefined: it is interlaced, too large or not whole. */
export async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels | undefined> {
  const parts = await partsOf(bytes, mostBytesOfPixel * mostPixels);
  if (typeof parts === 'string' || parts.isInterlaced || parts.width * parts.height > mostPixels) return undefined;
  const { width, height, bits, samples } = parts;
  const rows = new Uint8Array(parts.size);
  if (!(await unpack(parts, rows))) return undefined;
  const stride = parts.size / height - 1;
  await runInSlices(unfilter(rows, stride, height, Math.max(1, (samples * bits) >> 3)));
  return { width, height, data: await runInSlices(coloured(parts, rows, stride)) };
}

/** The parts of a PNG of so many bytes once it is unpacked, or a text that says what was expected. */
async function partsOf(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<Parts | string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Uint8Array<ArrayBuffer>[] = [];
  let at = pngBegin.length;
  let isOver = false;
  let head: DataView | undefined;
  let palette: Uint8Array | undefined;
  while (!isOver) {
    const length = at + 12 <= bytes.byteLength ? view.getUint32(at) : Number.POSITIVE_INFINITY;
    const end = at + 12 + length;
    if (end > bytes.byteLength) return 'Expected a PNG with all of its bytes';
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if ((await crcOf(bytes.subarray(at + 4, end - 4))) !== view.getUint32(end - 4)) {
      return 'Expected a PNG whose parts have their check sums';
    }
    const content = bytes.subarray(at + 8, end - 4);
    if ((head === undefined) !== (type === 'IHDR') || (type === 'IHDR' && length !== 13)) {
      return 'Expected a PNG with one header at its beginning';
    }
    if (type === 'IHDR') head = new DataView(content.buffer, content.byteOffset, length);
    if (type === 'PLTE') palette = content;
    if (type === 'IDAT') data.push(content);
    isOver = type === 'IEND';
    at = end;
  }
  if (at !== bytes.byteLength) return 'Expected a PNG without bytes behind its end';
  const [width, height, bits, colour] = [head!.getUint32(0), head!.getUint32(4), head!.getUint8(8), head!.getUint8(9)];
  const [samples = 0, allowed = []] = colours.get(colour) ?? [];
  if (width === 0 || height === 0 || !allowed.includes(bits)) return 'Expected a PNG with pixels, as its header says';
  const isInterlaced = head!.getUint8(12) === 1;
  const size = unpackedSize(width, height, samples * bits, isInterlaced);
  if (size > most) return `Expected a picture whose pixels have at most ${most} bytes`;
  return { width, height, bits, colour, samples, isInterlaced, palette, data, size };
}

async function crcOf(bytes: Uint8Array): Promise<number> {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.byteLength; at++) {
    if (at > 0 && at % tickBytes === 0) await nextTurn();
    crc = crcTable[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Each row begins with the number of its filter. */
function unpackedSize(width: number, height: number, bits: number, isInterlaced: boolean): number {
  const rows = (columns: number, lines: number) => (columns === 0 ? 0 : lines * (1 + Math.ceil((columns * bits) / 8)));
  if (!isInterlaced) return rows(width, height);
  const count = (length: number, from: number, step: number) => Math.max(0, Math.ceil((length - from) / step));
  return passes.reduce((sum, [x, y, dx, dy]) => sum + rows(count(width, x, dx), count(height, y, dy)), 0);
}

/** Whether as many bytes unpack as the rows have. They are written into `rows`, if there are any. */
async function unpack({ data, size }: Parts, rows?: Uint8Array): Promise<boolean> {
  const reader = new Blob([...data]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  let at = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (at + next.value.byteLength > size) {
        await reader.cancel();
        return false;
      }
      rows?.set(next.value, at);
      at += next.value.byteLength;
    }
    return at === size;
  } catch {
    return false;
  }
}

/** Each row begins with the number of its filter, by which its bytes follow from those ahead and above. */
function* unfilter(rows: Uint8Array, stride: number, height: number, step: number): Generator<number, void> {
  for (let line = 0, at = 0; line < height; line++, at += stride + 1) {
    const filter = rows[at]!;
    for (let place = 1; place <= stride; place++) {
      const ahead = place > step ? rows[at + place - step]! : 0;
      const above = line > 0 ? rows[at + place - stride - 1]! : 0;
      const both = line > 0 && place > step ? rows[at + place - stride - 1 - step]! : 0;
      rows[at + place]! += predicted(filter, ahead, above, both);
    }
    yield stride;
  }
}

function predicted(filter: number, ahead: number, above: number, both: number): number {
  if (filter === 1) return ahead;
  if (filter === 2) return above;
  if (filter === 3) return (ahead + above) >> 1;
  if (filter !== 4) return 0;
  const estimate = ahead + above - both;
  const [a, b, c] = [Math.abs(estimate - ahead), Math.abs(estimate - above), Math.abs(estimate - both)];
  if (a <= b && a <= c) return ahead;
  return b <= c ? above : both;
}

/** Pixels without transparency of their own colours alone: one colour that stands for it is shown. */
function* coloured(
  { width, height, bits, colour, samples, palette }: Parts,
  rows: Uint8Array,
  stride: number,
): Generator<number, Uint8Array> {
  const data = new Uint8Array(width * height * 4);
  const most = (1 << Math.min(bits, 8)) - 1;
  for (let line = 0, to = 0; line < height; line++) {
    const begin = line * (stride + 1) + 1;
    /** Sample in 8 bits: the upper half of 16 bits. */
    const sample = (index: number): number => {
      const place = index * bits;
      if (bits >= 8) return rows[begin + (place >> 3)]!;
      return (rows[begin + (place >> 3)]! >> (8 - bits - (place & 7))) & most;
    };
    for (let column = 0; column < width; column++, to += 4) {
      const first = sample(column * samples);
      const isGrey = samples <= 2;
      const grey = Math.round((first * 255) / most);
      for (let part = 0; part < 3; part++) {
        if (colour === 3) data[to + part] = palette?.[first * 3 + part] ?? 0;
        else data[to + part] = isGrey ? grey : sample(column * samples + part);
      }
      data[to + 3] = samples % 2 === 0 ? sample(column * samples + samples - 1) : 255;
    }
    yield width * 2;
  }
  return data;
}
