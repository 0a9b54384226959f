import type { Reader } from '../../../core/store/statement.ts';
import {
  type ClosedIn,
  mayHaveAll,
  maySee,
  type RequiredLevel,
  type Viewer,
  viewerOfGroup,
  viewerOfUser,
} from '../../access/public-reading.ts';
import type { SearchAcl } from '../documents.ts';
import { all, and, indexedKinds, isIndexed, type Node, none, not, or, type SearchKind } from './ast.ts';
import type { Names } from './names.ts';
import { badSearch } from './refusals.ts';

/** Closed fields: values of a field do not match in entities where entries close it. */

/** Rewrites criteria for a caller with closed fields in some entities. Criteria on other tables stay. */
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
        // Full-text words include those of closed fields, so they never find less.
        return and([each, or([not({ is: 'closed', places: any }), anyOf(fields, inside)])]);
      }
      case 'reference':
        // The index does not tell which field has the reference.
        return outside(each, any);
      default:
        return each;
    }
  };
  return inside(node);
}

const outside = (node: Node, places: ClosedIn | undefined): Node =>
  places === undefined ? node : and([node, not({ is: 'closed', places })]);

/** Combines fields that are closed in the same entities into one query of the text index. */
function anyOf(nodes: readonly Node[], inside: (node: Node) => Node): Node {
  const alike = new Map<ClosedIn | undefined, Node[]>();
  const others: Node[] = [];
  for (const each of nodes) {
    if ((each.is !== 'words' && each.is !== 'value') || each.field === undefined) others.push(inside(each));
    else alike.set(each.field.closed, [...(alike.get(each.field.closed) ?? []), each]);
  }
  return or([...Array.from(alike, ([places, those]) => outside(or(those), places)), ...others]);
}

/**
 * Relaxed criteria without checks for closed parts, which the text index can decide. They match at least the same
 * entities.
 */
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

/** Whether no entity of the kind is closed to the viewer. */
export const seesAll = (viewer: Viewer, kind: SearchKind): boolean =>
  viewer.administrator || (isIndexed(kind) && indexedKinds(kind).every((each) => mayHaveAll(viewer, each)));
