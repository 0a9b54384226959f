import { type Call, caller } from '../../http/call.ts';
import { systemActor } from '../../store/contract.ts';
import type { SearchParts } from '../parts.ts';
import type { KeptSearch } from '../sought.ts';
import { trimSearches, writeSearch } from './store.ts';

/** Milliseconds in which the newest search of a user is not written again. */
const rest = 60_000;
/** Longest search that is compared by its text: a digest of a long one costs less memory. */
const short = 200;

/** Keeps what a user has searched for, equal documents once. A search does not fail because this does. */
export async function remember(parts: SearchParts, call: Call, { kind, query }: KeptSearch): Promise<void> {
  const { store, clock, log, remembered } = parts;
  const { name: user } = caller(call);
  const now = clock.now();
  const key = JSON.stringify([user, kind]);
  const text = query.length > short ? parts.digest(query) : query;
  // An older one moves up, so only a repetition of the newest changes nothing.
  if (remembered.get(key, now) === text) return;
  remembered.set(key, text, now + rest);
  const digest = parts.digest(query);
  const changes = [writeSearch({ user, kind, digest, query, now }), trimSearches({ user, kind })];
  try {
    await store.commit({ changes, events: [] }, systemActor);
  } catch (error) {
    log.write('warn', 'search-history', { error: String(error) });
  }
}
