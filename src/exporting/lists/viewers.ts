import { contextsOf, principalsOf, type Viewer, viewerFor } from '../../access/public-reading.ts';
import { noSuchEntity } from '../../entities/find.ts';
import { groupsOf } from '../../identity/public.ts';
import { findGroup, findUser } from '../../identity/public-reading.ts';
import { administrator } from '../../security/subject.ts';
import type { Reader } from '../../store/statement.ts';

/** Groups above a group. */
const mostGroups = 10_000;

/** Viewer with the rights of a user who makes no request. */
export async function viewerOfUser(reader: Reader, name: string): Promise<Viewer> {
  const user = await findUser(reader, { name });
  if (!user) throw noSuchEntity({ noun: 'User' }, name);
  const principals = (await principalsOf(reader, [user.id])).get(user.id);
  return viewerFor(reader, { administrator: principals?.administrator === true, userId: user.id });
}

/** Viewer with the rights of a group, by entries for it and for the groups above it. */
export async function viewerOfGroup(reader: Reader, name: string): Promise<Viewer> {
  const group = await findGroup(reader, { name });
  if (!group) throw noSuchEntity({ noun: 'Group' }, name);
  const { groups: above } = await groupsOf(reader, 'ancestors', group.id, undefined, { offset: 0, limit: mostGroups });
  const isAdministrator = [group, ...above].some((each) => each.name === administrator);
  const groups = new Map([group, ...above].map(({ id }) => [id, 0]));
  const principals = { userId: '', enabled: true, administrator: isAdministrator, groups };
  return {
    administrator: isAdministrator,
    userId: undefined,
    principals,
    contexts: isAdministrator ? undefined : await contextsOf(reader, principals),
  };
}
