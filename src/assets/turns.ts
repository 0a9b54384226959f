import { retryWhenChanged } from '../lib/retry-when-changed.ts';
import type { House } from '../room/house.ts';

type Parts = Pick<House, 'store' | 'sharesWork'>;

/** By store, and by entity: the end of the line. */
const lines = new WeakMap<Parts['store'], Map<string, Promise<unknown>>>();

/**
 * Decides and commits a change of one entity, after those that came before it in this instance: many at once would
 * undo each other's work until they give up. Guards of the commits hold against other instances, and what is told to
 * be stale is decided again. `waited`: what was read before may be stale, too. Never call it within itself.
 */
export async function changeInTurn<T>(
  { store, sharesWork }: Parts,
  { kind, id }: { readonly kind: string; readonly id: string },
  decide: (waited: boolean) => Promise<T>,
): Promise<T> {
  let attempts = 0;
  const change = (waited: boolean) => retryWhenChanged(() => decide(waited || attempts++ > 0));
  // On an edge no request may wait for another one.
  if (!sharesWork) return change(false);
  const ofStore = lines.get(store) ?? new Map<string, Promise<unknown>>();
  lines.set(store, ofStore);
  const key = `${kind} ${id}`;
  const ahead = ofStore.get(key);
  const own = ahead === undefined ? change(false) : ahead.then(() => change(true));
  const end = own.catch(() => undefined);
  ofStore.set(key, end);
  try {
    return await own;
  } finally {
    if (ofStore.get(key) === end) ofStore.delete(key);
  }
}
