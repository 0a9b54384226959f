import { ServiceError } from '../../lib/errors.ts';
import { systemActor } from '../../store/contract.ts';
import type { ItemSearch } from '../documents/search.ts';
import type { SearchParts } from '../parts.ts';
import { findSaved, sweepSaved, writeSaved } from './store.ts';

const day = 86_400_000;

/** Stores a search for a day. Returns the name of its address. */
export async function saveSearch({ store, clock, digest }: SearchParts, document: ItemSearch): Promise<string> {
  const query = JSON.stringify(document);
  const hash = digest(query)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 40);
  const now = clock.now();
  const changes = [writeSaved({ hash, query, expiresAt: now + day }), sweepSaved({ now })];
  await store.commit({ changes, events: [] }, systemActor);
  return hash;
}

/** Finds a stored search; 404 after a day. */
export async function findSearch({ store, clock }: SearchParts, hash: string): Promise<ItemSearch> {
  const [row] = await findSaved(store, { hash, now: clock.now() });
  if (row) return JSON.parse(row.query) as ItemSearch;
  throw new ServiceError('no-such-entity', { type: 'Search', id: hash.slice(0, 80) });
}
