import type { NodeKind } from '../tree/node.ts';

export type Axis =
  | 'child'
  | 'descendant'
  | 'attribute'
  | 'self'
  | 'descendant-or-self'
  | 'following-sibling'
  | 'following'
  | 'namespace'
  | 'parent'
  | 'ancestor'
  | 'preceding-sibling'
  | 'preceding'
  | 'ancestor-or-self';

/** Condition on a node in a step or a type. Undefined parts match any node. */
export interface NodeTest {
  /** Undefined: the principal kind of the axis, for a name. */
  readonly kind?: NodeKind | 'node' | undefined;
  readonly local?: string | undefined;
  readonly uri?: string | undefined;
}

export type Occurs = '' | '?' | '*' | '+';

export interface SequenceType {
  /** `empty` is empty-sequence(), `item` is any item; a node test, or the local name of a type of XML Schema. */
  readonly of: 'empty' | 'item' | NodeTest | string;
  readonly occurs: Occurs;
}

export interface Binding {
  readonly name: string;
  readonly of: Ast;
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type Arithmetic = '+' | '-' | '*' | 'div' | 'idiv' | 'mod';

export type Ast =
  | { readonly is: 'literal'; readonly value: string | number }
  | { readonly is: 'variable'; readonly name: string }
  | { readonly is: 'context' | 'root' }
  | { readonly is: 'sequence'; readonly of: readonly Ast[] }
  | { readonly is: 'call'; readonly uri: string; readonly local: string; readonly given: readonly Ast[] }
  | { readonly is: 'step'; readonly axis: Axis; readonly test: NodeTest; readonly predicates: readonly Ast[] }
  | { readonly is: 'filter'; readonly base: Ast; readonly predicates: readonly Ast[] }
  | { readonly is: 'slash'; readonly left: Ast; readonly right: Ast }
  | { readonly is: 'and' | 'or' | 'to' | 'is' | '<<' | '>>'; readonly left: Ast; readonly right: Ast }
  | { readonly is: 'union' | 'intersect' | 'except'; readonly left: Ast; readonly right: Ast }
  | { readonly is: 'general' | 'value'; readonly sign: Comparison; readonly left: Ast; readonly right: Ast }
  | { readonly is: 'arithmetic'; readonly sign: Arithmetic; readonly left: Ast; readonly right: Ast }
  | { readonly is: 'minus'; readonly of: Ast }
  | { readonly is: 'if'; readonly test: Ast; readonly yes: Ast; readonly no: Ast }
  | { readonly is: 'for'; readonly bindings: readonly Binding[]; readonly answer: Ast }
  | { readonly is: 'some' | 'every'; readonly bindings: readonly Binding[]; readonly answer: Ast }
  | {
      readonly is: 'instance' | 'treat' | 'castable' | 'cast';
      readonly of: Ast;
      readonly type: SequenceType;
    };
