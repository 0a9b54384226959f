import type { Reader } from '../../core/store/statement.ts';
import { findGroup, findUser, groupsOf } from '../../identity/public-reading.ts';
import { administrator } from '../../security/subject.ts';
import { contextsOf } from './contexts.ts';
import { principalsOf } from './reading.ts';
import { type Viewer, viewerFor } from './viewer.ts';

/** Groups above a group. */
const mostGroups = 10_000;

/** Viewer with the rights of a user who makes no request. Undefined: there is no such user. */
export async function viewerOfUser(reader: Reader, name: string): Promise<Viewer | undefined> {
  const user = await findUser(reader, { name });
  if (!user) return undefined;
  const principals = (await principalsOf(reader, [user.id])).get(user.id);
  return viewerFor(reader, { administrator: principals?.administrator === true, userId: user.id });
}

/**
 * Viewer with the rights of a group, by entries for it and for the groups above it. Undefined: there is no such group.
 */
export async function viewerOfGroup(reader: Reader, name: string): Promise<Viewer | undefined> {
  const group = await findGroup(reader, { name });
  if (!group) return undefined;
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
