/** A file whose folder is watched, between its first change and its rest. */
interface Touched {
  /** When somebody looks at it. */
  due: number;
  /** Schedules a look at the file after its row is written. Further changes delay it. */
  isKnown: boolean;
}

/** Paths that wait at a time. Of more, a scan finds the others. */
const most = 10_000;

/** Paths of one storage that have changed, and when each is looked at. */
export class TouchedFiles {
  readonly #files = new Map<string, Touched>();
  #isFull = false;

  /** The first change of a file is looked at now, and then its rest: it may take hours to grow. */
  change(path: string, now: number, rest: number): void {
    const known = this.#files.get(path);
    if (known) {
      if (known.isKnown) known.due = now + rest;
    } else if (this.#files.size < most) this.#files.set(path, { due: now, isKnown: false });
    else this.#isFull = true;
  }

  /** A file that somebody writes, as its row says. */
  expect(path: string, due: number): void {
    if (!this.#files.has(path) && this.#files.size < most) this.#files.set(path, { due, isKnown: true });
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
    const found: { path: string; rests: boolean }[] = [];
    for (const [path, { due, isKnown }] of this.#files) {
      if (due <= now) found.push({ path, rests: isKnown });
      if (found.length >= limit) break;
    }
    return found;
  }

  /** When the next file is looked at. Infinity: none waits. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#files.values()) next = Math.min(next, due);
    return next;
  }
}
