import type { MediaSource } from '../../src/spi/index.ts';

/** Bytes that each file is probed by, so that no first page is read twice. */
const pageBytes = 64 * 1024;
/** Bytes that a reader looks at. The tags of a made file may all point to the same long value. */
const maxLooks = 8 * 1024 * 1024;

/** Thrown for bytes that are not there yet. */
class PageMissing extends Error {}

/**
 * Bytes of a file for a reader that knows no promises, as a DataView has them. What is missing is noted and fetched, and
 * the reader begins again: of a large file only the pages with its properties are read.
 */
export class PagedView {
  readonly byteOffset = 0;
  byteLength: number;
  readonly #source: MediaSource;
  readonly #pages = new Map<number, Uint8Array>();
  #missing: number | undefined;
  #looks = 0;

  constructor(source: MediaSource) {
    this.#source = source;
    this.byteLength = source.size;
  }

  /** Stands for the buffer of a DataView. */
  get buffer(): { readonly byteLength: number; slice(from: number, end: number): ArrayBuffer } {
    return { byteLength: this.byteLength, slice: (from, end) => this.#bytes(from, end).buffer };
  }

  /** Result of a reader once all that it looks at is there. */
  async readWith<T>(reader: (view: DataView) => T): Promise<T> {
    for (;;) {
      this.#missing = undefined;
      this.#looks = 0;
      let result: T | undefined;
      let failure: unknown;
      try {
        result = reader(this as unknown as DataView);
      } catch (error) {
        failure = error;
      }
      // A reader may have caught the error, and tell what it found without those bytes.
      if (this.#missing === undefined) {
        if (failure !== undefined) throw failure;
        return result!;
      }
      await this.#fetch(this.#missing);
    }
  }

  /** Where no more may be read, the file ends for the reader behind the pages at its beginning. */
  async #fetch(number: number): Promise<void> {
    const from = number * pageBytes;
    try {
      this.#pages.set(number, await this.#source.read({ from, end: Math.min(from + pageBytes, this.byteLength) }));
    } catch (error) {
      let first = 0;
      while (this.#pages.has(first)) first++;
      const isSpent = (error as { kind?: unknown }).kind === 'exhausted';
      if (!isSpent || first * pageBytes >= this.byteLength) throw error;
      this.byteLength = first * pageBytes;
    }
  }

  getUint8 = (at: number): number => this.#page(at, 1)[at % pageBytes]!;
  getInt8 = (at: number): number => (this.getUint8(at) << 24) >> 24;
  getUint16 = (at: number, little?: boolean): number => this.#view(at, 2).getUint16(0, little);
  getInt16 = (at: number, little?: boolean): number => this.#view(at, 2).getInt16(0, little);
  getUint32 = (at: number, little?: boolean): number => this.#view(at, 4).getUint32(0, little);
  getInt32 = (at: number, little?: boolean): number => this.#view(at, 4).getInt32(0, little);
  getBigUint64 = (at: number, little?: boolean): bigint => this.#view(at, 8).getBigUint64(0, little);

  #view(at: number, length: number): DataView {
    const page = this.#page(at, length);
    const offset = at % pageBytes;
    if (offset + length <= page.byteLength) return new DataView(page.buffer, page.byteOffset + offset, length);
    return new DataView(this.#bytes(at, at + length).buffer);
  }

  #bytes(from: number, end: number): Uint8Array<ArrayBuffer> {
    const length = Math.max(0, Math.min(end, this.byteLength) - from);
    if (length > maxLooks) throw new RangeError('Expected shorter values in the picture');
    const bytes = new Uint8Array(length);
    for (let at = from; at < from + length; ) {
      const part = this.#page(at, 1).subarray(at % pageBytes, (at % pageBytes) + from + length - at);
      bytes.set(part, at - from);
      at += part.byteLength;
    }
    return bytes;
  }

  /** Page of a byte that as many follow. */
  #page(at: number, length: number): Uint8Array {
    if (++this.#looks > maxLooks) throw new RangeError('Expected fewer values in the picture');
    if (!(at >= 0 && at + length <= this.byteLength)) throw new RangeError('Expected an offset within the file');
    const number = Math.floor(at / pageBytes);
    const page = this.#pages.get(number);
    if (page) return page;
    this.#missing ??= number;
    throw new PageMissing();
  }
}
