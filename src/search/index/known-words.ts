import type { Reader } from '../../store/statement.ts';
import type { IndexDoc } from './port.ts';
import { wordsThere } from './store.ts';

/** Words of one generation: both together take a few megabytes. */
const mostOfOne = 25_000;
/** Words that one commit looks up: the serving thread reads them, a thousand in some milliseconds. More are written. */
const mostRead = 1000;

/**
 * Words that the dictionary is known to have. It loses none, so a word that was read there once is not written again: most
 * words of a change are, and each costs the writer a look at a page.
 */
export class KnownWords {
  /** Words that came lately. Those before them are forgotten unless they come again. */
  #young = new Set<string>();
  #old: ReadonlySet<string> = new Set();

  /** The words of these entities that the dictionary may lack. */
  async missing(reader: Reader, docs: readonly IndexDoc[]): Promise<readonly string[]> {
    const unknown = new Set<string>();
    for (const { words } of docs) for (const word of words) if (!this.#knows(word)) unknown.add(word);
    if (unknown.size === 0) return [];
    for (const word of await wordsThere(reader, [...unknown].slice(0, mostRead))) {
      unknown.delete(word);
      this.#keep(word);
    }
    return [...unknown];
  }

  #knows(word: string): boolean {
    if (this.#young.has(word)) return true;
    if (!this.#old.has(word)) return false;
    this.#keep(word);
    return true;
  }

  #keep(word: string): void {
    if (this.#young.size >= mostOfOne) [this.#old, this.#young] = [this.#young, new Set()];
    this.#young.add(word);
  }
}
