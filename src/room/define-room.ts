import type { EventTable } from '../events/define.ts';

/** All that a room brings to the house. `service.ts` folds the list of rooms in `rooms.ts` and names none of them. */
export interface Room {
  readonly name: string;
  /** Everything that can happen in it, by name. */
  readonly events?: EventTable;
}

/** Keeps the type of what a room declares, and checks it. */
export const defineRoom = <const R extends Room>(room: R): R => room;
