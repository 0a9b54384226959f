import type { Comparable, FieldForm } from '../index/values.ts';
import type { Token, Unit } from '../text/terms.ts';
import type { ClosedIn } from '../viewer.ts';

/** What a search asks for, without the words of its document: plain data for any engine. */
export type Node =
  | { readonly is: 'all' }
  | { readonly is: 'none' }
  | { readonly is: 'and' | 'or'; readonly of: readonly Node[] }
  | { readonly is: 'not'; readonly of: Node }
  /**
   * Words in order in one value of the field; without a field, in one value of any. `everywhere`: the field is one of
   * all that the caller may see.
   */
  | { readonly is: 'words'; readonly field?: FieldForm; readonly everywhere?: true; readonly units: readonly Unit[] }
  /** Words in one value, in any order, with at most so many others between them. */
  | { readonly is: 'near'; readonly field?: FieldForm; readonly tokens: readonly Token[]; readonly distance: number }
  | { readonly is: 'value'; readonly field: FieldForm; readonly test: Test }
  /** Something in the metadata refers to the uuid. */
  | { readonly is: 'reference'; readonly uuid: string }
  /** In one instance of the group. Undefined: of any group. */
  | { readonly is: 'group'; readonly name: string | undefined; readonly of: Node }
  /** Some entity of the other kind that belongs to this one. */
  | { readonly is: 'linked'; readonly to: Linked; readonly of: Node }
  /** The caller may not read something of the entity. */
  | { readonly is: 'closed'; readonly places: ClosedIn }
  /** What tables besides the metadata say of the entity. */
  | { readonly is: 'fact'; readonly fact: Fact; readonly test: Test };

export type Linked = 'item' | 'shape' | 'file';
/** What a search finds. `both`: items and collections. */
export type Found = 'item' | 'collection' | 'both' | 'shape' | 'file';

/** Whether the index has entities of the kind. Shapes and files are asked for in their tables alone. */
export const isIndexed = (found: Found): found is 'item' | 'collection' | 'both' =>
  found !== 'shape' && found !== 'file';

/** Where a value of a fact is read. The store of this folder knows how. */
export interface Fact {
  readonly of: 'item' | 'collection' | 'shape' | 'file';
  readonly name: string;
  /** The variable part of a name: a tag, or the key of key-value metadata. */
  readonly key?: string;
  readonly type: 'text' | 'whole' | 'date';
}

export type Test =
  | { readonly is: 'some' }
  | { readonly is: 'equals'; readonly value: Comparable }
  /** Any of many. */
  | { readonly is: 'among'; readonly values: readonly Comparable[] }
  /** The whole value, with `*` and `?`. `ignoresCase`: of facts alone. */
  | { readonly is: 'like'; readonly pattern: string; readonly ignoresCase?: true }
  | { readonly is: 'between'; readonly from?: End; readonly to?: End };

export interface End {
  readonly value: Comparable;
  /** The value itself is outside. */
  readonly open: boolean;
}

export const all: Node = { is: 'all' };
export const none: Node = { is: 'none' };

/** Nested ones become one list, and what decides alone stands alone. */
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

/** Every part, the outer before the inner. */
export function* partsOf(node: Node): Generator<Node> {
  yield node;
  if (node.is === 'and' || node.is === 'or') for (const each of node.of) yield* partsOf(each);
  else if (node.is === 'not' || node.is === 'group' || node.is === 'linked') yield* partsOf(node.of);
}
