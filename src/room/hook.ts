import { ServiceError } from '../core/lib/errors.ts';

/** Something that an extension does for a room of the core. `T`: the interface that the core sees. */
export interface Hook<T> {
  /** Name of the extension. */
  readonly extension: string;
  /** Never set: it keeps the type. */
  readonly does?: T;
}

export const hook = <T>(extension: string): Hook<T> => ({ extension });

/** A hook with what the extension does. */
export type Hooked = readonly [hook: Hook<unknown>, does: unknown];

export const hooked = <T>(of: Hook<T>, does: T): Hooked => [of, does];

/** Extensions that are there, by their hooks. Complete once all rooms are open. */
export class Hooks {
  readonly #does = new Map<Hook<unknown>, unknown>();

  join(all: readonly Hooked[]): void {
    for (const [of, does] of all) {
      if (this.#does.has(of)) throw new Error(`Expected one room for a hook of the extension ${of.extension}`);
      this.#does.set(of, does);
    }
  }

  /** Undefined: the extension is left out. */
  find<T>(of: Hook<T>): T | undefined {
    return this.#does.get(of) as T | undefined;
  }

  /** Throws 501 if the extension is left out. */
  need<T>(of: Hook<T>): T {
    const does = this.find(of);
    if (does === undefined) throw leftOut(of.extension);
    return does;
  }
}

/** Refusal of what only a missing extension does. */
export const leftOut = (extension: string): ServiceError =>
  new ServiceError('not-implemented', {
    type: 'extension',
    id: extension,
    explanation: `Expected the extension "${extension}", which this service leaves out`,
  });
