import { ServiceError } from '../core/lib/errors.ts';

/** Something that a higher room, or an extension, does for the one that declares it. `T`: the interface that is seen. */
export interface Hook<T> {
  /** Name of the room that does it. */
  readonly room: string;
  /** Never set: it keeps the type. */
  readonly does?: T;
}

const declared: Hook<unknown>[] = [];

export function hook<T>(room: string): Hook<T> {
  const contract: Hook<T> = { room };
  declared.push(contract);
  return contract;
}

/** A hook with what the room does. */
export type Hooked = readonly [hook: Hook<unknown>, does: unknown];

export const hooked = <T>(of: Hook<T>, does: T): Hooked => [of, does];

/** Deeds of the rooms that are there, by their hooks. Complete once all rooms are open. */
export class Hooks {
  readonly #does = new Map<Hook<unknown>, unknown>();

  join(all: readonly Hooked[]): void {
    for (const [of, does] of all) {
      if (this.#does.has(of)) throw new Error(`Expected one room for a hook of the room ${of.room}`);
      this.#does.set(of, does);
    }
  }

  /** Joins what rooms do. Each that is there has to do what others ask of it. */
  joinRooms(rooms: ReadonlyMap<string, { readonly hooks?: readonly Hooked[] }>): void {
    this.join([...rooms.values()].flatMap(({ hooks = [] }) => hooks));
    const missing = declared.find((each) => rooms.has(each.room) && !this.#does.has(each));
    if (missing) throw new Error(`Expected the room ${missing.room} to do what another room asks of it by a hook`);
  }

  /** Undefined: the extension is left out. */
  find<T>(of: Hook<T>): T | undefined {
    return this.#does.get(of) as T | undefined;
  }

  /** Throws 501 if the extension is left out. */
  need<T>(of: Hook<T>): T {
    const does = this.find(of);
    if (does === undefined) throw leftOut(of.room);
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
