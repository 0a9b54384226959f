import { mustHave } from '../../../access/public-reading.ts';
import { remove } from '../../../entities/external-ids/rules.ts';
import { entityOf } from '../../../entities/external-ids/store.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Caller } from '../../../security/caller.ts';
import { collectionName, collectionNamed } from '../../contract/collection/kind.ts';
import type { ItemsContext } from '../../settings.ts';
import { memberNamed } from './named.ts';
import type { MemberKey } from './order.ts';

/** Deletes an external id by the short path, which equals that of a member. Applies only if no member has that name. */
export async function removedExternalId(
  parts: ItemsContext,
  call: Caller,
  name: string,
  member: MemberKey,
): Promise<boolean> {
  const { store } = parts;
  const { type } = collectionName;
  const owner = await entityOf(store, type, member.id);
  if (owner === undefined || (await isThere(parts, member))) return false;
  const row = await collectionNamed(store, name);
  if (row.id !== owner) return false;
  await mustHave(store, call, collectionName, row, 'ALL');
  await call.commit({ changes: remove(collectionName, row.id, member.id), events: [] });
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
