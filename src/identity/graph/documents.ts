export interface GraphNode {
  readonly id: string;
  readonly name: string;
}

export interface Graph {
  readonly users: readonly GraphNode[];
  readonly groups: readonly (GraphNode & { readonly role: number })[];
  /** By id, from the member to what it is in. */
  readonly memberships: readonly { readonly user: string; readonly group: string }[];
  readonly edges: readonly { readonly child: string; readonly parent: string }[];
}

const shapes = { user: 'ellipse', group: 'box', role: 'hexagon' } as const;

/** The graph in the dot language: each user and group points at what it is in. */
export function dotOf({ users, groups, memberships, edges }: Graph): string {
  // A user and a group may have the same id and the same name.
  const node = (kind: 'user' | 'group', id: string) => quoted(`${kind} ${id}`);
  const drawn = (kind: 'user' | 'group', { id, name }: GraphNode, shape: keyof typeof shapes) =>
    `  ${node(kind, id)} [label=${quoted(name)}, shape=${shapes[shape]}];`;
  const arrow = (from: string, to: string) => `  ${from} -> ${to};`;
  return [
    'digraph users {',
    '  rankdir=BT;',
    ...users.map((user) => drawn('user', user, 'user')),
    ...groups.map((group) => drawn('group', group, group.role === 1 ? 'role' : 'group')),
    ...memberships.map(({ user, group }) => arrow(node('user', user), node('group', group))),
    ...edges.map(({ child, parent }) => arrow(node('group', child), node('group', parent))),
    '}',
    '',
  ].join('\n');
}

/** In the dot language a quotation mark ends a text, and a backslash begins what stands for something else. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
