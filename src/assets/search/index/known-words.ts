import type { Committing } from '../../../core/store/contract.ts';

/** Words per generation: both together take a few megabytes. */
const mostOfOne = 25_000;
/** Maximum words learnt per group of commits. The rest is simply written again. */
const mostLearnt = 5_000;

/**
 * Cache of words in the dictionary, which never loses any. Known words are not written again: most words of a change
 * are known, and each write costs a page look-up.
 */
export class KnownWords {
  /** Recent words. Older ones are dropped unless they recur. */
  #young = new Set<string>();
  #old: ReadonlySet<string> = new Set();
  /** Words written by each commit. Commits of one group share a list, which the first of them empties. */
  readonly #written = new WeakMap<Committing, string[]>();

  /** Words that the dictionary may lack. They become known after one of the commits. */
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
