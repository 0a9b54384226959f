import { expect } from 'vitest';

/** Names of what can change, such as `item VX-1`, each with a value that is known, or one of several. */
export class Model {
  readonly #values = new Map<string, string>();
  /** Values that a name may have, until somebody looks. */
  readonly #possible = new Map<string, Set<string>>();

  /** The known value. Undefined: several are possible, or there is no such thing. */
  sure(name: string): string | undefined {
    return this.#possible.has(name) ? undefined : this.#values.get(name);
  }

  is(name: string, value: string): boolean {
    return this.sure(name) === value;
  }

  /** Names that begin with a word, also those of things that are gone. */
  names(kind: string): readonly string[] {
    return [...this.#values.keys()]
      .filter((name) => name.startsWith(`${kind} `))
      .map((name) => name.slice(kind.length + 1));
  }

  get unsure(): readonly string[] {
    return [...this.#possible.keys()];
  }

  all(): ReadonlyMap<string, string> {
    return this.#values;
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
    this.#possible.delete(name);
  }

  /** The effects of deeds beside each other. `done`: whether each was acknowledged. */
  happened(effects: readonly Effect[]): void {
    const byName = new Map<string, Effect[]>();
    for (const effect of effects) byName.set(effect.name, [...(byName.get(effect.name) ?? []), effect]);
    for (const [name, all] of byName) {
      const [only] = all;
      if (all.length === 1 && only!.done) {
        this.set(name, only!.value);
        continue;
      }
      const values = new Set(all.map(({ value }) => value));
      if (!all.some(({ done }) => done)) values.add(this.#values.get(name) ?? only!.before ?? '');
      this.#possible.set(name, values);
      if (!this.#values.has(name)) this.#values.set(name, only!.before ?? '');
    }
  }

  /** Takes a value that the database has: one of the possible ones. */
  saw(name: string, value: string): void {
    const possible = this.#possible.get(name) ?? new Set([this.#values.get(name)]);
    expect([...possible], `The ${name} is ${value}`).toContain(value);
    this.set(name, value);
  }
}

/** A value that a deed gives to a name, if it happens. */
export interface Effect {
  readonly name: string;
  readonly value: string;
  /** Value of a name that was not there. */
  readonly before?: string;
  readonly done: boolean;
}
