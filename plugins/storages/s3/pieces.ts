const mebibyte = 1024 * 1024;

/** Bytes of a piece unless a file has very many of them. Measured: larger ones cost memory and win little. */
export const uploadPieceBytes = 8 * mebibyte;
/** Bytes of pieces that are on their way beside the one that is gathered. */
export const maxInFlight = 24 * mebibyte;
/** An upload has 10,000 parts at most. */
const maxParts = 9_000;

/** Bytes of a part, so that a file of this size has no more parts than an upload can. */
export const leastOf = (size: number): number => Math.ceil(size / maxParts);

/** For a file of a known size. */
export const pieceFor = (size: number): number => Math.max(uploadPieceBytes, leastOf(size));

/** Size of a piece in an upload of unknown length: later pieces are larger, so that half a terabyte fits. */
export const pieceAt = (index: number): number => uploadPieceBytes * 2 ** Math.min(3, Math.floor(index / 1000));

/** Gathers bytes until they are a piece. */
export class Gathering {
  #chunks: Uint8Array[] = [];
  bytes = 0;

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.bytes += chunk.byteLength;
  }

  /** Returns all gathered bytes as one piece. */
  take(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.byteLength;
    }
    this.#chunks = [];
    this.bytes = 0;
    return all;
  }
}

/** Cuts chunks of any size into pieces of the sizes that are asked for. */
export class Cutter {
  readonly #gathering = new Gathering();
  readonly #sizeAt: (index: number) => number;
  readonly #give: (piece: Uint8Array<ArrayBuffer>, from: number) => Promise<void>;
  #index = 0;
  #from: number;

  constructor(
    from: number,
    sizeAt: (index: number) => number,
    give: (piece: Uint8Array<ArrayBuffer>, from: number) => Promise<void>,
  ) {
    this.#from = from;
    this.#sizeAt = sizeAt;
    this.#give = give;
  }

  /** Number of returned pieces. */
  get count(): number {
    return this.#index;
  }

  async add(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.byteLength > 0) {
      const room = this.#sizeAt(this.#index) - this.#gathering.bytes;
      this.#gathering.add(rest.subarray(0, room));
      rest = rest.subarray(room);
      if (this.#gathering.bytes >= this.#sizeAt(this.#index)) await this.#next();
    }
  }

  /** The last piece, unless there is nothing left. */
  async end(): Promise<void> {
    if (this.#gathering.bytes > 0) await this.#next();
  }

  async #next(): Promise<void> {
    const piece = this.#gathering.take();
    const from = this.#from;
    this.#from += piece.byteLength;
    this.#index++;
    await this.#give(piece, from);
  }
}

/** A piece of staged bytes, kept as an object of its own. */
export interface Fragment {
  /** Name below the folder of the token. */
  readonly name: string;
  /** Offset in the file. */
  readonly from: number;
  readonly length: number;
}

/** Part of a fragment, with its position in the file. */
export interface Segment {
  readonly fragment: Fragment;
  /** Start in the file. */
  readonly from: number;
  readonly end: number;
}

/** Name of a fragment. `order` tells which of two fragments with the same bytes came later. */
export const fragmentName = (from: number, length: number | typeof wholeLength, order: string): string =>
  `${from}-${length}-${order}`;

/** In the place of a length that is not known when the name is given: that of the object. */
export const wholeLength = 'all';

/** `size`: bytes of the object. */
export function fragmentIn(name: string, size: number): Fragment | undefined {
  const [, from, length] = /^(\d{1,16})-(\d{1,16}|all)-[0-9a-z]+$/.exec(name) ?? [];
  if (from === undefined) return undefined;
  return { name, from: Number(from), length: length === wholeLength ? size : Number(length) };
}

const orderOf = ({ fragment: { name } }: Segment): string => name.slice(name.lastIndexOf('-') + 1);

/**
 * The bytes from `from` up to `end`, put together from fragments: where several have a byte, the one that came last.
 * Undefined: there is a hole.
 */
export function segmentsBetween(fragments: readonly Fragment[], from: number, end: number): Segment[] | undefined {
  const cut = fragments
    .map((fragment) => ({
      fragment,
      from: Math.max(from, fragment.from),
      end: Math.min(end, fragment.from + fragment.length),
    }))
    .filter((segment) => segment.from < segment.end)
    .sort(byOffset);
  const isClean = cut.every((segment, index) => index === 0 || cut[index - 1]!.end <= segment.from);
  const segments = isClean ? cut : overlaid(cut);
  let at = from;
  for (const segment of segments) {
    if (segment.from !== at) return undefined;
    at = segment.end;
  }
  return at === end ? segments : undefined;
}

const byOffset = (one: Segment, other: Segment): number => one.from - other.from;

/** Removes overlaps, which arise if bytes were sent again after a crash. */
function overlaid(sent: readonly Segment[]): Segment[] {
  let segments: Segment[] = [];
  for (const added of sent.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))) {
    segments = segments.flatMap((segment) => around(segment, added));
    segments.push(added);
  }
  return segments.sort(byOffset);
}

/** Parts of a segment outside of a range. */
function around({ fragment, from, end }: Segment, range: { readonly from: number; readonly end: number }): Segment[] {
  return [
    { fragment, from, end: Math.min(end, range.from) },
    { fragment, from: Math.max(from, range.end), end },
  ].filter((part) => part.from < part.end);
}

export const isWholeFragment = ({ fragment, from, end }: Segment): boolean =>
  from === fragment.from && end - from === fragment.length;
