import { deflateSync } from 'node:zlib';
import { joined } from '../../../src/core/lib/bytes.ts';
import { crc32 } from '../../../src/core/lib/crc32.ts';

/** As many bytes as a picture may have. */
const max = 5 * 1024 * 1024;

const begin = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

function chunk(type: string, data = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(12 + data.byteLength);
  const view = new DataView(made.buffer);
  view.setUint32(0, data.byteLength);
  made.set(new TextEncoder().encode(type), 4);
  made.set(data, 8);
  view.setUint32(8 + data.byteLength, crc32(made.subarray(4, 8 + data.byteLength)));
  return made;
}

interface Png {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly bits?: 8 | 16;
  /** Chunks ahead of the pixels: as many as there is room for. */
  readonly filler?: 'IDAT' | 'tEXt' | undefined;
  readonly count?: number;
}

/** A PNG of red, green, blue and opacity. Each row is filtered by the costliest filter. */
export function plainPng({ width, height, bits = 8, filler, count }: Png): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([bits, 6], 8);
  const stride = 1 + (width * 4 * bits) / 8;
  const rows = new Uint8Array(stride * height);
  for (let at = 0; at < rows.byteLength; at += stride) rows.set([4, 0x55, 0xaa, 0x33, 0xff], at);
  const data = chunk('IDAT', Uint8Array.from(deflateSync(rows)));
  const empty = filler && chunk(filler);
  const room = empty ? Math.floor((max - data.byteLength - 100) / empty.byteLength) : 0;
  const fillers = empty ? Array<Uint8Array>(Math.min(room, count ?? room)).fill(empty) : [];
  return joined([begin, chunk('IHDR', header), ...fillers, data, chunk('IEND')]);
}

const segment = (marker: number, body: Uint8Array): Uint8Array =>
  joined([Uint8Array.of(0xff, marker, (body.byteLength + 2) >> 8, (body.byteLength + 2) & 255), body]);

/** A JPEG with segments behind its first two bytes: as many as there is room for. */
function jpegWith(picture: Uint8Array, filler: Uint8Array): Uint8Array<ArrayBuffer> {
  const fillers = Array<Uint8Array>(Math.floor((max - picture.byteLength) / filler.byteLength)).fill(filler);
  return joined([picture.subarray(0, 2), ...fillers, picture.subarray(2)]);
}

/** Segments of nothing. */
export const jpegOfSegments = (picture: Uint8Array): Uint8Array<ArrayBuffer> =>
  jpegWith(picture, segment(0xfe, new Uint8Array()));

/** Tables without a code, 3,854 of them in a segment. */
export const jpegOfTables = (picture: Uint8Array): Uint8Array<ArrayBuffer> =>
  jpegWith(picture, segment(0xc4, new Uint8Array(17 * 3_854)));

/** Tables of steps, a thousand of them in a segment. */
export const jpegOfSteps = (picture: Uint8Array): Uint8Array<ArrayBuffer> =>
  jpegWith(picture, segment(0xdb, new Uint8Array(65 * 1_000)));
