import { locationOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import type { Reply } from '../../http/reply.ts';
import { ServiceError } from '../../lib/errors.ts';
import { systemActor } from '../../store/contract.ts';
import type { ItemSearch } from '../documents/search.ts';
import type { SearchParts } from '../parts.ts';
import { findSaved, sweepSaved, writeSaved } from './store.ts';

const day = 86_400_000;

/** Stores a search for a day, and returns its URI with the other parameters of the request. */
export async function save(parts: SearchParts, call: Call, document: ItemSearch): Promise<Reply> {
  const { store, clock } = parts;
  const query = JSON.stringify(document);
  const hash = parts
    .digest(query)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 40);
  const now = clock.now();
  const changes = [writeSaved({ hash, query, expiresAt: now + day }), sweepSaved({ now })];
  await store.commit({ changes, events: [] }, systemActor);
  const { search } = new URL(call.request.url);
  const kept = new URLSearchParams(search);
  kept.delete('save');
  kept.delete('q');
  const rest = kept.size > 0 ? `?${kept}` : '';
  return { status: 303, headers: { location: locationOf(call, `${call.path}/saved/${hash}${rest}`) } };
}

/** Finds a stored search; 404 after a day. */
export async function savedSearch({ store, clock }: SearchParts, hash: string): Promise<ItemSearch> {
  const [row] = await findSaved(store, { hash, now: clock.now() });
  if (row) return JSON.parse(row.query) as ItemSearch;
  throw new ServiceError('no-such-entity', { type: 'Search', id: hash.slice(0, 80) });
}
