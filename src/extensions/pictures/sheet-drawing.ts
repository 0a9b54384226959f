import { networkOf } from '../../core/lib/address.ts';
import { Recent } from '../../core/lib/cache.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { Gate, GateFull } from '../../core/lib/gate.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import type { Pixels } from '../../production/transcoding/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import type { SheetCaller } from '../../room/pictures.ts';
import { accountOf } from '../../security/caller.ts';
import { type Colour, emptyPixels, tileHere } from './canvas.ts';
import { type Drawing, drawingTask, unreadable } from './drawing-thread.ts';
import { type PixelsType, writePixels } from './pixels.ts';
import type { Box, Layout } from './sheet-layout.ts';

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
export type SheetContext = Pick<RoomContext, 'store' | 'clock' | 'sharesWork' | 'thread'>;

export type DrawSheet = (sheet: Sheet, call: SheetCaller) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Draws sheets of pictures, one after the other: each takes up to a second of the processor. Pictures are read on a
 * thread where the host has some, because others have made them.
 */
export function createDrawing({ clock, sharesWork, thread }: Omit<SheetContext, 'store'>): DrawSheet {
  const recent = new Recent<string, Uint8Array<ArrayBuffer>>(maxSheets);
  // On the edge, requests must not wait for each other.
  const gate = new Gate({ ...limits, width: sharesWork ? 1 : Number.POSITIVE_INFINITY }, clock);
  const tileOf = thread?.<Drawing, Pixels | undefined>(drawingTask) ?? tileHere;

  async function encoded(pixels: Pixels, type: PixelsType, by: string): Promise<Uint8Array<ArrayBuffer>> {
    if (!thread) return writePixels(pixels, type);
    const bytes = await thread<Drawing, Uint8Array<ArrayBuffer>>(drawingTask)({ pixels, type, by }).catch(unreadable);
    if (!bytes) throw busy();
    return bytes;
  }

  async function draw(
    { layout: laidOut, background, type, open }: Sheet,
    by: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const layout = await laidOut();
    const sheet = emptyPixels(layout.width, layout.height, background);
    for (const [index, box] of layout.boxes.entries()) {
      const picture = await open(index);
      const tile = picture && (await tileOf({ picture, box, background, by }).catch(unreadable));
      if (tile) await runInSlices(place(sheet, tile, box));
    }
    return encoded(sheet, type, by);
  }

  return async (sheet, call) => {
    const cached = () => recent.get(sheet.name, clock.now());
    async function task(): Promise<Uint8Array<ArrayBuffer>> {
      const other = cached();
      if (other) return other;
      const bytes = await draw(sheet, lineOf(call));
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
  if (error instanceof GateFull) throw busy();
  throw error;
}

const busy = (): ServiceError =>
  new ServiceError(
    'busy',
    { explanation: 'Too many pictures are being drawn: try again shortly' },
    { 'retry-after': '5' },
  );

/** Copies the pixels of a box to its place. */
function* place(sheet: Pixels, { width, height, data }: Pixels, { x, y }: Box): Generator<number, void> {
  for (let row = 0; row < height; row++) {
    sheet.data.set(data.subarray(row * width * 4, (row + 1) * width * 4), ((y + row) * sheet.width + x) * 4);
    yield 1 + (width >> 4);
  }
}
