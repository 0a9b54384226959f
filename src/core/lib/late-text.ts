import { piece, piecesOf } from './text-pieces.ts';
import { textStream } from './text-stream.ts';

type Texts = AsyncGenerator<string, void>;

/** A text that is made while its reader takes it: at no time is there more of it than a part. */
export class LateText {
  readonly #begins: readonly string[];
  readonly #rest: Texts;
  readonly #failed: ((error: unknown) => void)[] = [];

  /** `begins`: what is made of it already. */
  constructor(begins: readonly string[], rest: Texts) {
    this.#begins = begins;
    this.#rest = rest;
  }

  /** Makes the beginning now, so that the caller is told what fails until then. */
  static async begin(texts: Texts): Promise<LateText> {
    const { value } = await texts.next();
    return new LateText(value === undefined ? [] : [value], texts);
  }

  /** Tells what ends the text before its end. Its reader sees no more than that. */
  whenFailed(tell: (error: unknown) => void): void {
    this.#failed.push(tell);
  }

  /** The text as UTF-8, of which `most` characters are made in one turn of the loop. It can be read once. */
  bytes(most = piece): ReadableStream<Uint8Array<ArrayBuffer>> {
    return textStream(this.#pieces(most), () => this.#rest.return()) as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  async *#pieces(most: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    try {
      yield* piecesOf(this.#begins, most);
      for await (const text of this.#rest) yield* piecesOf(text, most);
    } catch (error) {
      for (const tell of this.#failed) tell(error);
      // Throws without a reason: the platform may print the error, and the reason is for the log alone.
      throw new Error('The answer was broken off');
    }
  }
}
