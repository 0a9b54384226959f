import type { Reader } from '../../../core/store/statement.ts';
import type { SearchAcl } from '../documents/search.ts';
import { maySee, type RequiredLevel, type Viewer, viewerOfGroup, viewerOfUser } from '../viewer.ts';
import type { SearchKind } from './ast.ts';
import { badSearch } from './refusals.ts';

/** Levels that hits must have for somebody. */
export type Holders = readonly { readonly viewer: Viewer; readonly level: RequiredLevel }[];

const permissions: readonly RequiredLevel[] = ['READ', 'WRITE', 'ALL', 'OWNER'];

/**
 * Access that the criterion `acl` asks of each hit. About others, callers learn what `merged-access` tells them: with the roles
 * for it, and of what they have ALL on. Undefined: nothing can match.
 */
export async function holdersOf(
  reader: Reader,
  viewer: Viewer,
  kind: SearchKind,
  { username, groupname, permission }: SearchAcl,
): Promise<Holders | undefined> {
  const level = permissions.find((word) => word === permission.trim().toUpperCase());
  if (level === undefined) throw badSearch('acl', `Expected one of ${permissions.join(', ')}`, permission);
  if (kind === 'file') throw badSearch('acl', 'Expected items, collections or shapes: files have no access entries');
  if (username === undefined && groupname === undefined) return [{ viewer, level }];
  const user = username === undefined ? undefined : await viewerOfUser(reader, username);
  const group = groupname === undefined ? undefined : await viewerOfGroup(reader, groupname);
  const isMissing = (username !== undefined && !user) || (groupname !== undefined && !group);
  if (isMissing) return undefined;
  const isOwn = user !== undefined && user.userId === viewer.userId;
  const named = [isOwn ? viewer : user, group].flatMap((each) => (each ? [{ viewer: each, level }] : []));
  if (isOwn && !group) return named;
  return maySee(viewer, 'access') ? [...named, { viewer, level: 'ALL' }] : undefined;
}
