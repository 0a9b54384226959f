import type { Committing } from '../../store/contract.ts';

/** Words of one generation: both together take a few megabytes. */
const mostOfOne = 25_000;
/** Words that one group of commits teaches: of a long text that is enough, and the rest is written again. */
const mostLearnt = 5_000;

/**
 * Words that the dictionary is known to have. It loses none, so a word that a commit has written there is not written
 * again: most words of a change are, and each costs the writer a look at a page.
 */
export class KnownWords {
  /** Words that came lately. Those before them are forgotten unless they come again. */
  #young = new Set<string>();
  #old: ReadonlySet<string> = new Set();
  /** What each commit has written. Those of one group have one list, which the first of them empties. */
  readonly #written = new WeakMap<Committing, string[]>();

  /** Those that the dictionary may lack: with any of these commits, all of them are written. */
  lacking(words: ReadonlySet<string>, commits: readonly Committing[]): readonly string[] {
    const written = [...words].filter((word) => !this.#knows(word));
    const learnt = written.slice(0, mostLearnt);
    for (const commit of commits) this.#written.set(commit, learnt);
    return written;
  }

  committed(commit: Committing): void {
    for (const word of this.#written.get(commit)?.splice(0) ?? []) if (!this.#knows(word)) this.#keep(word);
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
