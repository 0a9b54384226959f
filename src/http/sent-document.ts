import type { Description, DocumentLimits, TellUnknown } from '../documents/index.ts';
import { documentIn, type SentBody, sentBytes } from './body.ts';
import { type Call, required } from './call.ts';
import { type Ignoring, nameIgnored } from './ignored.ts';

/** A document as it came: data, so that another thread can read it. A long one is better read while it arrives. */
export interface SentDocument {
  readonly bytes: Uint8Array;
  readonly body: SentBody;
  readonly limits: DocumentLimits;
}

export async function sentDocument({ request, sent: body }: Call, limits: DocumentLimits): Promise<SentDocument> {
  if (body.form === 'empty') return { bytes: new Uint8Array(0), body, limits };
  const bytes = await sentBytes(request, limits.bytes);
  // Copies the bytes out of the larger buffer of the socket, which a message to a thread would copy as a whole.
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  return { bytes: own, body, limits };
}

/** Parses a document. Undefined if the body is empty. */
export const documentSent = <T>(
  { bytes, body, limits }: SentDocument,
  description: Description<T>,
  tell: TellUnknown,
): Promise<T | undefined> => documentIn(bytes, description, limits, body, tell);

export async function requireSent<T>(sent: SentDocument, description: Description<T>, tell: TellUnknown): Promise<T> {
  return required(await documentSent(sent, description, tell), description);
}

/** Keeps the names that a document has and its description does not know, as the header has them. */
export function ignoredNames(): { readonly tell: TellUnknown; names(): readonly string[] | undefined } {
  const ignoring: Ignoring = { headers: {} };
  return { tell: (name) => nameIgnored(ignoring, name), names: () => ignoring.ignored };
}
