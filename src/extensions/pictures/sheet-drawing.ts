import { networkOf } from '../../core/lib/address.ts';
import { Recent } from '../../core/lib/cache.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { Gate, GateFull } from '../../core/lib/gate.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import type { Pixels } from '../../production/transcoding/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import type { SheetCaller } from '../../room/pictures.ts';
import { accountOf } from '../../security/caller.ts';
import { type PixelsType, readPixels, writePixels } from './pixels.ts';
import type { Box, Layout } from './sheet-layout.ts';

/** Red, green, blue and how much of it is seen, each from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

export function emptyPixels(width: number, height: number, colour: Colour): Pixels {
  const data = new Uint8Array(width * height * 4);
  data.set(colour);
  // Each copy doubles what is filled.
  for (let filled = 4; filled < data.byteLength; filled *= 2) data.copyWithin(filled, 0, filled);
  return { width, height, data };
}

/** The size of a picture in a box, with its proportions. A small picture keeps its size. */
export function fitted(of: Pick<Pixels, 'width' | 'height'>, into: Pick<Pixels, 'width' | 'height'>) {
  const scale = Math.min(1, into.width / of.width, into.height / of.height);
  return { width: Math.max(1, Math.round(of.width * scale)), height: Math.max(1, Math.round(of.height * scale)) };
}

/** Draws a picture into the middle of a box, row by row: each pixel is the mean of those that it stands for. */
export function* drawInto(sheet: Pixels, picture: Pixels, box: Box): Generator<number, void> {
  const { width, height } = fitted(picture, box);
  const [left, top] = [box.x + ((box.width - width) >> 1), box.y + ((box.height - height) >> 1)];
  const begins = (length: number, of: number) =>
    Int32Array.from({ length: length + 1 }, (_, at) => Math.floor((at * of) / length));
  const [columns, rows] = [begins(width, picture.width), begins(height, picture.height)];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let [red, green, blue, alpha, count] = [0, 0, 0, 0, 0];
      for (let y = rows[row]!; y < rows[row + 1]!; y++) {
        for (let x = columns[column]!; x < columns[column + 1]!; x++) {
          const at = (y * picture.width + x) * 4;
          const seen = picture.data[at + 3]!;
          red += picture.data[at]! * seen;
          green += picture.data[at + 1]! * seen;
          blue += picture.data[at + 2]! * seen;
          alpha += seen;
          count++;
        }
      }
      blend(sheet.data, ((top + row) * sheet.width + left + column) * 4, [red, green, blue, alpha / count], alpha);
    }
    yield width + picture.width * (rows[row + 1]! - rows[row]!);
  }
}

/** Colours are sums, weighted by what is seen of them. */
export function blend(data: Uint8Array, at: number, [red, green, blue, seen]: Colour, weight: number): void {
  if (weight === 0) return;
  const behind = (data[at + 3]! * (255 - seen)) / 255;
  const all = seen + behind;
  const mixed = (sum: number, old: number) => Math.round(((sum / weight) * seen + old * behind) / all);
  data[at] = mixed(red, data[at]!);
  data[at + 1] = mixed(green, data[at + 1]!);
  data[at + 2] = mixed(blue, data[at + 2]!);
  data[at + 3] = Math.round(all);
}

interface Sheet {
  /** Names the sheet: the same one is drawn once. */
  readonly name: string;
  readonly background: Colour;
  readonly type: PixelsType;
  /** Called in the gate, as it may read pictures. */
  layout(): Promise<Layout>;
  /** The bytes of one of its pictures. Undefined: its box stays empty. */
  open(index: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Sheets that are kept, the bytes of one that is, and the milliseconds for which it is. */
const [maxSheets, maxKept, sheetLifetime] = [32, 1024 * 1024, 3 * 60 * 60 * 1000];

/** Sheets that wait while another one is drawn, and the milliseconds that one of them waits. */
const limits = { depth: 16, maxWait: 20_000 };

/** Part of the room context that sheets are made from. */
export type SheetContext = Pick<RoomContext, 'store' | 'clock' | 'sharesWork'>;

export type DrawSheet = (sheet: Sheet, call: SheetCaller) => Promise<Uint8Array<ArrayBuffer>>;

/** Draws sheets of pictures, one after the other: each takes up to a second of the processor. */
export function createDrawing({ clock, sharesWork }: Omit<SheetContext, 'store'>): DrawSheet {
  const recent = new Recent<string, Uint8Array<ArrayBuffer>>(maxSheets);
  // On the edge, requests must not wait for each other.
  const gate = new Gate({ ...limits, width: sharesWork ? 1 : Number.POSITIVE_INFINITY }, clock);

  async function draw({ layout: laidOut, background, type, open }: Sheet): Promise<Uint8Array<ArrayBuffer>> {
    const layout = await laidOut();
    const sheet = emptyPixels(layout.width, layout.height, background);
    for (const [index, box] of layout.boxes.entries()) {
      const bytes = await open(index);
      const picture: Pixels | undefined = bytes && (await readPixels(bytes));
      if (picture) await runInSlices(drawInto(sheet, picture, box));
    }
    return writePixels(sheet, type);
  }

  return async (sheet, call) => {
    const cached = () => recent.get(sheet.name, clock.now());
    async function task(): Promise<Uint8Array<ArrayBuffer>> {
      const other = cached();
      if (other) return other;
      const bytes = await draw(sheet);
      if (bytes.byteLength <= maxKept) recent.set(sheet.name, bytes, clock.now() + sheetLifetime);
      return bytes;
    }
    return cached() ?? gate.run(task, { line: [lineOf(call)] }).catch(refuseFlood);
  };
}

/** A line for each account, or else for each network: a flood of one keeps no other out. */
export const lineOf = (call: SheetCaller): string =>
  call.subject ? `account ${accountOf(call)}` : `network ${networkOf(call.address)}`;

export function refuseFlood(error: unknown): never {
  if (!(error instanceof GateFull)) throw error;
  throw new ServiceError(
    'busy',
    { explanation: 'Too many pictures are being drawn: try again shortly' },
    { 'retry-after': '5' },
  );
}
