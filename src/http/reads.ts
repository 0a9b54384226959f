import { badValue } from '../core/documents/error.ts';
import type { Description } from '../core/documents/index.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { type SentForm, sentBytes } from './body.ts';
import { type Call, keptDocument, optionalDocument, requireDocument, sendsDocument, sentText } from './call.ts';
import type { BodyForm, Raw } from './forms.ts';

/** Body of a route as a value: the formats that it may have, and how it is read. */
interface Reads<T = unknown> {
  readonly kind: 'reads';
  readonly forms: readonly BodyForm[];
  read(call: Call): Maybe<T>;
}

/** Words of `reads`. A description alone is a required document, `text` the body as sent. */
export type ReadsOption = Description | 'text' | Reads | Raw<BodyForm> | undefined;

/** Type of `call.body` by what a route reads. */
export type BodyOf<R> =
  R extends Reads<infer T> ? T : R extends Description<infer T> ? T : R extends 'text' ? string : undefined;

/** Bodies in these formats that `read` makes a value of. */
export const reads = <T>(forms: readonly BodyForm[], read: (call: Call) => Maybe<T>): Reads<T> => ({
  kind: 'reads',
  forms,
  read,
});

/** A document, or undefined for an empty body. */
export const optional = <T>(document: Description<T>): Reads<T | undefined> =>
  reads(['nothing', document], (call) => optionalDocument(call, document));

/** An optional document, or the text as sent where the query names what makes a document of it. */
export const optionalOrText = <T>(
  document: Description<T>,
  isText: (query: Readonly<Record<string, unknown>>) => boolean,
): Reads<T | string | undefined> =>
  reads(
    [document],
    (call): Maybe<T | string | undefined> => (isText(call.query) ? sentText(call) : optionalDocument(call, document)),
  );

/** A document beside its text and form, for documents that are stored as sent. */
export const kept = <T>(
  document: Description<T>,
): Reads<{ readonly text: string; readonly form: SentForm & ('xml' | 'json'); readonly value: T }> =>
  reads([document], (call) => keptDocument(call, document));

/** A document, or a text where the type of the body is none of documents. An empty body is the empty text. */
export const textOr = <T>(document: Description<T>): Reads<T | string> =>
  reads(['text', document], async (call) =>
    sendsDocument(call) ? ((await optionalDocument(call, document)) ?? '') : sentText(call),
  );

/** A text of at most so many bytes. */
export const textOf = (longest: number): Reads<string> => reads(['text'], (call) => sentText(call, longest));

/** Content that is stored as it is sent. */
export interface Content {
  /** `Content-Type` of the request, or empty. */
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Bytes that are stored as they are sent. An empty body is 400. */
export const content: Reads<Content> = reads(['bytes'], async ({ request, limits }) => {
  const content = await sentBytes(request, limits.bytes);
  if (content.byteLength === 0) throw badValue('body', 'what is to be kept');
  return { mediaType: request.headers.get('content-type') ?? '', content };
});

/** The words of a route in one form. Undefined: there is no body, or the handler reads it. */
export function readsOf(option: ReadsOption): Reads | undefined {
  if (option === undefined) return undefined;
  if (option === 'text') return reads(['text'], sentText);
  if (option.kind === 'reads') return option;
  if (option.kind === 'raw') return undefined;
  return reads([option], (call) => requireDocument(call, option));
}
