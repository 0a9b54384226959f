import type { Dynamic } from './dynamic.ts';
import type { Names } from './reader.ts';
import type { Sequence } from './values.ts';

/** An expression, ready to be looked at. */
export type Compute = (at: Dynamic) => Sequence;

/** Where an expression stands in a stylesheet. */
export interface Place extends Names {
  /** Of version 1.0: of several values the first counts. */
  readonly isOld: boolean;
  knows(variable: string): boolean;
  knowsFunction(key: string): boolean;
}
