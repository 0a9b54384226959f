import type { Reader } from '../../store/statement.ts';
import type { IndexDoc } from './port.ts';
import { wordsThere } from './store.ts';

/** Words that are kept here: a few megabytes. Then all are forgotten, and read again. */
const most = 50_000;
/** Words that one commit looks up: the serving thread reads them, a thousand in some milliseconds. More are written. */
const mostRead = 1000;

/**
 * Words that the dictionary is known to have. It loses none, so a word that was read there once is not written again: most
 * words of a change are, and each costs the writer a look at a page.
 */
export class KnownWords {
  readonly #words = new Set<string>();

  /** The words of these entities that the dictionary may lack. */
  async missing(reader: Reader, docs: readonly IndexDoc[]): Promise<readonly string[]> {
    const unknown = new Set<string>();
    for (const { words } of docs) for (const word of words) if (!this.#words.has(word)) unknown.add(word);
    if (unknown.size === 0) return [];
    for (const word of await wordsThere(reader, [...unknown].slice(0, mostRead))) {
      unknown.delete(word);
      if (this.#words.size >= most) this.#words.clear();
      this.#words.add(word);
    }
    return [...unknown];
  }
}
