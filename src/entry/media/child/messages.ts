/** Messages between the service and a media process: JSON, one per line. */

/** Media of a question. */
export interface QuestionSource {
  readonly size: number;
  readonly name?: string;
  /** First bytes of the media, in base64. */
  readonly head?: string;
  /** Address where the process reads further bytes during the question. */
  readonly url?: string;
}

/** Message to the process. */
export interface ChildQuestion {
  readonly call: string;
  readonly source: QuestionSource;
  readonly input: unknown;
}

/** Message from the process. `ready` comes first, once. */
export type ChildMessage =
  | { readonly ready: true }
  | { readonly progress: unknown }
  | { readonly result: unknown }
  | { readonly failed: { readonly kind: string; readonly message: string } };

/** Characters of one line: a process that says more is out of order. */
const maxLength = 4 * 1024 * 1024;

export const messageLine = (message: ChildQuestion | ChildMessage): string => `${JSON.stringify(message)}\n`;

/** Takes text as it comes, and gives each whole line. Throws where one has no end. */
export class Lines {
  #rest = '';

  *take(text: string): Generator<string> {
    this.#rest += text;
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 1);
      yield line;
    }
    if (this.#rest.length > maxLength) throw new Error(`Expected lines of at most ${maxLength} characters`);
  }
}
