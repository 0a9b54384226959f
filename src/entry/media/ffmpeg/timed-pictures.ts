import { Buffer } from 'node:buffer';
import { MediaFault } from '../../../production/checking/public-reading.ts';

/** A picture of a run, with its seconds from the start of the run. */
export interface TimedPicture {
  readonly at: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const mark = '\0\nSMJPEG';
const headBytes = 16;
/** Bytes of the tags ahead of the first picture. */
const maxTag = 65_536;

/**
 * Takes SMJPEG as a program prints it, and gives its pictures: a container of ffmpeg that says the time and the length of
 * each JPEG ahead of it. `max`: bytes of one picture.
 */
export class TimedPictures {
  readonly #max: number;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #needs = headBytes;
  #hasHead = false;

  constructor(max: number) {
    this.#max = max;
  }

  *take(piece: Uint8Array): Generator<TimedPicture> {
    this.#pieces.push(piece);
    this.#size += piece.byteLength;
    while (this.#size >= this.#needs) {
      const all = Buffer.concat(this.#pieces);
      const used = this.#hasHead ? yield* this.#chunk(all) : this.#head(all);
      this.#pieces = used < all.byteLength ? [all.subarray(used)] : [];
      this.#size -= used;
      // Nothing used: the chunk has said how many bytes it needs.
      if (used > 0) this.#needs = 4;
    }
  }

  #head(all: Buffer): number {
    if (all.toString('latin1', 0, mark.length) !== mark) throw unreadable();
    this.#hasHead = true;
    return headBytes;
  }

  /** Bytes that it has used. */
  *#chunk(all: Buffer): Generator<TimedPicture, number> {
    const name = all.toString('latin1', 0, 4);
    if (name === 'HEND' || name === 'DONE') return 4;
    const isPicture = name === 'vidD';
    if (!isPicture && !/^_[A-Z]{3}$/.test(name)) throw unreadable();
    const head = isPicture ? 12 : 8;
    if (all.byteLength < head) return this.#wait(head);
    const length = all.readUInt32BE(head - 4);
    if (isPicture && length > this.#max) throw new MediaFault('exhausted', 'Expected a smaller picture');
    if (!isPicture && length > maxTag) throw unreadable();
    const end = head + length;
    if (all.byteLength < end) return this.#wait(end);
    if (isPicture) yield { at: all.readUInt32BE(4) / 1_000, bytes: new Uint8Array(all.subarray(head, end)) };
    return end;
  }

  #wait(bytes: number): number {
    this.#needs = bytes;
    return 0;
  }
}

const unreadable = () => new MediaFault('broken', 'Expected pictures with their times');
