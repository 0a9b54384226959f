import { ServiceError } from '../../../core/lib/errors.ts';
import { Gate, GateFull } from '../../../core/lib/gate.ts';
import type { Pixels } from '../../../core/lib/jpeg/jpeg.ts';
import { type Colour, drawInto, emptyPixels } from '../../../core/lib/montage.ts';
import { networkOf } from '../../../core/lib/network.ts';
import { type PixelsType, readPixels, writePixels } from '../../../core/lib/pixels.ts';
import { Recent } from '../../../core/lib/recent.ts';
import { runInSlices } from '../../../core/lib/turn.ts';
import type { RoomContext } from '../../../room/context.ts';
import { accountOf, type Caller } from '../../../security/caller.ts';
import type { Layout } from './layout.ts';

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
const [mostSheets, mostKept, sheetLifetime] = [32, 1024 * 1024, 3 * 60 * 60 * 1000];

/** Sheets that wait while another one is drawn, and the milliseconds that one of them waits. */
const limits = { depth: 16, longest: 20_000 };

interface Drawer extends Pick<Caller, 'subject'> {
  readonly address: string | undefined;
}

export type DrawSheet = (sheet: Sheet, call: Drawer) => Promise<Uint8Array<ArrayBuffer>>;

/** Draws sheets of pictures, one after the other: each takes up to a second of the processor. */
export function createDrawing({ clock, sharesWork }: Pick<RoomContext, 'clock' | 'sharesWork'>): DrawSheet {
  const recent = new Recent<string, Uint8Array<ArrayBuffer>>(mostSheets);
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
      if (bytes.byteLength <= mostKept) recent.set(sheet.name, bytes, clock.now() + sheetLifetime);
      return bytes;
    }
    return cached() ?? gate.run(task, { line: [lineOf(call)] }).catch(refuseFlood);
  };
}

/** A line for each account, or else for each network: a flood of one keeps no other out. */
const lineOf = (call: Drawer): string =>
  call.subject ? `account ${accountOf(call)}` : `network ${networkOf(call.address)}`;

function refuseFlood(error: unknown): never {
  if (!(error instanceof GateFull)) throw error;
  throw new ServiceError(
    'busy',
    { explanation: 'Too many sheets are being drawn: try again shortly' },
    { 'retry-after': '5' },
  );
}
