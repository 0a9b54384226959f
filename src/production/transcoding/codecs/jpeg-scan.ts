/** Codes of one table, for a decoder: most are found by their first bits at once, longer ones by their length. */
export interface DecodingTable {
  /** By the first bits: how many of them the code has, and its symbol in the lower byte. 0: it has more. */
  readonly short: Uint16Array;
  /** By the number of bits: the last code. -1: none has so many. */
  readonly last: Int32Array;
  /** By the number of bits: where the symbol of a code is, less the code. */
  readonly offset: Int32Array;
  readonly symbols: Uint8Array;
}

/** Bits that are looked up at once. */
const shortBits = 9;
const maxBits = 16;

/** A table from the number of codes of each length, by ITU-T T.81, C. Undefined: there are no such codes. */
export function decodingTable(counts: Uint8Array, symbols: Uint8Array): DecodingTable | undefined {
  const table: DecodingTable = {
    short: new Uint16Array(1 << shortBits),
    last: new Int32Array(maxBits + 1).fill(-1),
    offset: new Int32Array(maxBits + 1),
    symbols,
  };
  let [code, at] = [0, 0];
  for (let bits = 1; bits <= maxBits; bits++) {
    table.offset[bits] = at - code;
    for (let left = counts[bits - 1]!; left > 0; left--, code++, at++) {
      if (code >= 1 << bits) return undefined;
      const rest = shortBits - bits;
      if (rest >= 0) table.short.fill((bits << 8) | symbols[at]!, code << rest, (code + 1) << rest);
      table.last[bits] = code;
    }
    code <<= 1;
  }
  return table;
}

/** The order in which the values of a block are written: low frequencies first. */
export const zigzag = orderOfBlock();

function orderOfBlock(): Uint8Array {
  const order: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const from = Math.max(0, diagonal - 7);
    const cells = Array.from({ length: Math.min(diagonal, 7) - from + 1 }, (_, at) => from + at);
    // Even diagonals run upwards.
    for (const row of diagonal % 2 === 0 ? cells.toReversed() : cells) order.push(row * 8 + (diagonal - row));
  }
  return Uint8Array.from(order);
}

/** The bytes are no whole picture. The message says what was expected. */
export class NotWhole extends Error {}

/** Colour of a picture: its blocks of 8 by 8 samples. */
export interface ColourComponent {
  readonly id: number;
  /** Blocks of it in each unit of several components. */
  readonly h: number;
  readonly v: number;
  /** Blocks that a scan of it alone has. */
  readonly columns: number;
  readonly rows: number;
  /** Blocks in a row of all units. */
  readonly stride: number;
  /** Bit for each value of each block that is not zero, in a progressive picture. Corrections depend on these. */
  readonly known: Uint32Array | undefined;
  /** Values of all blocks, row by row. Undefined: the picture is checked alone. */
  readonly values: Int16Array | undefined;
}

/** A component in a scan, with the tables of its first values and of the others. */
export interface ScanPart {
  readonly component: ColourComponent;
  readonly first: DecodingTable | undefined;
  readonly others: DecodingTable | undefined;
}

interface Scan {
  readonly parts: readonly ScanPart[];
  /** Values of each block, in the order of writing. */
  readonly from: number;
  readonly to: number;
  /** Whether it has one more bit of values that other scans began. */
  readonly corrects: boolean;
  /** Bits of each value that are left to other scans. */
  readonly low: number;
  readonly isProgressive: boolean;
  /** Units of several components. */
  readonly units: number;
  /** Units between two marks to begin again. 0: it has no marks. */
  readonly interval: number;
}

/** Bits of values of pictures with 8 bits for each sample, by ITU-T T.81, F.1.2. */
const [maxOfFirst, maxOfOthers, largestFirst] = [11, 10, 2047];
/** Symbols and blocks of a step, and the pixels that are worked on in the time of one of these. */
const [step, cost] = [4096, 3];

/**
 * Reads every code of a scan in steps, and returns where the next marker is. Each code has to be in its table, each
 * block full, and the last bits have to be in the last byte: a scan that was cut or changed mostly fails in one of these.
 */
export const readScan = (bytes: Uint8Array, at: number, scan: Scan): Generator<number, number> =>
  new ScanReader(bytes, at, scan).read();

class ScanReader {
  readonly #bytes: Uint8Array;
  readonly #scan: Scan;
  #at: number;
  /** Bits that were read ahead, in the lowest places. */
  #bits = 0;
  #count = 0;
  #work = 0;
  /** Blocks that have nothing more in this scan. */
  #emptyBlocks = 0;
  readonly #before: number[];
  /** Lowest bit of this scan, in values above zero and below. */
  readonly #plus: number;
  readonly #minus: number;

  constructor(bytes: Uint8Array, at: number, scan: Scan) {
    this.#bytes = bytes;
    this.#at = at;
    this.#scan = scan;
    this.#before = scan.parts.map(() => 0);
    this.#plus = 1 << scan.low;
    this.#minus = -1 << scan.low;
  }

  *read(): Generator<number, number> {
    const { parts, units, interval } = this.#scan;
    const [{ component }] = parts as [ScanPart];
    const isAlone = parts.length === 1;
    const all = isAlone ? component.columns * component.rows : units;
    const each = interval === 0 ? all : interval;
    for (let unit = 0, mark = 0; unit < all; ) {
      const end = Math.min(all, unit + each);
      while (unit < end) {
        if (isAlone) unit += this.#blocksOf(unit, end);
        else {
          this.#unit(unit);
          unit++;
        }
        if (this.#work < step) continue;
        yield this.#work * cost;
        this.#work = 0;
      }
      if (this.#emptyBlocks > 0) throw new NotWhole('Expected a JPEG whose blocks end in their scan');
      this.#end();
      if (unit < all) this.#beginAgain(mark++ & 7);
    }
    return this.#at;
  }

  /** Some blocks of each component. */
  #unit(unit: number): void {
    const { parts } = this.#scan;
    for (let part = 0; part < parts.length; part++) {
      const { h, v, stride } = parts[part]!.component;
      const across = stride / h;
      const first = Math.floor(unit / across) * v * stride + (unit % across) * h;
      for (let line = 0; line < v; line++) {
        for (let column = 0; column < h; column++) this.#block(part, first + line * stride + column);
      }
    }
  }

  /** Reads a block of the only component, or passes over those with nothing in this scan. Tells how many. */
  #blocksOf(block: number, end: number): number {
    if (this.#emptyBlocks === 0 || this.#scan.corrects) {
      const { columns, stride } = this.#scan.parts[0]!.component;
      this.#block(0, Math.floor(block / columns) * stride + (block % columns));
      return 1;
    }
    const passed = Math.min(this.#emptyBlocks, end - block);
    this.#emptyBlocks -= passed;
    return passed;
  }

  #block(part: number, block: number): void {
    this.#work++;
    const { isProgressive, from, corrects } = this.#scan;
    if (!isProgressive) {
      this.#first(part, block);
      this.#allOthers(part, block);
    } else if (from > 0) {
      if (corrects) this.#corrections(part, block);
      else this.#someOthers(part, block);
    } else if (!corrects) this.#first(part, block);
    else if (this.#take(1) === 1) this.#add(part, block, 0, this.#plus);
  }

  /** The first value of a block is told by its distance from the one before. */
  #first(part: number, block: number): void {
    const size = this.#symbol(this.#scan.parts[part]!.first!);
    if (size > maxOfFirst) throw badValues();
    if (size > 0) this.#before[part]! += this.#signed(size);
    if (Math.abs(this.#before[part]!) > largestFirst) throw badValues();
    this.#add(part, block, 0, this.#before[part]! << this.#scan.low);
  }

  #allOthers(part: number, block: number): void {
    const table = this.#scan.parts[part]!.others!;
    for (let place = 1; place < 64; place++) {
      const symbol = this.#symbol(table);
      const size = symbol & 15;
      place += symbol >> 4;
      if (size === 0) {
        if (symbol === 0) return;
        // A run of sixteen zeros has a value behind it.
        if (symbol !== 0xf0 || place > 62) throw badValues();
        continue;
      }
      if (place > 63 || size > maxOfOthers) throw badValues();
      this.#add(part, block, place, this.#signed(size));
    }
  }

  /** The first bits of some values. */
  #someOthers(part: number, block: number): void {
    const { parts, from, to, low } = this.#scan;
    const { others, component } = parts[part]!;
    const nonZero = component.known!;
    for (let place = from; place <= to; place++) {
      const symbol = this.#symbol(others!);
      const [zeros, size] = [symbol >> 4, symbol & 15];
      if (size === 0 && zeros < 15) {
        this.#emptyBlocks = (1 << zeros) - 1 + this.#take(zeros);
        return;
      }
      place += zeros;
      if (size > maxOfOthers || place > (size === 0 ? to - 1 : to)) throw badValues();
      if (size === 0) continue;
      this.#add(part, block, place, this.#signed(size) << low);
      nonZero[2 * block + (place >> 5)]! |= 1 << (place & 31);
    }
  }

  /** Reads one more bit of each value that is not zero, and the positions of values that begin with this bit. */
  #corrections(part: number, block: number): void {
    const { parts, from, to } = this.#scan;
    const { others, component } = parts[part]!;
    const nonZero = component.known!;
    const isKnown = (at: number): boolean => ((nonZero[2 * block + (at >> 5)]! >>> (at & 31)) & 1) === 1;
    let place = from;
    if (this.#emptyBlocks === 0) {
      for (; place <= to; place++) {
        const symbol = this.#symbol(others!);
        const size = symbol & 15;
        let zeros = symbol >> 4;
        if (size > 1) throw badValues();
        if (size === 0 && zeros < 15) {
          this.#emptyBlocks = (1 << zeros) + this.#take(zeros);
          break;
        }
        const value = size === 0 ? 0 : this.#take(1) === 1 ? this.#plus : this.#minus;
        for (; place <= to; place++) {
          if (isKnown(place)) this.#correct(part, block, place);
          else if (--zeros < 0) break;
        }
        if (place > to) throw badValues();
        if (size === 0) continue;
        this.#add(part, block, place, value);
        nonZero[2 * block + (place >> 5)]! |= 1 << (place & 31);
      }
    }
    if (this.#emptyBlocks === 0) return;
    const [lower, upper] = [nonZero[2 * block]!, nonZero[2 * block + 1]!];
    const left = ones(lower & between(place, to)) + ones(upper & between(place - 32, to - 32));
    if (!component.values) for (let bits = left; bits > 0; bits -= maxBits) this.#take(Math.min(bits, maxBits));
    else if (left > 0) {
      this.#work += to - place;
      for (; place <= to; place++) if (isKnown(place)) this.#correct(part, block, place);
    }
    this.#emptyBlocks--;
  }

  #correct(part: number, block: number, place: number): void {
    if (this.#take(1) === 0) return;
    const value = this.#scan.parts[part]!.component.values?.[64 * block + zigzag[place]!] ?? 0;
    this.#add(part, block, place, value > 0 ? this.#plus : this.#minus);
  }

  /** Scans of a value add up. */
  #add(part: number, block: number, place: number, value: number): void {
    const { values } = this.#scan.parts[part]!.component;
    if (values) values[64 * block + zigzag[place]!]! += value;
  }

  #symbol({ short, last, offset, symbols }: DecodingTable): number {
    this.#work++;
    if (this.#count < maxBits) this.#readAhead();
    const ahead = this.#peek(shortBits);
    const shortCode = short[ahead]!;
    if (shortCode !== 0) {
      this.#use(shortCode >> 8);
      return shortCode & 255;
    }
    for (let bits = shortBits + 1; bits <= maxBits; bits++) {
      const code = this.#peek(bits);
      if (code > last[bits]!) continue;
      this.#use(bits);
      return symbols[offset[bits]! + code]!;
    }
    throw new NotWhole('Expected a JPEG whose codes are in its tables');
  }

  /** Zeros stand for bits behind the end: a code that uses them fails. */
  #peek(size: number): number {
    const rest = this.#count - size;
    return (rest >= 0 ? this.#bits >>> rest : this.#bits << -rest) & ((1 << size) - 1);
  }

  #use(size: number): void {
    this.#count -= size;
    if (this.#count < 0) throw new NotWhole('Expected a JPEG with all of its pixels');
  }

  #take(size: number): number {
    if (this.#count < size) this.#readAhead();
    const bits = this.#peek(size);
    this.#use(size);
    return bits;
  }

  /** A value of so many bits. The lower half of them are negative. */
  #signed(size: number): number {
    const bits = this.#take(size);
    return bits >>> (size - 1) === 1 ? bits : bits - (1 << size) + 1;
  }

  /** A zero behind 0xff belongs to it. Any other byte there makes a marker. */
  #readAhead(): void {
    while (this.#count <= 24) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return;
      if (byte === 0xff) {
        if (this.#bytes[this.#at + 1] !== 0) return;
        this.#at++;
      }
      this.#at++;
      this.#bits = (this.#bits << 8) | byte;
      this.#count += 8;
    }
  }

  /** The bits end in the byte ahead of a marker, or one byte before: some encoders (jpeg-js) fill a byte of its own with ones. */
  #end(): void {
    if (this.#count < 8) this.#readAhead();
    if (this.#count >= 8 && this.#count < 16 && this.#peek(this.#count) === (1 << this.#count) - 1) this.#count -= 8;
    if (this.#count >= 8) throw new NotWhole('Expected a JPEG without bytes between its pixels and the next marker');
    this.#count = 0;
    while (this.#bytes[this.#at + 1] === 0xff) this.#at++;
  }

  #beginAgain(mark: number): void {
    if (this.#bytes[this.#at + 1] !== 0xd0 + mark) throw new NotWhole('Expected a JPEG with all of its marks');
    this.#at += 2;
    this.#before.fill(0);
  }
}

/** A word with ones in these places, as far as it has them. */
function between(from: number, to: number): number {
  const [first, last] = [Math.max(from, 0), Math.min(to, 31)];
  return first > last ? 0 : (0xffffffff >>> (31 - last)) & (0xffffffff << first);
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const badValues = (): NotWhole => new NotWhole('Expected a JPEG whose blocks have their values');
