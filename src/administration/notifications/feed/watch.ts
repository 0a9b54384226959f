import type { Clock, Waker } from '../../../core/lib/clock.ts';
import type { EventFilter } from './readable.ts';

/** Rights of the caller of a stream as they are now. */
export interface Rights {
  readonly filter: EventFilter | undefined;
  /** When the login ends, unless it is used or extended before. */
  readonly ends: number;
}

interface Parts {
  readonly clock: Clock;
  /** Wakes on commits that may end a login or take a role away. */
  readonly callers: Waker;
  /** Undefined: the caller has ended, or may not read events any more. */
  ask(): Promise<Rights | undefined>;
}

/** Milliseconds between two checks of one caller. */
const pause = 1_000;

/** Checks whether the caller of a stream may read on: before each page, at most once a second. */
export function createWatch({ clock, callers, ask }: Parts) {
  let last = Number.NEGATIVE_INFINITY;
  let turn = callers.turn;
  let isOpen = true;
  let rights: Rights = { filter: undefined, ends: Number.POSITIVE_INFINITY };

  return {
    get filter(): EventFilter | undefined {
      return rights.filter;
    },

    /** When a check is due even if no event comes: a page went out without one, or the login may have ended. */
    get due(): number {
      return Math.min(rights.ends, isOpen || callers.turn !== turn ? last + pause : Number.POSITIVE_INFINITY);
    },

    async goesOn(): Promise<boolean> {
      const now = clock.now();
      if (now < last + pause && now < rights.ends) {
        isOpen = true;
        return true;
      }
      last = now;
      turn = callers.turn;
      isOpen = false;
      const answer = await ask();
      if (answer === undefined || answer.ends <= clock.now()) return false;
      rights = answer;
      return true;
    },
  };
}
