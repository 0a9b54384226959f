/** Variables of one content, by the place where each is set first. */
interface Level {
  readonly places: Map<string, number>;
  count: number;
}

/**
 * Variables visible to an element: earlier ones of its content, and those of its ancestors. Never copied, because a
 * content may set thousands.
 */
export class Variables {
  readonly #level: Level | undefined;
  readonly #seen: number;
  readonly #around: Variables | undefined;

  constructor(level: Level | undefined, seen: number, around: Variables | undefined) {
    this.#level = level;
    this.#seen = seen;
    this.#around = around;
  }

  knows(name: string): boolean {
    for (let at: Variables | undefined = this; at; at = at.#around) {
      const place = at.#level?.places.get(name);
      if (place !== undefined && place < at.#seen) return true;
    }
    return false;
  }

  /** For an element within: what it sets stays in it. */
  within(): Variables {
    return this.#level === undefined ? this : new Variables(undefined, 0, this);
  }

  with(name: string): Variables {
    // A sibling scope has added variables to the level already, so this one begins a new level.
    const isLast = this.#level !== undefined && this.#level.count === this.#seen;
    const level = isLast ? this.#level! : { places: new Map<string, number>(), count: 0 };
    if (!level.places.has(name)) level.places.set(name, level.count);
    level.count++;
    return new Variables(level, level.count, isLast || this.#level === undefined ? this.#around : this);
  }
}

export const noVariables = new Variables(undefined, 0, undefined);
