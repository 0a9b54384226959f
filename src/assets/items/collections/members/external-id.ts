import { ServiceError } from '../../../../core/lib/errors.ts';
import { remove } from '../../../../room/entities/external-ids/rules.ts';
import { entityOf } from '../../../../room/entities/external-ids/store.ts';
import type { Caller } from '../../../../security/caller.ts';
import { mustHave } from '../../../access/public-reading.ts';
import { collectionName } from '../../contract/collection/kind.ts';
import type { CollectionRow } from '../../contract/collection/store.ts';
import type { ItemsContext } from '../../settings.ts';
import { memberNamed } from './named.ts';
import type { MemberKey } from './order.ts';

/**
 * Deletes an external id by the short path, which equals that of a member. Applies only if no member has that name. The
 * caller needs ALL on the collection.
 */
export async function removedExternalId(
  parts: ItemsContext,
  call: Caller,
  { id }: CollectionRow,
  member: MemberKey,
): Promise<boolean> {
  const { store } = parts;
  const owner = await entityOf(store, collectionName.type, member.id);
  if (owner !== id || (await isThere(parts, member))) return false;
  await mustHave(store, call, collectionName, { id }, 'ALL');
  await call.commit({ changes: remove(collectionName, id, member.id), events: [] });
  return true;
}

async function isThere({ store }: ItemsContext, member: MemberKey): Promise<boolean> {
  try {
    await memberNamed(store, member);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'no-such-entity') return false;
    throw error;
  }
}
