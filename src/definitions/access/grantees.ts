import { noSuchGroup, noSuchUser } from '../../identity/public.ts';
import { findGroup, findUser } from '../../identity/public-reading.ts';
import type { Reader } from '../../store/statement.ts';
import type { MetadataFieldAccess } from '../documents.ts';
import { type FieldGrantee, granteeNamed } from './rules.ts';

/** Grantee of an entry; 404 if the user or group is unknown. */
export async function granteeOf(reader: Reader, entry: MetadataFieldAccess, place: string): Promise<FieldGrantee> {
  const named = granteeNamed(entry, place);
  if ('user' in named) {
    const user = await findUser(reader, { name: named.user });
    if (user) return { userId: user.id, groupId: null };
    throw noSuchUser(named.user.slice(0, 80));
  }
  const group = await findGroup(reader, { name: named.group });
  if (group) return { userId: null, groupId: group.id };
  throw noSuchGroup(named.group.slice(0, 80));
}
