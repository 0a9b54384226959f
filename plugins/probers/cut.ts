import type { MediaSource } from '../../src/spi/index.ts';

/** Boxes that are looked at: films in fragments have thousands. */
const mostBoxes = 8;

/** Bytes that the boxes of an ISO file promise behind its end: 0 for a whole one. Readers take a cut film for a short one. */
export async function missingBytes({ size, read }: Pick<MediaSource, 'size' | 'read'>): Promise<number> {
  let at = 0;
  for (let boxes = 0; boxes < mostBoxes && at + 8 <= size; boxes++) {
    const header = await read({ from: at, end: Math.min(at + 16, size) });
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const short = view.getUint32(0);
    // The last box may say that it goes on to the end.
    if (short === 0) return 0;
    const length = short === 1 && header.byteLength === 16 ? Number(view.getBigUint64(8)) : short;
    if (length < 8) return 0;
    at += length;
  }
  return Math.max(0, at - size);
}
