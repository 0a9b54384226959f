import { retryWhenChanged } from '../lib/retry-when-changed.ts';
import { Turns } from '../lib/turns.ts';
import type { House } from '../room/house.ts';

type Parts = Pick<House, 'store' | 'sharesWork'>;

const turnsOf = new WeakMap<Parts['store'], Turns>();

/**
 * Decides and commits a change of one entity, after those that came before it in this instance: many at once would
 * undo each other's work until they give up. Guards of the commits hold against other instances, and what is told to
 * be stale is decided again. `waited`: what was read before may be stale, too. Never call it within itself.
 */
export function changeInTurn<T>(
  { store, sharesWork }: Parts,
  { kind, id }: { readonly kind: string; readonly id: string },
  decide: (waited: boolean) => Promise<T>,
): Promise<T> {
  let attempts = 0;
  const change = (waited: boolean) => retryWhenChanged(() => decide(waited || attempts++ > 0));
  // On an edge no request may wait for another one.
  if (!sharesWork) return change(false);
  const turns = turnsOf.get(store) ?? new Turns();
  turnsOf.set(store, turns);
  return turns.take(`${kind} ${id}`, change);
}
