import type { Reader } from '../core/store/statement.ts';
import type { Directory, GroupOfUser } from '../security/subject.ts';
import { findGroup } from './groups/store.ts';
import { childrenOf, edgesAbove, type MembershipRow, membershipsOf } from './memberships/store.ts';
import { newestLogin } from './tokens/store.ts';
import { findLogin, stateOf } from './users/store.ts';

/** Memberships that one explanation shows, of users and of groups. */
const maxShown = 1_000;
/** Groups that one explanation names for a role that is missing. */
const maxNamed = 10;

/** Reads of users for explanations. */
export const grounds: Pick<Directory, 'grounds' | 'groupsWith'> = {
  async grounds(reader, name) {
    const login = name.includes('\0') ? undefined : await findLogin(reader, { name });
    if (!login) return undefined;
    const { id } = login;
    const [direct, edges, [newest]] = await Promise.all([
      membershipsOf(reader, { id, limit: maxShown }),
      edgesAbove(reader, { id, limit: maxShown }),
      newestLogin(reader, { userId: id }),
    ]);
    const lastLogin = newest && { at: newest.at, way: newest.way, realm: newest.realm ?? undefined };
    return { user: stateOf(login), groups: groupsOfUser(direct, edges), lastLogin };
  },
  async groupsWith(reader: Reader, role) {
    const row = await findGroup(reader, { name: role });
    return row ? (await childrenOf(reader, { id: row.id, limit: maxNamed })).map((child) => child.name) : [];
  },
};

type Edge = Awaited<ReturnType<typeof edgesAbove>>[number];

function groupsOfUser(direct: readonly MembershipRow[], edges: readonly Edge[]): readonly GroupOfUser[] {
  const groups = new Map<string, GroupOfUser & { readonly through: string[] }>();
  for (const { name, role, source, realm, claim } of direct) {
    const by = { realm: realm ?? undefined, claim: claim ?? undefined };
    groups.set(name, { name, isRole: role === 1, source: source ?? 'entered', ...by, through: [] });
  }
  for (const { parent: name, role, child } of edges) {
    const group = groups.get(name);
    if (group) group.through.push(child);
    else groups.set(name, { name, isRole: role === 1, source: 'group', through: [child] });
  }
  return [...groups.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
