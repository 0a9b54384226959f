import { type Call, caller } from '../../http/call.ts';
import { systemActor } from '../../store/contract.ts';
import type { SearchParts } from '../parts.ts';
import type { KeptSearch } from '../sought.ts';
import { trimSearches, writeSearch } from './store.ts';

/** Milliseconds in which an equal search of a user is not written again. */
const rest = 60_000;
/** Characters of a search that is compared as it is. */
const short = 200;

/** Keeps what a user has searched for, equal documents once. A search does not fail because this does. */
export async function remember(parts: SearchParts, call: Call, { kind, query }: KeptSearch): Promise<void> {
  const { store, clock, log, remembered } = parts;
  const { name: user } = caller(call);
  const now = clock.now();
  // Long ones are kept by a digest, which costs more than to compare short ones.
  const key = JSON.stringify([user, kind, query.length > short ? parts.digest(query) : query]);
  if (remembered.get(key, now)) return;
  remembered.set(key, true, now + rest);
  const digest = parts.digest(query);
  const changes = [writeSearch({ user, kind, digest, query, now }), trimSearches({ user, kind })];
  try {
    await store.commit({ changes, events: [] }, systemActor);
  } catch (error) {
    log.write('warn', 'search-history', { error: String(error) });
  }
}
