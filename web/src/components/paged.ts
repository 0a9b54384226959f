/** Request for one page of a list: by its cursor where the page before it is known, or else by its first entry. */
export interface Ask {
  readonly page: number;
  readonly cursor: string | undefined;
  readonly first: number;
  readonly number: number;
  /** Whether the answer has the number of all entries. Only the first one has to. */
  readonly count: boolean;
}

export interface Page<T> {
  readonly entries: readonly T[];
  readonly hits?: number | undefined;
  /** There may be more entries than `hits`. */
  readonly moreHits?: boolean | undefined;
  readonly nextCursor?: string | undefined;
}

interface Source<T> {
  readonly size: number;
  /** Pages that are kept. Those furthest from what is seen go first. */
  readonly keep: number;
  load(ask: Ask, signal: AbortSignal): Promise<Page<T>>;
  changed(): void;
}

/** A list of any length of which only the pages near the view are in memory. Requests for pages that scroll by are cancelled. */
export class Paged<T> {
  /** Number of all entries. `undefined` until the first answer. While the list is open, one more than are known. */
  count: number | undefined;
  /** Nobody has counted the entries to their end. */
  isOpen = false;
  failure: unknown;
  readonly #source: Source<T>;
  readonly #pages = new Map<number, readonly T[]>();
  readonly #cursors = new Map<number, string>([[0, '*']]);
  readonly #running = new Map<number, AbortController>();
  #range: readonly [number, number] = [0, 0];

  constructor(source: Source<T>) {
    this.#source = source;
  }

  at(index: number): T | undefined {
    const { size } = this.#source;
    return this.#pages.get(Math.floor(index / size))?.[index % size];
  }

  /** Loaded entries with their index. */
  *loadedEntries(): Iterable<[number, T]> {
    for (const [page, entries] of this.#pages) {
      for (const [index, entry] of entries.entries()) yield [page * this.#source.size + index, entry];
    }
  }

  /** Puts another version of an entry in the place of the loaded one. */
  replace(index: number, entry: T): void {
    const { size } = this.#source;
    const page = Math.floor(index / size);
    const entries = this.#pages.get(page);
    if (entries) this.#pages.set(page, entries.with(index % size, entry));
  }

  /** Loads the pages of the entries from `first` to before `last`. */
  want(first: number, last: number): void {
    const { size } = this.#source;
    const end = this.count === undefined ? 1 : Math.ceil(Math.min(last, this.count) / size);
    const begin = Math.min(Math.floor(first / size), Math.max(0, end - 1));
    this.#range = [begin, end];
    for (const [page, running] of this.#running) {
      if (page >= begin && page < end) continue;
      running.abort();
      this.#running.delete(page);
    }
    for (let page = begin; page < end; page += 1) {
      if (!this.#pages.has(page) && !this.#running.has(page)) void this.#load(page);
    }
  }

  again(): void {
    this.failure = undefined;
    this.want(this.#range[0] * this.#source.size, Math.max(1, this.#range[1] * this.#source.size));
  }

  stop(): void {
    for (const running of this.#running.values()) running.abort();
  }

  async #load(page: number): Promise<void> {
    const { size } = this.#source;
    const running = new AbortController();
    this.#running.set(page, running);
    const cursor = this.#cursors.get(page);
    try {
      const ask = { page, cursor, first: page * size + 1, number: size, count: this.count === undefined };
      const answer = await this.#source.load(ask, running.signal);
      if (running.signal.aborted) return;
      if (this.count === undefined) {
        this.isOpen = answer.moreHits === true;
        this.count = (answer.hits ?? answer.entries.length) + Number(this.isOpen);
      }
      if (this.isOpen) this.#reach(page * size + answer.entries.length, answer.entries.length < size);
      if (answer.nextCursor !== undefined) this.#cursors.set(page + 1, answer.nextCursor);
      this.#pages.set(page, answer.entries);
      this.failure = undefined;
      this.#forget();
    } catch (failure) {
      if (running.signal.aborted) return;
      this.failure = failure;
    } finally {
      if (this.#running.get(page) === running) this.#running.delete(page);
    }
    this.#source.changed();
  }

  /** Takes the number of all entries, which somebody has counted. */
  close(count: number): void {
    this.count = count;
    this.isOpen = false;
    this.#source.changed();
  }

  #reach(end: number, isLast: boolean): void {
    this.isOpen = !isLast;
    this.count = isLast ? end : Math.max(this.count!, end + 1);
  }

  #forget(): void {
    const [begin, end] = this.#range;
    const distance = (page: number) => Math.max(begin - page, page - (end - 1), 0);
    const far = [...this.#pages.keys()].sort((a, b) => distance(b) - distance(a));
    for (const page of far.slice(0, Math.max(0, far.length - this.#source.keep))) this.#pages.delete(page);
  }
}
