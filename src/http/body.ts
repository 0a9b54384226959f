import {
  createXmlReader,
  type Description,
  DocumentError,
  type DocumentLimits,
  readJson,
  readXml,
  rootName,
  type TellUnknown,
  type XmlReader,
} from '../core/documents/index.ts';
import { joined } from '../core/lib/bytes.ts';
import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { withArticle } from '../core/lib/messages.ts';
import { piecesOf } from '../core/lib/text-stream.ts';
import { yieldTurn } from '../core/lib/turn.ts';
import type { ArrivingBody } from '../security/arrival.ts';

/** Keeps a byte order mark: it may be the beginning of a password. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Up to here a body of known length is read in one piece; above, or of unknown length, as it arrives. */
const onePiece = 64 * 1024;

/** `empty`: no body, whatever the Content-Type. */
export type SentForm = 'xml' | 'json' | 'text' | 'bytes' | 'empty';

/** Body format by the route and the Content-Type. */
export interface SentBody {
  /** Undefined: the type is not conclusive, so the first character decides. */
  readonly form: SentForm | undefined;
  /** Whether the route accepts an empty body. */
  readonly optional: boolean;
}

const required: SentBody = { form: undefined, optional: false };

/** Format for routes without a body. The runtime drops a body sent all the same. */
export const unread: SentBody = { form: undefined, optional: true };

const arriving = Symbol('arriving body');

/** Set by `take` and `open`, which the runtime's `bodyUsed` does not reflect. */
const taken = Symbol('taken body');

type Arriving = Request & { [arriving]?: ArrivingBody; [taken]?: true };

/** Node hands out a body whose connection broke before the first read as an empty one: this tells them apart. */
export function knowBody(request: Request, body: ArrivingBody): void {
  (request as Arriving)[arriving] = body;
}

function requireEnd(request: Request): void {
  if ((request as Arriving)[arriving]?.isWhole() === false) throw brokenBody();
}

/** A body as a document. Undefined when empty. */
export async function readDocument<T>(
  request: Request,
  body: SentBody,
  description: Description<T>,
  limits: DocumentLimits,
  tell?: TellUnknown,
): Promise<T | undefined> {
  try {
    const length = declaredLength(request, limits.bytes);
    if (length === 0 || body.form === 'empty') return undefined;
    if (body.form === 'xml' && !isOnePiece(length)) return await streamXml(request, description, limits, tell);
    const bytes = await readBytes(request, length, limits.bytes);
    return await documentIn(bytes, description, limits, body, tell);
  } catch (error) {
    if (error instanceof DocumentError) throw refusalOf(error);
    throw error;
  }
}

/** A document that came as a parameter. An angle bracket begins XML. */
export function documentFrom<T>(text: string, description: Description<T>, limits: DocumentLimits, name: string): T {
  try {
    const read = text.trimStart().startsWith('<') ? readXml : readJson;
    return read(description, text, limits) as T;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const explanation = `Expected ${withArticle(description.name)}, at ${error.place}: ${error.explanation}`;
    throw new ServiceError('bad-parameter', { context: 'parameter', id: name, explanation });
  }
}

/** Parses a document and keeps its original text, for documents that are stored as sent. */
export async function readKept<T>(
  request: Request,
  body: SentBody,
  description: Description<T>,
  limits: DocumentLimits,
): Promise<{ readonly text: string; readonly form: 'xml' | 'json'; readonly value: T } | undefined> {
  const text = await readText(request, body, limits.bytes);
  const bytes = new TextEncoder().encode(text);
  if (isBlank(bytes)) return undefined;
  const form = body.form === 'xml' || body.form === 'json' ? body.form : sniff(bytes);
  try {
    if (form === 'json') return { text, form, value: readJson(description, bytes, limits) };
    return { text, form, value: await xmlFrom(bytes, description, limits) };
  } catch (error) {
    if (error instanceof DocumentError) throw refusalOf(error);
    throw error;
  }
}

/**
 * Reads an XML document of any type. JSON has no root element to tell the type. `describe` throws for an unknown root.
 */
export async function readAnyDocument(
  request: Request,
  body: SentBody,
  describe: (root: string | undefined) => Description,
  limits: DocumentLimits,
  tell?: TellUnknown,
): Promise<{ readonly description: Description; readonly value: unknown }> {
  const text = await readText(request, body, limits.bytes);
  const description = describe(rootName(text));
  try {
    return { description, value: await xmlFrom(new TextEncoder().encode(text), description, limits, tell) };
  } catch (error) {
    if (error instanceof DocumentError) throw refusalOf(error);
    throw error;
  }
}

/** A body as text, exactly as sent. */
export async function readText(request: Request, { form }: SentBody, limit: number): Promise<string> {
  if (form === 'empty') return '';
  const bytes = await readBytes(request, declaredLength(request, limit), limit);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceError('bad-document', { context: 'body', explanation: 'Expected UTF-8' });
  }
}

/** Body as bytes in memory, whatever its type. */
export const sentBytes = (request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  readBytes(request, declaredLength(request, limit), limit);

/** A document in bytes that came with a body. Blank bytes are none. */
export async function documentIn<T>(
  bytes: Uint8Array,
  description: Description<T>,
  limits: DocumentLimits,
  { form, optional }: SentBody = required,
  tell?: TellUnknown,
): Promise<T | undefined> {
  if (form === 'empty' || isBlank(bytes)) return undefined;
  try {
    if ((form ?? sniff(bytes)) === 'json') {
      const read = () => readJson(description, bytes, limits, tell);
      return optional && isEmptyObject(bytes) ? orNothing(read) : read();
    }
    const value = xmlFrom(bytes, description, limits, tell);
    return value instanceof Promise ? await value : value;
  } catch (error) {
    if (error instanceof DocumentError) throw refusalOf(error);
    throw error;
  }
}

/** A document in XML that something else than a caller made, and that may be as long as that of a caller. */
export async function documentOfText<T>(text: string, description: Description<T>, limits: DocumentLimits): Promise<T> {
  const reader = createXmlReader(description, limits);
  try {
    for await (const bytes of piecesOf(text, onePiece)) reader.write(bytes);
    return reader.end();
  } catch (error) {
    if (error instanceof DocumentError) throw refusalOf(error);
    throw error;
  }
}

const isOnePiece = (length: number | undefined): length is number => length !== undefined && length <= onePiece;

/** Whether there is no body. Reads of one only when that tells, and up to its first character; a blank one is used up. */
export function isBlankBody(request: Request): Maybe<boolean> {
  const length = request.headers.get('content-length');
  if (length !== null) return Number(length) === 0;
  return request.body === null || onlyBlanks(request);
}

/** A body of any length, piece by piece. */
export interface ByteBody {
  /** Length by its header. */
  readonly length: number | undefined;
  /** Whether its end is refused where the bytes are not those that were announced. */
  readonly isChecked?: boolean;
  /** Undefined at its end. Throws where the body ends before its length. */
  read(): Promise<Uint8Array | undefined>;
  /** Lets go of the sender. */
  cancel(): Promise<void>;
}

/** The body of a route that reads bytes. No limit of size counts for it, and it may take as long as bytes come. */
export function openBody(request: Request): ByteBody {
  const body = (request as Arriving)[arriving];
  body?.takesTime();
  const length = declaredLength(request, Number.POSITIVE_INFINITY);
  const used = wasRead(request);
  const direct = used ? undefined : body?.open();
  if (direct) (request as Arriving)[taken] = true;
  const reader = direct ?? request.body?.getReader();
  let total = 0;
  return {
    length,
    async read() {
      const value = reader && (await received(used, () => reader.read())).value;
      if (value) {
        total += value.byteLength;
        return value;
      }
      requireEnd(request);
      if (length !== undefined && total !== length) throw brokenBody();
      return undefined;
    },
    async cancel() {
      await reader?.cancel().catch(() => undefined);
    },
  };
}

async function onlyBlanks(request: Request): Promise<boolean> {
  let total = 0;
  for await (const chunk of chunksOf(request)) {
    total += chunk.byteLength;
    if (!isBlank(chunk) || total > onePiece) return false;
  }
  return true;
}

async function streamXml<T>(
  request: Request,
  description: Description<T>,
  limits: DocumentLimits,
  tell?: TellUnknown,
): Promise<T | undefined> {
  const reader = createXmlReader(description, limits, tell);
  let empty = true;
  let total = 0;
  for await (const chunk of chunksOf(request)) {
    total += chunk.byteLength;
    if (total > limits.bytes) throw tooLarge(limits.bytes);
    if (empty && isBlank(chunk)) continue;
    empty = false;
    await writePieces(reader, chunk);
  }
  return empty ? undefined : reader.end();
}

/** XML takes ten times as long as JSON, so other requests have their turn between the pieces of a large body. */
function xmlFrom<T>(
  bytes: Uint8Array,
  description: Description<T>,
  limits: DocumentLimits,
  tell?: TellUnknown,
): Maybe<T> {
  if (bytes.byteLength <= onePiece) return readXml(description, bytes, limits, tell) as T;
  const reader = createXmlReader(description, limits, tell);
  return writePieces(reader, bytes).then(() => reader.end());
}

async function writePieces(reader: XmlReader<unknown>, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += onePiece) {
    if (at > 0) await yieldTurn();
    reader.write(bytes.subarray(at, at + onePiece));
  }
}

async function readBytes(
  request: Request,
  length: number | undefined,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (length === 0) return new Uint8Array(0);
  if (isOnePiece(length)) {
    // The parser hands over the head first, and then what came with it.
    await undefined;
    const wholeBytes = takeWhole(request, length);
    if (wholeBytes) return wholeBytes;
    const bytes = await received(wasRead(request), () => request.arrayBuffer());
    requireEnd(request);
    if (bytes.byteLength !== length) throw brokenBody();
    return new Uint8Array(bytes);
  }
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of chunksOf(request)) {
    total += chunk.byteLength;
    if (total > limit) throw tooLarge(limit);
    parts.push(chunk);
  }
  return joined(parts);
}

/** A body that came with its head: to wait for it as for any other takes twice as long as to read its document. */
function takeWhole(request: Arriving, length: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = request[arriving]?.take(length);
  if (bytes) request[taken] = true;
  return bytes;
}

const wasRead = (request: Arriving): boolean => request.bodyUsed || request[taken] === true;

/** Blames the sender for errors while receiving, unless the body had been read before. */
async function received<T>(used: boolean, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw used ? error : brokenBody();
  }
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  const used = request.bodyUsed;
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await received(used, () => reader.read());
      if (done) {
        requireEnd(request);
        return;
      }
      yield value;
    }
  } finally {
    // A reader that stops early, at a limit, cancels the sender too.
    await reader.cancel().catch(() => undefined);
  }
}

function declaredLength(request: Request, limit: number): number | undefined {
  const header = request.headers.get('content-length');
  if (header === null || !/^\d{1,15}$/.test(header)) return undefined;
  const length = Number(header);
  if (length > limit) throw tooLarge(limit);
  return length;
}

function sniff(bytes: Uint8Array): 'xml' | 'json' {
  const first = bytes.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  return first === 0x7b || first === 0x5b ? 'json' : 'xml';
}

/** Clients send `{}` where they mean no body. Where the document may be empty, it is an empty document. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function isEmptyObject(bytes: Uint8Array): boolean {
  if (bytes.byteLength > onePiece) return false;
  let characters = 0;
  for (const byte of bytes) if (byte > 0x20 && byte < 0x80 && ++characters > 2) return false;
  return /^\ufeff?\s*\{\s*\}\s*$/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 0x20);

export function brokenBody(): ServiceError {
  return new ServiceError('body-broken', { context: 'body', explanation: 'Expected a whole body, as long as it says' });
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('body-too-large', { context: 'body', explanation: `Expected at most ${limit} bytes` });
}

function refusalOf(error: DocumentError): ServiceError {
  const position = error.line === undefined ? '' : `, line ${error.line}, column ${error.column}`;
  return new ServiceError(error.kind === 'text' ? 'bad-value' : 'bad-document', {
    context: `${error.place}${position}`,
    explanation: error.explanation,
    ...(error.found === undefined ? {} : { value: error.found }),
  });
}
