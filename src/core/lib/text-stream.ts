import { yieldTurn } from './turn.ts';

/** Texts as the bytes of a body, each made when it is read. `left`: ends what the texts come from when the reader leaves. */
export function textStream(
  texts: AsyncGenerator<string | Uint8Array, void>,
  left: () => Promise<unknown> = async () => undefined,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? utf8.encode(value) : value);
      },
      async cancel() {
        await texts.return();
        await left();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Characters that become bytes in one turn of the loop. */
export const piece = 256 * 1024;

/** A text as UTF-8. The loop is given back when pieces of `max` characters are made. */
export async function* piecesOf(
  text: string | readonly string[],
  max = piece,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const utf8 = new TextEncoder();
  let length = 0;
  for (const part of typeof text === 'string' ? [text] : text) {
    for (let at = 0; at < part.length; ) {
      const end = pieceEnd(part, at + max);
      length += end - at;
      if (length > max) {
        await yieldTurn();
        length = end - at;
      }
      yield utf8.encode(part.slice(at, end));
      at = end;
    }
  }
}

/** End of a piece of at most this length, without splitting a surrogate pair. */
export function pieceEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

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

  /** The text as UTF-8, of which `max` characters are made in one turn of the loop. It can be read once. */
  bytes(max = piece): ReadableStream<Uint8Array<ArrayBuffer>> {
    return textStream(this.#pieces(max), () => this.#rest.return()) as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  async *#pieces(max: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    try {
      yield* piecesOf(this.#begins, max);
      for await (const text of this.#rest) yield* piecesOf(text, max);
    } catch (error) {
      for (const tell of this.#failed) tell(error);
      // Throws without a reason: the platform may print the error, and the reason is for the log alone.
      throw new Error('The answer was broken off');
    }
  }
}
