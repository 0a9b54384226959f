import type { CommitPlan } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { noSuchUser, userNamed } from '../../../identity/public.ts';
import { serialOf } from '../../../storage/public-reading.ts';
import { ownerOf } from '../access.ts';
import type { AccessTarget, Guarded } from '../levels.ts';
import { entryEvents, touched } from './change.ts';
import { noSuchEntry } from './rules.ts';
import { changeOwner, entriesOn, entryMustExist, userThere } from './store.ts';

/** Makes another user the owner. The OWNER entry keeps its id. */
export async function giveTo(
  store: Store,
  place: AccessTarget,
  name: string,
): Promise<CommitPlan & { readonly id: string }> {
  const user = await userNamed({ store }, name);
  const guard = userThere({ id: user.id }, noSuchUser(name));
  const rows = await entriesOn(store, { type: place.type, entityId: place.id });
  const owner = rows.find(({ permission }) => permission === 'OWNER');
  const id = owner?.id ?? (await store.nextId('access'));
  const key = { type: place.type, entityId: place.id, id };
  const type = place.type as Guarded;
  const changes = owner
    ? [guard, entryMustExist(key, noSuchEntry(id)), changeOwner({ ...key, userId: user.id })]
    : [guard, ownerOf({ type, id: place.id, serial: serialOf(place.id), entryId: id, userId: user.id })];
  const isSame = owner?.userId === user.id;
  return {
    id,
    changes: isSame ? [] : changes,
    events: isSame
      ? []
      : entryEvents('access/change', place, { id, permission: 'OWNER', grantee: { user: user.name } }),
    touches: touched(place),
  };
}
