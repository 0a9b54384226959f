/** Keys of the queues of an item, the widest first, such as a network and then an account. */
export type Line = readonly string[];

interface Branch<T> {
  /** Items below it, on any level. */
  size: number;
  readonly items: T[];
  /** The line whose turn is next comes first. */
  readonly lines: Map<string, Branch<T>>;
}

const branch = <T>(): Branch<T> => ({ size: 0, items: [], lines: new Map() });

/**
 * A queue of queues. On each level the lines take turns, so a long line delays only itself.
 * Within one line the order is that of arrival.
 */
export class FairQueue<T> {
  readonly #root = branch<T>();

  get size(): number {
    return this.#root.size;
  }

  push(line: Line, item: T): void {
    let at = this.#root;
    at.size++;
    for (const key of line) {
      const next = at.lines.get(key) ?? branch<T>();
      if (next.size === 0) at.lines.set(key, next);
      next.size++;
      at = next;
    }
    at.items.push(item);
  }

  /** The next item; its lines go behind their neighbours. */
  take(): T | undefined {
    let at = this.#root;
    if (at.size === 0) return undefined;
    for (;;) {
      at.size--;
      const first = at.items.length > 0 ? undefined : at.lines.entries().next().value;
      if (!first) return at.items.shift();
      const [key, next] = first;
      at.lines.delete(key);
      if (next.size > 1) at.lines.set(key, next);
      at = next;
    }
  }

  /** False: the item is not there any more. */
  remove(line: Line, item: T): boolean {
    const way = this.#wayTo(line);
    const index = way?.at(-1)?.items.indexOf(item) ?? -1;
    if (!way || index < 0) return false;
    way.at(-1)!.items.splice(index, 1);
    shrink(way, line);
    return true;
  }

  /** Takes out the newest item of the longest line. Where that line is no longer than the given one, of the given one. */
  drop(line: Line): T | undefined {
    const way = [this.#root];
    const keys: string[] = [];
    for (let at = this.#root; at.lines.size > 0; at = way.at(-1)!) {
      const ownKey = line[keys.length]!;
      let longest: readonly [string, Branch<T>] | undefined;
      const own = keys.every((key, level) => key === line[level]) ? at.lines.get(ownKey) : undefined;
      if (own) longest = [ownKey, own];
      for (const entry of at.lines) if (!longest || entry[1].size > longest[1].size) longest = entry;
      keys.push(longest![0]);
      way.push(longest![1]);
    }
    const dropped = way.at(-1)!.items.pop();
    if (dropped !== undefined) shrink(way, keys);
    return dropped;
  }

  #wayTo(line: Line): Branch<T>[] | undefined {
    const way = [this.#root];
    for (const key of line) {
      const next = way.at(-1)!.lines.get(key);
      if (!next) return undefined;
      way.push(next);
    }
    return way;
  }
}

/** Removes one item from the sizes along the path. Empty lines are deleted. */
function shrink<T>(way: readonly Branch<T>[], keys: Line): void {
  for (const [level, at] of way.entries()) {
    at.size--;
    const next = way[level + 1];
    if (next?.size === 1) at.lines.delete(keys[level]!);
  }
}
