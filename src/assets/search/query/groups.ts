import { and, type Node, or, partsOf } from './ast.ts';
import { badSearch } from './refusals.ts';

/** Outermost criteria that are decided by reading metadata: groups, and words near each other. */
export function outerGroups(node: Node): readonly Node[] {
  const groups: readonly Node[] = [...partsOf(node)].filter((each) => each.is === 'group' || each.is === 'near');
  for (const each of groups.length > 0 ? partsOf(node) : []) {
    if (each.is === 'linked' && [...partsOf(each.of)].some((part) => groups.includes(part))) {
      throw badSearch('group', 'Expected no group and no phrase with a distance in the criteria of another entity');
    }
  }
  return groups.filter(
    (each) => !groups.some((other) => other.is === 'group' && other !== each && [...partsOf(other.of)].includes(each)),
  );
}

/** Criteria of entities that match at all, if only in different instances of the groups. */
export const withGroups = (node: Node, outer: readonly Node[]): Node =>
  outer.length === 0 ? node : and([node, or(outer.map((each) => (each.is === 'group' ? each.of : each)))]);

/** Part of a search that a refusal names. */
export const refusedPart = (outer: readonly Node[]): 'group' | 'text' =>
  outer.some(({ is }) => is === 'group') ? 'group' : 'text';
