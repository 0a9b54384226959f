import { groupBy } from '../../core/lib/group-by.ts';
import type { GroupList, ListedGroup } from '../documents/users-and-groups.ts';
import { briefGroup, type Relative } from '../groups/documents.ts';

interface Node extends Relative {
  readonly id: string;
}

interface Link {
  readonly parent: string;
  readonly child: string;
}

/** A reader of documents has a limit to what may be inside what. */
const deepest = 24;

/**
 * Groups with what they are in, and that with what it is in. A repeated group stands without its parents. With its
 * parents each time, a few dozen groups would make a document without end.
 */
export function groupHierarchy(tops: readonly Node[], all: readonly Node[], links: readonly Link[]): GroupList {
  const below = groupBy(links, (link) => link.parent);
  const lines = all.flatMap((parent) => (below.get(parent.id) ?? []).map(({ child }) => ({ parent, child })));
  const above = groupBy(lines, (line) => line.child);
  const shown = new Set<string>();

  function show(node: Node, depth: number): ListedGroup {
    const parents = shown.has(node.id) || depth === deepest ? [] : (above.get(node.id) ?? []);
    shown.add(node.id);
    if (parents.length === 0) return briefGroup(node);
    return { ...briefGroup(node), parentGroupList: { group: parents.map(({ parent }) => show(parent, depth + 1)) } };
  }
  return { hits: all.length, group: tops.map((node) => show(node, 0)) };
}
