import { joined } from './bytes.ts';
import { crc32InTurns } from './crc32.ts';
import type { Maybe } from './maybe.ts';

/** A file of an archive. Its size is known before a byte of it is read. */
export interface ZipEntry {
  /** Path in the archive, which the reader of the archive writes to. */
  readonly name: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified?: number | undefined;
  /** The bytes from `from` to the end. */
  open(from: number): Maybe<ReadableStream<Uint8Array>>;
}

/** Check sums that are known before their bytes are read. */
export interface CheckSums {
  get(entry: ZipEntry): number | undefined;
  set(entry: ZipEntry, crc: number): void;
}

interface Zip {
  readonly size: number;
  /** Bytes of files in front of a position whose check sums are unknown: these are read again to go on from there. */
  unknownBefore(from: number): number;
  /** The bytes from `from` up to `end`. Nothing is read before it is wanted. */
  open(from: number, end: number): ReadableStream<Uint8Array>;
}

const utf8 = new TextEncoder();
/** From here on, fields of 32 and 16 bits say that the value stands in a field of 64 bits elsewhere. */
const [max32, max16] = [0xffffffff, 0xffff];
/** Bit 3: check sum and sizes stand behind the bytes. Bit 11: names are UTF-8. */
const flags = 0x0808;
/** Version 4.5, the first with ZIP64. */
const version = 45;
/** Made on Unix, so that readers take the attributes below for its own. */
const madeBy = (3 << 8) | version;
/** A plain file that its owner writes and all read. */
const attributes = (0o100644 << 16) >>> 0;
/** Entries of the directory at the end that are made at once. */
const lot = 500;

/** Little-endian fields: `[bytes, value]`. */
function fields(...values: readonly (readonly [2 | 4 | 8, number])[]): Uint8Array {
  const bytes = new Uint8Array(values.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of values) {
    if (length === 2) view.setUint16(at, value, true);
    else if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += length;
  }
  return bytes;
}

/** Time and date of MS-DOS, in UTC: two seconds are its shortest step, and 1980 its first year. */
function dosTime(modified: number | undefined): readonly [time: number, date: number] {
  const when = new Date(modified ?? 0);
  const year = when.getUTCFullYear();
  if (!(year >= 1980 && year <= 2107)) return [0, 0x21];
  return [
    (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1),
    ((year - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate(),
  ];
}

const isLarge = ({ size }: ZipEntry): boolean => size >= max32;

function headOf(entry: ZipEntry, name: Uint8Array): Uint8Array {
  const [time, date] = dosTime(entry.modified);
  const large = isLarge(entry);
  const size = large ? max32 : 0;
  return joined([
    fields([4, 0x04034b50], [2, version], [2, flags], [2, 0], [2, time], [2, date], [4, 0], [4, size], [4, size]),
    fields([2, name.length], [2, large ? 20 : 0]),
    name,
    large ? fields([2, 1], [2, 16], [8, entry.size], [8, entry.size]) : fields(),
  ]);
}

function tailOf(entry: ZipEntry, crc: number): Uint8Array {
  const bytes = isLarge(entry) ? 8 : 4;
  return fields([4, 0x08074b50], [4, crc], [bytes, entry.size], [bytes, entry.size]);
}

function directoryEntry(entry: ZipEntry, at: number, crc: number): Uint8Array {
  const name = utf8.encode(entry.name);
  const [time, date] = dosTime(entry.modified);
  const [large, far] = [isLarge(entry), at >= max32];
  const size = large ? max32 : entry.size;
  const extra = (large ? 16 : 0) + (far ? 8 : 0);
  return joined([
    fields([4, 0x02014b50], [2, madeBy], [2, version], [2, flags], [2, 0], [2, time], [2, date], [4, crc]),
    fields([4, size], [4, size], [2, name.length], [2, extra > 0 ? extra + 4 : 0], [2, 0], [2, 0], [2, 0]),
    fields([4, attributes], [4, far ? max32 : at]),
    name,
    extra > 0 ? fields([2, 1], [2, extra]) : fields(),
    large ? fields([8, entry.size], [8, entry.size]) : fields(),
    far ? fields([8, at]) : fields(),
  ]);
}

/** The end of an archive, which readers look for first. */
function endOf(count: number, at: number, size: number): Uint8Array {
  const needs64 = count >= max16 || at >= max32 || size >= max32;
  const in64 = [
    fields([4, 0x06064b50], [8, 44], [2, madeBy], [2, version], [4, 0], [4, 0], [8, count], [8, count]),
    fields([8, size], [8, at]),
    fields([4, 0x07064b50], [4, 0], [8, at + size], [4, 1]),
  ];
  const [shortCount, shortSize, shortAt] = [Math.min(count, max16), Math.min(size, max32), Math.min(at, max32)];
  return joined([
    ...(needs64 ? in64 : []),
    fields([4, 0x06054b50], [2, 0], [2, 0], [2, shortCount], [2, shortCount], [4, shortSize], [4, shortAt], [2, 0]),
  ]);
}

/** Error for the reader of an archive, one of whose files is not as long as it was. */
const changed = (name: string): Error => new Error(`Expected the size of "${name}" to stay as it was`);

/**
 * An archive of stored files, whose length is known before it is made: check sums stand behind the bytes. It has ZIP64
 * where that is needed. A part of it is made by itself, so that a download goes on where it broke off.
 */
export function zipOf(entries: readonly ZipEntry[], sums: CheckSums = new Map<ZipEntry, number>()): Zip {
  // Positions of the heads, and behind them that of the directory.
  const starts = new Float64Array(entries.length + 1);
  const [heads, tails] = [new Uint16Array(entries.length), new Uint8Array(entries.length)];
  let at = 0;
  let directory = 0;
  for (const [index, entry] of entries.entries()) {
    const name = utf8.encode(entry.name).length;
    const large = isLarge(entry);
    starts[index] = at;
    directory += 46 + name + (large || at >= max32 ? 4 : 0) + (large ? 16 : 0) + (at >= max32 ? 8 : 0);
    heads[index] = 30 + name + (large ? 20 : 0);
    tails[index] = large ? 24 : 16;
    at += heads[index]! + entry.size + tails[index]!;
  }
  const directoryAt = at;
  starts[entries.length] = at;
  const end = endOf(entries.length, directoryAt, directory);
  const size = directoryAt + directory + end.length;

  async function* parts(from: number, until: number): AsyncGenerator<Uint8Array> {
    const cut = (piece: Uint8Array, begin: number): Uint8Array =>
      piece.subarray(Math.max(0, from - begin), Math.max(0, until - begin));
    const touches = (begin: number, length: number): boolean => begin < until && begin + length > from;

    for (const [index, entry] of entries.entries()) {
      const start = starts[index]!;
      if (start >= until) return;
      const [dataAt, tailAt] = [start + heads[index]!, start + heads[index]! + entry.size];
      if (touches(start, heads[index]!)) yield cut(headOf(entry, utf8.encode(entry.name)), start);
      const needsSum = until > directoryAt || touches(tailAt, tails[index]!);
      if (entry.size === 0) sums.set(entry, 0);
      const mustSum = needsSum && sums.get(entry) === undefined;
      if (mustSum || (entry.size > 0 && touches(dataAt, entry.size))) {
        let position = mustSum ? dataAt : Math.max(dataAt, from);
        let crc = 0;
        const reader = (await entry.open(position - dataAt)).getReader();
        try {
          while (position < tailAt && (mustSum || position < until)) {
            const { done, value } = await reader.read();
            if (done || position + value.length > tailAt) throw changed(entry.name);
            if (mustSum) crc = await crc32InTurns(value, crc);
            const piece = cut(value, position);
            position += value.length;
            if (piece.length > 0) yield piece;
          }
          if (mustSum) sums.set(entry, crc);
        } finally {
          await reader.cancel().catch(() => undefined);
        }
      }
      if (touches(tailAt, tails[index]!)) yield cut(tailOf(entry, sums.get(entry)!), tailAt);
    }
    let position = directoryAt;
    for (let first = 0; first < entries.length && position < until; first += lot) {
      const rows = entries.slice(first, first + lot);
      const bytes = joined(rows.map((entry, row) => directoryEntry(entry, starts[first + row]!, sums.get(entry)!)));
      if (touches(position, bytes.length)) yield cut(bytes, position);
      position += bytes.length;
    }
    if (touches(directoryAt + directory, end.length)) yield cut(end, directoryAt + directory);
  }

  return {
    size,
    unknownBefore: (from) =>
      entries.reduce((sum, entry, index) => {
        const read = Math.min(from - starts[index]! - heads[index]!, entry.size);
        return read > 0 && sums.get(entry) === undefined ? sum + read : sum;
      }, 0),
    open(from, until) {
      const source = parts(from, until);
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const { done, value } = await source.next();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          async cancel() {
            await source.return(undefined);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
