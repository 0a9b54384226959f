import { joined } from './joined.ts';

export const pngBegin = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.byteLength + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.byteLength);
  for (let at = 0; at < 4; at++) bytes[4 + at] = type.charCodeAt(at);
  bytes.set(data, 8);
  let crc = 0xffffffff;
  for (let at = 4; at < data.byteLength + 8; at++) crc = crcTable[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  view.setUint32(data.byteLength + 8, (crc ^ 0xffffffff) >>> 0);
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
