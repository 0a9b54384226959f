import { ServiceError } from '../core/lib/errors.ts';

const none: readonly string[] = [];

/** Matrix and query parameters as one thing: clients send `/item;first=1` and `/item?first=1` alike. */
export class Parameters {
  /** Parameters as sent: those of the path first. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Number of pairs from the path. */
  readonly matrix: number;
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(pairs: readonly (readonly [string, string])[], matrix = 0) {
    this.pairs = pairs;
    this.matrix = matrix;
    const values = new Map<string, string[]>();
    for (const [name, value] of pairs) {
      const valuesOfName = values.get(name);
      if (valuesOfName) valuesOfName.push(value);
      else values.set(name, [value]);
    }
    this.#values = values;
  }

  /** The one value. Two readers would choose differently between two. */
  get(name: string): string | undefined {
    const values = this.all(name);
    if (values.every((value) => value === values[0])) return values[0];
    const explanation = 'Expected the parameter once';
    throw new ServiceError('bad-parameter', { context: 'parameter', id: name.slice(0, 80), explanation });
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? none;
  }

  get size(): number {
    return this.#values.size;
  }

  *[Symbol.iterator](): IterableIterator<readonly [string, readonly string[]]> {
    yield* this.#values;
  }
}

export const noParameters = new Parameters([]);
