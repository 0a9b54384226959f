import type { ReshapeStep } from './reshape.ts';

/**
 * What one change set asks for, as its log keeps it. Ordinals are those of the elements of the document: what an
 * element makes has the same uuid whenever the log is played.
 */

export type Mode = 'add' | 'remove';

interface Element {
  /** Its number in the document. */
  readonly n: number;
  /** Addresses one instance, wherever it is. */
  readonly uuid?: string | undefined;
  readonly mode?: Mode | undefined;
  /** The key of the instance that it met when it was written; none: it made one of its own, or met none. */
  readonly at?: string | undefined;
}

export interface ValueWish extends Element {
  readonly text: string;
  readonly language?: string | undefined;
}

export interface FieldWish extends Element {
  /** Missing only beside a uuid. */
  readonly name?: string | undefined;
  readonly track?: string | undefined;
  readonly reference?: string | undefined;
  readonly values: readonly ValueWish[];
}

export interface GroupWish extends Element {
  readonly name?: string | undefined;
  readonly reference?: string | undefined;
  readonly fields: readonly FieldWish[];
  readonly groups: readonly GroupWish[];
}

export interface SpanWish {
  readonly start: string;
  readonly end: string;
  /** It was empty: everything in it goes. */
  readonly clear?: true | undefined;
  readonly fields: readonly FieldWish[];
  readonly groups: readonly GroupWish[];
}

/** Moves a field or a group of the first level to another timespan. */
export interface MoveWish {
  readonly uuid: string;
  readonly start: string;
  readonly end: string;
}

export interface Wish {
  /** The service itself asks: it may change fields that callers cannot. */
  readonly system?: true | undefined;
  /** The main groups; none of them: they are cleared. */
  readonly main?: readonly string[] | undefined;
  /** The change sets that the writer knew. */
  readonly revision?: readonly string[] | undefined;
  readonly spans: readonly SpanWish[];
  readonly moves?: readonly MoveWish[] | undefined;
  /** The schema changed: carried out behind all others. */
  readonly reshape?: readonly ReshapeStep[] | undefined;
}

/** Whether it asks for nothing. */
export const asksNothing = ({ main, spans, moves = [], reshape = [] }: Wish): boolean =>
  main === undefined && spans.length === 0 && moves.length === 0 && reshape.length === 0;
