import { blockOf, networkOf } from '../../core/lib/address.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { UserState } from '../../security/subject.ts';
import { identityEvent } from '../events.ts';
import type { LoginOrigin } from './origin.ts';
import { findPlaces, putPlace, trimPlaces } from './store.ts';

interface Parts {
  readonly store: Store;
  fingerprint(text: string): string;
}

/** Places of one user. The oldest leave. */
export const maxPlaces = 50;
/** Milliseconds after which a place that is used is new again among them. */
const day = 24 * 60 * 60_000;

/**
 * Remembers the place of a login in the commit that begins it. A user who has logged in before, and never from this
 * device in this address block, is an event.
 */
export async function loginPlaceOf(
  { store, fingerprint }: Parts,
  user: Pick<UserState, 'id' | 'name'>,
  from: LoginOrigin,
  now: number,
): Promise<CommitPlan> {
  const { way, realm, device, address } = from;
  const digest = fingerprint(JSON.stringify(['login place', device ?? '', blockOf(networkOf(address))]));
  const places = await findPlaces(store, { userId: user.id, digest });
  if (places?.at != null && now - places.at < day) return { changes: [], events: [] };
  const changes = [putPlace({ userId: user.id, digest, at: now }), trimPlaces({ userId: user.id, max: maxPlaces })];
  const isNew = places?.at == null && (places?.count ?? 0) > 0;
  const payload = { user: user.name, way, realm, device, address };
  return { changes, events: isNew ? [identityEvent('login/new', user.name, payload)] : [] };
}
