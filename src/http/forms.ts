import type { Description } from '../core/documents/index.ts';
import type { MediaType } from './negotiation.ts';

/**
 * Format of a body: a document by its description, or another format. `xml`: a document, identified by its root
 * element. `bytes` may be a stream.
 */
export type BodyForm = Description | 'xml' | 'text' | 'bytes' | 'nothing';
export type AnswerForm = BodyForm | 'events';

/** Body formats of a route, as a list. */
export const formList = <T extends AnswerForm>(forms: T | readonly T[] | undefined): readonly T[] =>
  forms === undefined ? [] : isList(forms) ? forms : [forms];
const isList = <T>(forms: T | readonly T[]): forms is readonly T[] => Array.isArray(forms);

/** Bodies that a handler reads or makes itself: streams, bytes, searches, several formats of one body. */
export interface Raw<F extends AnswerForm = AnswerForm> {
  readonly kind: 'raw';
  readonly forms: readonly F[];
  /** Media types of answers. Left out: those of the forms. */
  readonly types?: readonly MediaType[] | undefined;
}

/** `reads: raw(…)`: the handler reads `call.request`. `answers: raw(…)`: the handler returns a `Reply`. */
export const raw = <F extends AnswerForm>(forms: F | readonly F[], types?: readonly MediaType[]): Raw<F> => ({
  kind: 'raw',
  forms: formList(forms),
  types,
});
