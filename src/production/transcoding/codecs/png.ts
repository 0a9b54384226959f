import { joined } from '../../../core/lib/bytes.ts';
import { crc32 } from '../../../core/lib/crc32.ts';
import { runInSlices } from '../../../core/lib/turn.ts';
import { beyondSides, headerSize, maxParts, type Size } from './picture-bounds.ts';
import { pngBegin } from './picture-type.ts';

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.byteLength + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.byteLength);
  for (let at = 0; at < 4; at++) bytes[4 + at] = type.charCodeAt(at);
  bytes.set(data, 8);
  view.setUint32(data.byteLength + 8, crc32(bytes.subarray(4, data.byteLength + 8)));
  return bytes;
}

interface PngPicture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each colour, where pixels are numbers of colours. Undefined: pixels are red, green and blue. */
  readonly palette?: Uint8Array<ArrayBuffer>;
  /** True: pixels are red, green, blue and opacity. */
  readonly hasAlpha?: boolean;
  /** Each row begins with the number of its filter: zero for none. */
  readonly rows: Uint8Array<ArrayBuffer>;
}

/** A PNG of eight bits for each value. */
export async function pngFile({
  width,
  height,
  palette,
  hasAlpha,
  rows,
}: PngPicture): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, palette ? 3 : hasAlpha ? 6 : 2, 0, 0, 0], 8);
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'));
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  const parts = [
    Uint8Array.from(pngBegin),
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array()),
  ];
  return joined(parts);
}

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

/** A PNG in its parts, with the bytes of its pixels as they are packed. */
export interface PngParts extends Size {
  readonly bits: number;
  readonly colour: number;
  readonly samples: number;
  readonly isInterlaced: boolean;
  readonly palette: Uint8Array | undefined;
  readonly data: Uint8Array<ArrayBuffer>;
  /** Bytes of the rows. */
  readonly size: number;
}

/** The size of a PNG that was read to its last byte, or a text that says what was expected. `max`: bytes of all pixels. */
export async function wholePng(bytes: Uint8Array<ArrayBuffer>, max: number): Promise<Size | string> {
  const parts = await pngParts(bytes, max);
  if (typeof parts === 'string') return parts;
  if (!(await unpackPng(parts))) return 'Expected a PNG with all of its pixels';
  return { width: parts.width, height: parts.height };
}

/** The parts of a PNG of so many bytes once it is unpacked, or a text that says what was expected. */
export async function pngParts(bytes: Uint8Array<ArrayBuffer>, max: number): Promise<PngParts | string> {
  // A header that says too much ends the work before there is any.
  const size = headerSize(bytes);
  const expected = size && beyondSides(size);
  return expected ?? runInSlices(readParts(bytes, max));
}

/** Types of chunks, as their four letters are in the file. */
const [IHDR, PLTE, IDAT, IEND] = [0x49484452, 0x504c5445, 0x49444154, 0x49454e44];

/** Bytes of a check sum in one step, and how many of them take as long as a pixel. */
const [summed, cost] = [256 * 1024, 8];

function* readParts(bytes: Uint8Array<ArrayBuffer>, max: number): Generator<number, PngParts | string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Uint8Array<ArrayBuffer>[] = [];
  let at = pngBegin.length;
  let isOver = false;
  let head: DataView | undefined;
  let palette: Uint8Array | undefined;
  for (let parts = 1; !isOver; parts++) {
    if (parts > maxParts) return `Expected a PNG of at most ${maxParts} chunks`;
    const length = at + 12 <= bytes.byteLength ? view.getUint32(at) : Number.POSITIVE_INFINITY;
    const end = at + 12 + length;
    if (end > bytes.byteLength) return 'Expected a PNG with all of its bytes';
    let sum = 0;
    for (let from = at + 4; from < end - 4; from += summed) {
      const part = bytes.subarray(from, Math.min(from + summed, end - 4));
      sum = crc32(part, sum);
      yield 20 + part.byteLength / cost;
    }
    if (sum !== view.getUint32(end - 4)) return 'Expected a PNG whose parts have their check sums';
    const type = view.getUint32(at + 4);
    const content = bytes.subarray(at + 8, end - 4);
    if ((head === undefined) !== (type === IHDR) || (type === IHDR && length !== 13)) {
      return 'Expected a PNG with one header at its beginning';
    }
    if (type === IHDR) head = new DataView(content.buffer, content.byteOffset, length);
    if (type === PLTE) palette = content;
    if (type === IDAT) data.push(content);
    isOver = type === IEND;
    at = end;
  }
  if (at !== bytes.byteLength) return 'Expected a PNG without bytes behind its end';
  const [width, height, bits, colour] = [head!.getUint32(0), head!.getUint32(4), head!.getUint8(8), head!.getUint8(9)];
  const [samples = 0, allowed = []] = colours.get(colour) ?? [];
  if (width === 0 || height === 0 || !allowed.includes(bits)) return 'Expected a PNG with pixels, as its header says';
  const isInterlaced = head!.getUint8(12) === 1;
  const size = unpackedSize(width, height, samples * bits, isInterlaced);
  if (size > max) return `Expected a picture whose pixels have at most ${max} bytes`;
  return { width, height, bits, colour, samples, isInterlaced, palette, data: joined(data), size };
}

/** Each row begins with the number of its filter. */
function unpackedSize(width: number, height: number, bits: number, isInterlaced: boolean): number {
  const rows = (columns: number, lines: number) => (columns === 0 ? 0 : lines * (1 + Math.ceil((columns * bits) / 8)));
  if (!isInterlaced) return rows(width, height);
  const count = (length: number, from: number, step: number) => Math.max(0, Math.ceil((length - from) / step));
  return passes.reduce((sum, [x, y, dx, dy]) => sum + rows(count(width, x, dx), count(height, y, dy)), 0);
}

/** Whether as many bytes unpack as the rows have. They are written into `rows`, if there are any. */
export async function unpackPng({ data, size }: PngParts, rows?: Uint8Array): Promise<boolean> {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
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
