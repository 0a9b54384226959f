/** A file whose folder is watched, between its first change and its rest. */
interface Touched {
  /** Time of the next check. */
  due: number;
  /** Schedules a look at the file after its row is written. Further changes delay it. */
  isKnown: boolean;
}

/** Limit of waiting paths. A scan finds the others. */
const max = 10_000;

/** Changed paths of one storage, with the time of their next check. */
export class TouchedFiles {
  readonly #files = new Map<string, Touched>();
  #isFull = false;

  /** Schedules the first check of a changed file now, and then after its rest: it may grow for hours. */
  change(path: string, now: number, rest: number): void {
    const touchedFile = this.#files.get(path);
    if (touchedFile) {
      if (touchedFile.isKnown) touchedFile.due = now + rest;
    } else if (this.#files.size < max) this.#files.set(path, { due: now, isKnown: false });
    else this.#isFull = true;
  }

  /** Adds an open file by its row. */
  expect(path: string, due: number): void {
    if (!this.#files.has(path) && this.#files.size < max) this.#files.set(path, { due, isKnown: true });
  }

  putOff(path: string, due: number): void {
    this.#files.set(path, { due, isKnown: true });
  }

  forget(path: string): void {
    this.#files.delete(path);
  }

  /** Whether changes were lost since the last call. */
  takeFull(): boolean {
    const was = this.#isFull;
    this.#isFull = false;
    return was;
  }

  due(now: number, limit: number): readonly { readonly path: string; readonly rests: boolean }[] {
    const dueFiles: { path: string; rests: boolean }[] = [];
    for (const [path, { due, isKnown }] of this.#files) {
      if (due <= now) dueFiles.push({ path, rests: isKnown });
      if (dueFiles.length >= limit) break;
    }
    return dueFiles;
  }

  /** Time of the next check. Infinity: none. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#files.values()) next = Math.min(next, due);
    return next;
  }
}
