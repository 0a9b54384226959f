import type { GroupListDocument, UserListDocument } from 'portico/types';
import { get, send } from '../../api/client.ts';
import { may } from '../../rights.ts';
import type { Key } from '../../texts/index.ts';

export type Kind = 'user' | 'group';
export const pageSize = 100;

/** Path of a user or a group, the same in the API and below `/ui`. */
export const pathTo = (kind: Kind, name: string): string => `/${kind}/${encodeURIComponent(name)}`;

export interface Row {
  readonly name: string;
  readonly about: string;
  readonly groups: readonly string[];
  readonly disabled: boolean;
}

interface RowPage {
  readonly rows: readonly Row[];
  readonly hits: number;
}

/** Users, or groups that are no roles, with a text in their names. */
export async function find(
  kind: Kind,
  text: string,
  { signal, page = 1, number = pageSize }: { signal: AbortSignal; page?: number; number?: number },
): Promise<RowPage> {
  const names = kind === 'user' ? ['userName', 'realName'] : ['groupName'];
  const field = names.map((name) => ({ name, value: `*${text}*` }));
  const {
    hits = 0,
    user,
    group = [],
  } = await send<UserListDocument & GroupListDocument>(
    'PUT',
    `/${kind}`,
    { ...(text !== '' && { operator: [{ operation: 'OR', field }] }), sort: [{ field: names[0] }] },
    {
      query: { ignoreCase: true, first: (page - 1) * number + 1, number, role: kind === 'group' ? false : undefined },
      signal,
    },
  );
  const rows =
    user?.map(({ userName, realName = '', groupList, disabled = false }) => ({
      name: userName,
      about: realName,
      groups: (groupList?.group ?? []).map(({ groupName }) => groupName),
      disabled,
    })) ??
    group.map(({ groupName, description = '' }) => ({
      name: groupName,
      about: description,
      groups: [],
      disabled: false,
    }));
  return { rows, hits };
}

/** Roles, each with the groups that give it directly. */
export type Sources = ReadonlyMap<string, readonly string[]>;

/** Groups that give some of the roles. */
export const giversOf = (roles: readonly string[], sources: Sources): readonly string[] => [
  ...new Set(roles.flatMap((role) => sources.get(role) ?? [])),
];

/** All roles of the service, for those who may list groups. */
export async function offeredRoles(signal: AbortSignal): Promise<readonly string[]> {
  if (!may('group.read')) return [];
  const { group = [] } = await get<GroupListDocument>('/group', { query: { role: true }, signal });
  return group.map(({ groupName }) => groupName);
}

/** Roles among the groups that `path` lists, which are all that somebody is in. `own`: who is looked at, if it is a group. */
export async function sourcesOf(path: string, own: readonly string[], signal: AbortSignal): Promise<Sources> {
  const { group = [] } = await get<GroupListDocument>(path, { signal });
  const sources = new Map<string, string[]>(
    group.filter(({ role }) => role).map(({ groupName }): [string, string[]] => [groupName, []]),
  );
  const plainGroups = may('group.read') ? group.filter(({ role }) => !role).map(({ groupName }) => groupName) : [];
  await Promise.all(
    [...own, ...plainGroups].map(async (plainGroup) => {
      const parents = await get<GroupListDocument>(`${pathTo('group', plainGroup)}/parents`, { signal });
      for (const { groupName } of parents.group ?? []) sources.get(groupName)?.push(plainGroup);
    }),
  );
  return sources;
}

const areas: readonly (readonly [title: Key, roles: RegExp])[] = [
  ['nav.people', /^_(?:administrator|runas|scim|user|group|accesscontrol)/],
  ['nav.fields', /^_metadata/],
  ['nav.storages', /^_(?:storage|file|quota|site_rule)/],
  ['nav.jobs', /^_(?:job|taskdefinition|export|import|placeholder)/],
  ['nav.library', /^_(?:item|collection|library|sequence|shape_(?!tag)|thumbnail|deletion_lock|document)/],
  ['nav.settings', /./],
];

/** Roles by what they are about. */
export const byArea = (roles: readonly string[]): readonly (readonly [title: Key, roles: readonly string[]])[] =>
  areas
    .map(
      ([title], at) => [title, roles.filter((role) => areas.findIndex(([, fits]) => fits.test(role)) === at)] as const,
    )
    .filter(([, areaRoles]) => areaRoles.length > 0);
