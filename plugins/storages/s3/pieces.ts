const mebibyte = 1024 * 1024;

/** Bytes of a piece unless a file has very many of them. Measured: larger ones cost memory and win little. */
export const uploadPieceBytes = 8 * mebibyte;
/** Bytes of pieces that are on their way beside the one that is gathered. */
export const mostInFlight = 24 * mebibyte;
/** An upload has 10,000 parts at most. */
const mostParts = 9_000;

/** Bytes of a part, so that a file of this size has no more parts than an upload can. */
export const leastOf = (size: number): number => Math.ceil(size / mostParts);

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
