import type { ClosedIn } from '../viewer.ts';
import { all, and, type Node, none, not, or } from './ast.ts';
import type { Names } from './names.ts';

/** Fields that entries close on single entities: there, no criterion is met by their values. */

/** Rewrites criteria for a caller to whom fields of some entities are closed. Criteria on other tables stay. */
export function guarded(node: Node, names: Pick<Names, 'open' | 'closed'>): Node {
  const { open = [], closed } = names;
  if (closed.fields === undefined) return node;
  const { any } = closed.fields;
  const inside = (each: Node): Node => {
    switch (each.is) {
      case 'and':
        return and(each.of.map(inside));
      case 'or':
        return anyOf(each.of, inside);
      case 'not':
        return not(inside(each.of));
      case 'linked':
        return { ...each, of: inside(each.of) };
      case 'value':
        return outside(each, each.field.closed);
      case 'words': {
        if (each.field) return outside(each, each.field.closed);
        const { units } = each;
        const fields = open.map((field): Node => ({ is: 'words', field, units }));
        // The words are those of all fields, so they find no less than those of the open ones.
        return and([each, or([not({ is: 'closed', places: any }), anyOf(fields, inside)])]);
      }
      case 'reference':
        // The index does not tell in which field it is.
        return outside(each, any);
      default:
        return each;
    }
  };
  return inside(node);
}

const outside = (node: Node, places: ClosedIn | undefined): Node =>
  places === undefined ? node : and([node, not({ is: 'closed', places })]);

/** Asks the text index once for all fields that are closed in the same entities. */
function anyOf(nodes: readonly Node[], inside: (node: Node) => Node): Node {
  const alike = new Map<ClosedIn | undefined, Node[]>();
  const others: Node[] = [];
  for (const each of nodes) {
    if ((each.is !== 'words' && each.is !== 'value') || each.field === undefined) others.push(inside(each));
    else alike.set(each.field.closed, [...(alike.get(each.field.closed) ?? []), each]);
  }
  return or([...Array.from(alike, ([places, those]) => outside(or(those), places)), ...others]);
}

/** Criteria that are met wherever these are, without asking what is closed: the text index can say them. */
export function widest(node: Node, finds = true): Node {
  switch (node.is) {
    case 'and':
      return and(node.of.map((each) => widest(each, finds)));
    case 'or':
      return or(node.of.map((each) => widest(each, finds)));
    case 'not':
      return not(widest(node.of, !finds));
    case 'closed':
      return finds ? all : none;
    default:
      return node;
  }
}
