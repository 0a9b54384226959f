import { retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import { KeyedQueue } from '../../core/lib/turn.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { RoomContext } from '../context.ts';
import { removeExternalIds } from './external-ids/store.ts';
import { removeAllKeys } from './key-values/store.ts';

type Parts = Pick<RoomContext, 'store' | 'sharesWork'>;

const turnsOf = new WeakMap<Parts['store'], KeyedQueue>();

/**
 * Serialises changes of one entity within the instance: concurrent ones would conflict until they give up. Commit
 * guards protect against other instances, and stale decisions are retried. `waited`: earlier reads may be stale. Not
 * reentrant.
 */
export function changeInTurn<T>(
  { store, sharesWork }: Parts,
  { kind, id }: { readonly kind: string; readonly id: string },
  decide: (waited: boolean) => Promise<T>,
): Promise<T> {
  const change = (waited: boolean) => retryWhenChanged((isRetry) => decide(waited || isRetry));
  // On the edge, requests must not wait for each other.
  if (!sharesWork) return change(false);
  const turns = turnsOf.get(store) ?? new KeyedQueue();
  turnsOf.set(store, turns);
  return turns.take(`${kind} ${id}`, change);
}

/** For the commit in which a room deletes an entity: what is kept of it here. */
export const forgetEntity = (type: string, id: string): Statement[] => [
  removeAllKeys({ owner: type, id }),
  removeExternalIds({ type, id }),
];
