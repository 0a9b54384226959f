import { StylesheetFails, shown } from '../fails.ts';
import { Node } from '../tree/node.ts';
import type { Ast, NodeTest } from './ast.ts';
import { testOf } from './axes.ts';
import { compileAst, filtered } from './compile.ts';
import type { Dynamic } from './dynamic.ts';
import { mayCount, parseExpression } from './parse.ts';
import type { Compute, StaticContext } from './static-context.ts';
import { truthOf } from './values.ts';

/** Whether a node fits. */
export type Matches = (node: Node, at: Dynamic) => boolean;

/** Alternative of a pattern. */
export interface Pattern {
  readonly matches: Matches;
  readonly priority: number;
  /** Name of elements that can match. Undefined: any name, or no elements. */
  readonly local: string | undefined;
}

/** Compiles a pattern such as `a/b[c] | @d` into its alternatives. */
export function compilePattern(source: string, place: StaticContext): readonly Pattern[] {
  return alternatives(parseExpression(source, place)).map((ast) => {
    const matches = compileMatch(ast, place, source);
    const last = ast.is === 'slash' ? ast.right : ast;
    const test = last.is === 'step' ? last.test : undefined;
    const local = test?.kind === 'element' ? test.local : undefined;
    return { matches, priority: priorityOf(ast), local };
  });
}

const alternatives = (ast: Ast): readonly Ast[] =>
  ast.is === 'union' ? [...alternatives(ast.left), ...alternatives(ast.right)] : [ast];

function priorityOf(ast: Ast): number {
  if (ast.is === 'root') return -0.5;
  if (ast.is !== 'step' || ast.predicates.length > 0) return 0.5;
  const { local, uri } = ast.test;
  if (local !== undefined && uri === undefined && ast.test.kind !== 'processing-instruction') return -0.25;
  if (local !== undefined) return 0;
  return uri === undefined ? -0.5 : -0.25;
}

function compileMatch(ast: Ast, place: StaticContext, source: string): Matches {
  if (ast.is === 'root') return (node) => node.kind === 'document';
  if (ast.is === 'step') return compileStepMatch(ast, place, source);
  if (ast.is === 'slash') return compileSlashMatch(ast, place, source);
  if (ast.is === 'call' && (ast.local === 'key' || ast.local === 'id')) {
    const compute = compileAst(ast, place);
    return (node, at) => compute(at.at(node, 1, 1)).includes(node);
  }
  throw badPattern(source);
}

const badPattern = (source: string): StylesheetFails =>
  new StylesheetFails(`Expected a pattern such as "a/b[c]": found ${shown(source)}`);

function compileStepMatch(ast: Extract<Ast, { readonly is: 'step' }>, place: StaticContext, source: string): Matches {
  const { axis, test, predicates } = ast;
  if (axis !== 'child' && axis !== 'attribute' && axis !== 'descendant' && axis !== 'self') throw badPattern(source);
  const ofAxis = fitsAxis(test, axis === 'attribute');
  if (predicates.length === 0) return ofAxis;
  const only = predicates.map((each) => compileAst(each, place));
  if (!predicates.some(mayCount)) return (node, at) => ofAxis(node, at) && holdAll(only, node, at);
  return (node, at) => {
    if (!ofAxis(node, at)) return false;
    const siblings = (axis === 'attribute' ? node.parent?.attributes : node.parent?.children) ?? [node];
    const fitting = siblings.filter((each) => ofAxis(each, at));
    at.run.budget.step(siblings.length);
    return filtered(fitting, only, at).includes(node);
  };
}

function fitsAxis(test: NodeTest, isAttribute: boolean): Matches {
  const fits = testOf(test);
  if (test.kind !== 'node') return (node) => fits(node);
  return (node) => (isAttribute ? node.kind === 'attribute' : node.kind !== 'attribute' && node.kind !== 'document');
}

const holdAll = (only: readonly Compute[], node: Node, at: Dynamic): boolean => {
  const inner = at.at(node, 1, 1);
  return only.every((each) => truthOf(each(inner)));
};

function compileSlashMatch(ast: Extract<Ast, { readonly is: 'slash' }>, place: StaticContext, source: string): Matches {
  const { left, right } = ast;
  const own = compileMatch(right, place, source);
  const through = isThrough(left);
  // `a//b` is one step along an axis, or two where a predicate counts.
  if (through === undefined && right.is === 'step' && right.axis === 'descendant') {
    return withAbove(own, compileMatch(left, place, source), true);
  }
  if (through !== undefined) return withAbove(own, compileMatch(through, place, source), true);
  return withAbove(own, compileMatch(left, place, source), false);
}

const isThrough = (ast: Ast): Ast | undefined =>
  ast.is === 'slash' && ast.right.is === 'step' && ast.right.axis === 'descendant-or-self' ? ast.left : undefined;

function withAbove(own: Matches, above: Matches, isAny: boolean): Matches {
  return (node, at) => {
    if (!own(node, at)) return false;
    let parent = node.parent;
    if (!isAny) return parent !== undefined && above(parent, at);
    for (; parent; parent = parent.parent) {
      at.run.budget.step();
      if (above(parent, at)) return true;
    }
    return false;
  };
}

/** Any item can be asked, nodes alone fit. */
export const matchesAny =
  (patterns: readonly Pattern[]) =>
  (item: unknown, at: Dynamic): boolean =>
    item instanceof Node && patterns.some(({ matches }) => matches(item, at));
