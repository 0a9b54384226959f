import type { Dynamic } from './dynamic.ts';
import type { Names } from './lexer.ts';
import type { Sequence } from './values.ts';

/** An expression, ready to be looked at. */
export type Compute = (at: Dynamic) => Sequence;

/** Static context of an expression. */
export interface StaticContext extends Names {
  /** Whether XSLT 1.0 applies: the first of several values counts. */
  readonly isOld: boolean;
  knows(variable: string): boolean;
  knowsFunction(key: string): boolean;
}
