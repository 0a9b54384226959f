import { runInSlices } from '../../../core/lib/turn.ts';
import {
  type ColourComponent,
  type DecodingTable,
  decodingTable,
  NotWhole,
  readScan,
  type ScanPart,
  zigzag,
} from './jpeg-scan.ts';
import { beyondSides, maxParts, maxPixels, type Size } from './picture-bounds.ts';

/** Frames of JPEG that browsers show: baseline, extended and progressive. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const progressive = 0xc2;
const [codeTables, startOfScan, endOfPicture, stepTables, interval, adobe] = [0xc4, 0xda, 0xd9, 0xdb, 0xdd, 0xee];
/** Scans of one picture, and blocks in all of them: a scan of a few bytes may pass over all pixels. */
const [maxScans, maxBlocks] = [100, 64 * 1024 * 1024];
/** Bytes of segments that are read in a step, and the pixels that are worked on in the time of one of these. */
const [step, cost] = [8192, 3];

interface Frame extends Size {
  readonly isProgressive: boolean;
  readonly components: readonly (ColourComponent & { readonly steps: number })[];
  /** Units of several components, and the blocks of each of them, across and down. */
  readonly units: number;
  readonly h: number;
  readonly v: number;
}

/** A JPEG whose codes were read, with the values of its blocks if they were kept. */
export interface JpegValues extends Frame {
  /** Steps between the values of each frequency, by number. */
  readonly steps: ReadonlyMap<number, Float32Array>;
  /** Red, green and blue, without a conversion. */
  readonly isRgb: boolean;
}

/** Values that a reader keeps: those of one or three components, or none, with a limit of bytes. */
type Keeping = 'values' | { readonly maxSamples: number };

/** The size of a JPEG whose every code was read, or a text that says what was expected. `maxSamples`: bytes of all pixels. */
export async function wholeJpeg(bytes: Uint8Array, maxSamples: number): Promise<Size | string> {
  const read = await orExpected(readPicture(bytes, { maxSamples }));
  return typeof read === 'string' ? read : { width: read.width, height: read.height };
}

/** The values of a JPEG of 8 bits, grey or in colours. A text: it is none of these, too large or not whole. */
export const readJpegValues = (bytes: Uint8Array): Promise<JpegValues | string> =>
  orExpected(readPicture(bytes, 'values'));

async function orExpected(steps: Generator<number, JpegValues>): Promise<JpegValues | string> {
  try {
    return await runInSlices(steps);
  } catch (error) {
    if (error instanceof NotWhole) return error.message;
    throw error;
  }
}

/** Reads every code of a JPEG in steps. Throws `NotWhole`. */
const readPicture = (bytes: Uint8Array, keeping: Keeping): Generator<number, JpegValues> =>
  new PictureReader(bytes, keeping).read();

class PictureReader {
  readonly #bytes: Uint8Array;
  readonly #keeping: Keeping;
  readonly #steps = new Map<number, Float32Array>();
  /** By class and number. */
  readonly #tables = new Map<number, DecodingTable>();
  /** Components whose first values were read. */
  readonly #begun = new Set<ColourComponent>();
  #frame: Frame | undefined;
  #isRgb = false;
  #interval = 0;
  /** Segments and tables. */
  #parts = 0;
  #scans = 0;
  #blocks = 0;

  constructor(bytes: Uint8Array, keeping: Keeping) {
    this.#bytes = bytes;
    this.#keeping = keeping;
  }

  *read(): Generator<number, JpegValues> {
    const bytes = this.#bytes;
    for (let at = 2, next = step; ; ) {
      if (at >= next) {
        yield step * cost;
        next = at + step;
      }
      // Any number of these may stand ahead of a marker.
      while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++;
      this.#addPart();
      const marker = bytes[at + 1];
      if (bytes[at] !== 0xff || marker === undefined) throw cut();
      if (marker === endOfPicture) return this.#end(at + 2);
      const end = at + 4 <= bytes.byteLength ? at + 2 + this.#pair(at + 2) : at;
      if (end < at + 4 || end > bytes.byteLength) throw cut();
      const body = bytes.subarray(at + 4, end);
      at = marker === startOfScan ? yield* this.#scan(body, end) : end;
      if (frames.has(marker)) this.#begin(marker, body);
      if (marker === codeTables) this.#readTables(body);
      if (marker === stepTables) this.#readSteps(body);
      if (marker === adobe) this.#isRgb = body[0] === 0x41 && body[11] === 0;
      if (marker === interval) this.#interval = ((body[0] ?? 0) << 8) | (body[1] ?? 0);
    }
  }

  #addPart(): void {
    if (++this.#parts > maxParts) throw new NotWhole(`Expected a JPEG of at most ${maxParts} segments and tables`);
  }

  #pair(at: number): number {
    return (this.#bytes[at]! << 8) | this.#bytes[at + 1]!;
  }

  #end(at: number): JpegValues {
    if (at !== this.#bytes.byteLength) throw new NotWhole('Expected a JPEG without bytes behind its end');
    if (!this.#frame || this.#begun.size < this.#frame.components.length) {
      throw new NotWhole('Expected a JPEG with a picture in it');
    }
    return { ...this.#frame, steps: this.#steps, isRgb: this.#isRgb };
  }

  #begin(marker: number, body: Uint8Array): void {
    const count = body[5] ?? 0;
    if (this.#frame || count === 0 || count > 4 || body.byteLength !== 6 + 3 * count) {
      throw new NotWhole('Expected a JPEG with one picture in it');
    }
    if (body[0] !== 8) throw new NotWhole('Expected a JPEG with 8 bits for each sample');
    const [height, width] = [(body[1]! << 8) | body[2]!, (body[3]! << 8) | body[4]!];
    if (width === 0 || height === 0) throw new NotWhole('Expected a JPEG with pixels, as its header says');
    const expected = beyondSides({ width, height });
    if (expected !== undefined) throw new NotWhole(expected);
    const keepsValues = this.#keeping === 'values';
    const max = this.#keeping === 'values' ? maxPixels * count : this.#keeping.maxSamples;
    if (width * height * count > max) {
      throw new NotWhole(`Expected a picture whose pixels have at most ${max} bytes`);
    }
    if (keepsValues && count !== 1 && count !== 3)
      throw new NotWhole('Expected a JPEG that is grey or in three colours');
    const declared = Array.from({ length: count }, (_, index) => {
      const [id, sizes, steps] = [...body.subarray(6 + 3 * index, 9 + 3 * index)] as [number, number, number];
      return { id, h: sizes >> 4, v: sizes & 15, steps };
    });
    if (declared.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4)) throw badHead();
    const [h, v] = [Math.max(...declared.map((each) => each.h)), Math.max(...declared.map((each) => each.v))];
    const [columns, rows] = [Math.ceil(width / (8 * h)), Math.ceil(height / (8 * v))];
    const isProgressive = marker === progressive;
    const components = declared.map((each) => {
      const blocks = columns * each.h * rows * each.v;
      return {
        ...each,
        columns: Math.ceil(Math.ceil((width * each.h) / h) / 8),
        rows: Math.ceil(Math.ceil((height * each.v) / v) / 8),
        stride: columns * each.h,
        known: isProgressive ? new Uint32Array(2 * blocks) : undefined,
        values: keepsValues ? new Int16Array(64 * blocks) : undefined,
      };
    });
    this.#frame = { width, height, isProgressive, components, units: columns * rows, h, v };
  }

  #readTables(body: Uint8Array): void {
    for (let at = 0; at < body.byteLength; ) {
      this.#addPart();
      const counts = body.subarray(at + 1, at + 17);
      const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
      const table = decodingTable(counts, body.subarray(at + 17, end));
      if (body[at]! > 0x1f || end > body.byteLength || counts.byteLength < 16 || !table) throw badHead();
      this.#tables.set(body[at]!, table);
      at = end;
    }
  }

  #readSteps(body: Uint8Array): void {
    for (let at = 0; at < body.byteLength; ) {
      this.#addPart();
      const size = body[at]! >> 4 === 0 ? 1 : 2;
      const steps = body.subarray(at + 1, at + 1 + 64 * size);
      if (steps.byteLength < 64 * size) throw badHead();
      const table = new Float32Array(64);
      for (let place = 0; place < 64; place++) {
        const [upper, lower] = size === 1 ? [0, steps[place]!] : [steps[2 * place]!, steps[2 * place + 1]!];
        table[zigzag[place]!] = (upper << 8) | lower;
      }
      this.#steps.set(body[at]! & 15, table);
      at += 1 + 64 * size;
    }
  }

  /** Reads a scan. Gives where the next marker is. */
  *#scan(body: Uint8Array, at: number): Generator<number, number> {
    const frame = this.#frame;
    if (!frame) throw new NotWhole('Expected a JPEG that says its size ahead of its pixels');
    const count = body[0] ?? 0;
    if (count === 0 || count > frame.components.length || body.byteLength !== 4 + 2 * count) throw badHead();
    const { isProgressive, units } = frame;
    const [from, to, bits] = isProgressive
      ? ([...body.subarray(-3)] as [number, number, number])
      : ([0, 63, 0] as const);
    const corrects = bits >> 4 !== 0;
    const isOrdered = from === 0 ? to === (isProgressive ? 0 : 63) : count === 1 && to >= from && to < 64;
    if (!isOrdered || (corrects && bits >> 4 !== (bits & 15) + 1)) throw badHead();
    const parts = Array.from({ length: count }, (_, index): ScanPart => {
      const [id, tables] = [body[1 + 2 * index]!, body[2 + 2 * index]!];
      const component = frame.components.find((each) => each.id === id);
      const [first, others] = [this.#tables.get(tables >> 4), this.#tables.get(0x10 | (tables & 15))];
      const lacks = (from === 0 && !corrects && !first) || (to > 0 && !others);
      if (!component || lacks || !this.#steps.has(component.steps)) throw badHead();
      // All but the first values of a progressive picture come behind these.
      if (this.#begun.has(component) !== (isProgressive && (from > 0 || corrects))) throw badHead();
      return { component, first, others };
    });
    const named = new Set(parts.map(({ component }) => component));
    const ofUnit = parts.reduce((sum, { component: { h, v } }) => sum + h * v, 0);
    if (named.size < count || (count > 1 && ofUnit > 10)) throw badHead();
    this.#blocks += units * ofUnit;
    if (++this.#scans > maxScans || this.#blocks > maxBlocks) {
      throw new NotWhole(`Expected a JPEG with at most ${maxScans} scans, and ${maxBlocks} blocks in them`);
    }
    const next = yield* readScan(this.#bytes, at, {
      parts,
      from,
      to,
      corrects,
      low: bits & 15,
      isProgressive,
      units,
      interval: this.#interval,
    });
    for (const component of named) this.#begun.add(component);
    return next;
  }
}

const cut = (): NotWhole => new NotWhole('Expected a JPEG with all of its bytes');
const badHead = (): NotWhole => new NotWhole('Expected a JPEG whose tables and scans fit each other');
