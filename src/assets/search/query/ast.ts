import type { ClosedIn } from '../../access/public-reading.ts';
import type { Comparable } from '../../definitions/public-reading.ts';
import type { IndexedKind } from '../index/keys.ts';
import type { FieldForm } from '../index/values.ts';
import { type JoinedKind, joinedKinds } from './joined.ts';
import type { SearchToken, SearchUnit } from './terms.ts';

/** Syntax tree of a search, independent of the document format and of the engine. */
export type Node =
  | { readonly is: 'all' }
  | { readonly is: 'none' }
  | { readonly is: 'and' | 'or'; readonly of: readonly Node[] }
  | { readonly is: 'not'; readonly of: Node }
  /**
   * Words in order within one value of the field, or of any field if undefined. `everywhere`: the field is one of all
   * that the caller may see.
   */
  | {
      readonly is: 'words';
      readonly field?: FieldForm;
      readonly everywhere?: true;
      readonly units: readonly SearchUnit[];
    }
  /** Words within one value, in any order, at the given distance. */
  | {
      readonly is: 'near';
      readonly field?: FieldForm;
      readonly tokens: readonly SearchToken[];
      readonly distance: number;
    }
  | { readonly is: 'value'; readonly field: FieldForm; readonly test: Test }
  /** Any reference to the uuid in the metadata. */
  | { readonly is: 'reference'; readonly uuid: string }
  /** Criteria within one instance of the group. Undefined name: any group. */
  | { readonly is: 'group'; readonly name: string | undefined; readonly of: Node }
  /** Some linked entity of the other kind matches. */
  | { readonly is: 'linked'; readonly to: Linked; readonly of: Node }
  /** The text of a joined row has words, by a query of its text index. */
  | { readonly is: 'joinedWords'; readonly match: string }
  /** Some part of the entity is closed to the caller. */
  | { readonly is: 'closed'; readonly places: ClosedIn }
  /** Properties stored outside the metadata. */
  | { readonly is: 'fact'; readonly fact: Fact; readonly test: Test };

/** Maximum depth of nested criteria. */
export const maxDepth = 24;

export type Linked = 'item' | 'shape' | 'file' | JoinedKind;
export const linkedKinds: readonly Linked[] = ['item', 'shape', 'file', ...joinedKinds];
/** Kind of hits. `both`: items and collections. */
export type SearchKind = 'item' | 'collection' | 'both' | 'shape' | 'file';
/** Kind of entities that criteria are about. */
export type Level = SearchKind | JoinedKind;

/** Whether the index contains the kind. Shapes and files are searched in their tables. */
export const isIndexed = (kind: SearchKind): kind is 'item' | 'collection' | 'both' =>
  kind !== 'shape' && kind !== 'file';

/** Kinds of entities that a search may find by the index. */
export const indexedKinds = (kind: SearchKind): readonly IndexedKind[] =>
  kind === 'both' ? ['item', 'collection'] : isIndexed(kind) ? [kind] : [];

/** Property stored outside the metadata, resolved by the store of this folder. */
export interface Fact {
  readonly of: Exclude<Level, 'both'>;
  readonly name: string;
  /** Variable part of a name: a tag, or a key of key-value metadata. */
  readonly key?: string;
  readonly type: 'text' | 'whole' | 'date';
}

export type Test =
  | { readonly is: 'some' }
  | { readonly is: 'equals'; readonly value: Comparable }
  /** Any of several values. */
  | { readonly is: 'among'; readonly values: readonly Comparable[] }
  /** The whole value, with `*` and `?`. `ignoresCase`: for facts only. */
  | { readonly is: 'like'; readonly pattern: string; readonly ignoresCase?: true }
  | { readonly is: 'between'; readonly from?: End; readonly to?: End };

export interface End {
  readonly value: Comparable;
  /** True: exclusive end. */
  readonly open: boolean;
}

export const all: Node = { is: 'all' };
export const none: Node = { is: 'none' };

/** Conjunction, flattened and simplified. */
export function and(nodes: readonly Node[]): Node {
  const of = nodes.flatMap((node) => (node.is === 'and' ? node.of : node.is === 'all' ? [] : [node]));
  if (of.some(({ is }) => is === 'none')) return none;
  return of.length === 0 ? all : of.length === 1 ? of[0]! : { is: 'and', of };
}

export function or(nodes: readonly Node[]): Node {
  const of = nodes.flatMap((node) => (node.is === 'or' ? node.of : node.is === 'none' ? [] : [node]));
  if (of.some(({ is }) => is === 'all')) return all;
  return of.length === 0 ? none : of.length === 1 ? of[0]! : { is: 'or', of };
}

export const not = (node: Node): Node =>
  node.is === 'all' ? none : node.is === 'none' ? all : node.is === 'not' ? node.of : { is: 'not', of: node };

/** All nodes in pre-order. `links`: also criteria of linked entities. */
export function* partsOf(node: Node, links = true): Generator<Node> {
  yield node;
  if (node.is === 'and' || node.is === 'or') for (const each of node.of) yield* partsOf(each, links);
  else if (node.is === 'not' || node.is === 'group' || (node.is === 'linked' && links)) yield* partsOf(node.of, links);
}
