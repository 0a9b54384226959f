import type { ReshapeStep } from './reshape.ts';

/**
 * Content of a change set, as stored in the log. Ordinals number the elements of the document, so that new instances
 * get the same uuids in each replay.
 */

export type MergeMode = 'add' | 'remove';

interface Element {
  /** Ordinal in the document. */
  readonly n: number;
  /** Uuid of the instance to change, in any position. */
  readonly uuid?: string | undefined;
  readonly mode?: MergeMode | undefined;
  /** Key of the matched instance at the time of writing. Undefined: a new instance, or no match. */
  readonly at?: string | undefined;
}

export interface ValueWish extends Element {
  readonly text: string;
  readonly language?: string | undefined;
}

export interface FieldWish extends Element {
  /** Undefined only if a uuid is given. */
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
  /** True: the timespan of the document was empty, so its content is removed. */
  readonly clear?: true | undefined;
  readonly fields: readonly FieldWish[];
  readonly groups: readonly GroupWish[];
}

/** Moves a first-level field or group to another timespan. */
export interface MoveWish {
  readonly uuid: string;
  readonly start: string;
  readonly end: string;
}

export interface Wish {
  /** True: set by the service itself, which may change fields that callers cannot. */
  readonly system?: true | undefined;
  /** Main groups. Empty: cleared. */
  readonly main?: readonly string[] | undefined;
  /** Template of the metadata. An empty text removes it. */
  readonly template?: string | undefined;
  /** Change sets that the writer has seen. */
  readonly revision?: readonly string[] | undefined;
  readonly spans: readonly SpanWish[];
  readonly moves?: readonly MoveWish[] | undefined;
  /** Steps of a schema migration, applied after all other parts. */
  readonly reshape?: readonly ReshapeStep[] | undefined;
}

/** Whether the wish is empty. */
export const asksNothing = ({ main, template, spans, moves = [], reshape = [] }: Wish): boolean =>
  main === undefined && template === undefined && spans.length === 0 && moves.length === 0 && reshape.length === 0;
