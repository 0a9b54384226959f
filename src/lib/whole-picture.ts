import { crcTable, pngBegin } from './png.ts';
import { nextTurn } from './turn.ts';

export interface WholePicture {
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

/** Bytes of all pixels of one picture: a small file could unpack to gigabytes. */
const mostUnpacked = 256 * 1024 * 1024;
/** Bytes of a picture that are looked at in one turn of the loop. */
const turn = 512 * 1024;

/** Type and size of a picture that was read to its last byte, or a text that says what was expected. */
export async function wholePicture(bytes: Uint8Array<ArrayBuffer>): Promise<WholePicture | string> {
  if (pngBegin.every((byte, at) => bytes[at] === byte)) return wholePng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return wholeJpeg(bytes);
  return 'Expected a PNG or a JPEG';
}

/** Samples of a pixel by the type of its colours, and the bits that a sample may have. */
const colours: ReadonlyMap<number, readonly [samples: number, bits: readonly number[]]> = new Map([
  [0, [1, [1, 2, 4, 8, 16]]],
  [2, [3, [8, 16]]],
  [3, [1, [1, 2, 4, 8]]],
  [4, [2, [8, 16]]],
  [6, [4, [8, 16]]],
]);

/** Where each pass over an interlaced picture begins, and its steps. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

async function wholePng(bytes: Uint8Array<ArrayBuffer>): Promise<WholePicture | string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Uint8Array<ArrayBuffer>[] = [];
  let at = pngBegin.length;
  let isOver = false;
  let head: DataView | undefined;
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
  if (size > mostUnpacked) return `Expected a picture whose pixels have at most ${mostUnpacked} bytes`;
  if ((await unpacked(data, size)) !== size) return 'Expected a PNG with all of its pixels';
  return { type: 'image/png', width, height };
}

async function crcOf(bytes: Uint8Array): Promise<number> {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.byteLength; at++) {
    if (at > 0 && at % turn === 0) await nextTurn();
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

/** The bytes that unpack, up to one more than are wanted. Undefined: they cannot be unpacked. */
async function unpacked(parts: readonly Uint8Array<ArrayBuffer>[], wanted: number): Promise<number | undefined> {
  const reader = new Blob([...parts]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      if (size <= wanted) continue;
      await reader.cancel();
      break;
    }
    return size;
  } catch {
    return undefined;
  }
}

/** Frames of JPEG that browsers show: baseline, extended and progressive. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const [startOfScan, endOfPicture] = [0xda, 0xd9];

/** Reads all segments of a JPEG, and passes over what is between them up to its end. */
function wholeJpeg(bytes: Uint8Array): WholePicture | string {
  const pairAt = (at: number) => (bytes[at]! << 8) | bytes[at + 1]!;
  let size: readonly [width: number, height: number] | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return 'Expected a JPEG with all of its bytes';
    // Any number of them may stand ahead of a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === endOfPicture) {
      if (at + 2 !== bytes.byteLength) return 'Expected a JPEG without bytes behind its end';
      if (!size || !hasScan) return 'Expected a JPEG with a picture in it';
      return { type: 'image/jpeg', width: size[0], height: size[1] };
    }
    const length = at + 4 <= bytes.byteLength ? pairAt(at + 2) : 0;
    const end = at + 2 + length;
    if (length < 2 || end > bytes.byteLength) return 'Expected a JPEG with all of its bytes';
    if (frames.has(marker)) {
      if (size || length < 8 || length !== 8 + 3 * bytes[at + 9]!) return 'Expected a JPEG with one picture in it';
      size = [pairAt(at + 7), pairAt(at + 5)];
      if (size[0] === 0 || size[1] === 0) return 'Expected a JPEG with pixels, as its header says';
    }
    if (marker === startOfScan && !size) return 'Expected a JPEG that says its size ahead of its pixels';
    at = marker === startOfScan ? endOfScan(bytes, end) : end;
    hasScan ||= at > end;
  }
}

/** Where the next marker is. Zeros behind 0xff, and marks to begin again at, belong to the pixels. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== 0 && next !== 0xff && !(next !== undefined && next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.byteLength;
}
