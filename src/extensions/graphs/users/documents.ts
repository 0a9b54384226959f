import type { Graph } from '../../../room/graphs.ts';

interface NamedNode {
  readonly id: string;
  readonly name: string;
}

export interface People {
  readonly users: readonly NamedNode[];
  readonly groups: readonly (NamedNode & { readonly role: number })[];
  /** By id, from the member to what it is in. */
  readonly memberships: readonly { readonly user: string; readonly group: string }[];
  readonly edges: readonly { readonly child: string; readonly parent: string }[];
}

// A user and a group may have the same id and the same name.
const userNode = (id: string): string => `user ${id}`;
const groupNode = (id: string): string => `group ${id}`;

/** Each user and group points at what it is in. */
export const graphOf = ({ users, groups, memberships, edges }: People): Graph => ({
  name: 'users',
  way: 'up',
  nodes: [
    ...users.map(({ id, name }) => ({ id: userNode(id), label: name, shape: 'ellipse' as const })),
    ...groups.map(({ id, name, role }) => ({
      id: groupNode(id),
      label: name,
      shape: role === 1 ? ('hexagon' as const) : ('box' as const),
    })),
  ],
  edges: [
    ...memberships.map(({ user, group }) => ({ from: userNode(user), to: groupNode(group) })),
    ...edges.map(({ child, parent }) => ({ from: groupNode(child), to: groupNode(parent) })),
  ],
});
