import { joined, type NewHasher } from '../core/lib/bytes.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { type ByteBody, brokenBody, openBody } from './body.ts';
import { digested } from './digest.ts';

/** Bytes of all that a form has beside its file. */
const maxFieldBytes = 64 * 1024;
const maxNameLength = 255;

/** The file in a form, as browsers and scripts send it, read as it arrives. */
interface FormFile extends ByteBody {
  /** Filename by the form. Undefined: none, or unusable. */
  name(): Promise<string | undefined>;
}

/** Opened once for its name, and once more for its bytes. */
const opened = new WeakMap<Request, FormFile>();

/**
 * Body to be stored: the whole body, or the only file in a form. Another multipart body is 415, because its boundaries
 * would end up in the file.
 */
export const openUpload = (request: Request): ByteBody => formFileIn(request) ?? openBody(request);

/** Bytes of a request, for the rules that store them. */
export interface SentBytes {
  /** Size of the whole file by the header `size`, and position of the first sent byte by `index`. Throws the refusal. */
  extent(): { readonly size: number | undefined; readonly index: number | undefined };
  /** The name that a form has for its file. */
  name(): Promise<string | undefined>;
  /** Opens the bytes, which are compared with the digests that the request announces. */
  open(newHasher: NewHasher): ByteBody;
}

export function sentBytesOf({ request }: { readonly request: Request }): SentBytes {
  const { headers } = request;
  const extent = () => ({ size: headerBytes(headers, 'size'), index: headerBytes(headers, 'index') });
  return {
    extent,
    name: async () => formFileIn(request)?.name(),
    open(newHasher) {
      const body = openUpload(request);
      const { size, index = 0 } = extent();
      const isPart = index > 0 || (body.length ?? size) !== (size ?? body.length);
      return digested(body, headers, newHasher, formFileIn(request) ? 'form' : isPart ? 'part' : 'whole');
    },
  };
}

/** Number of bytes in a header. Undefined: it is missing. */
export function headerBytes(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const detail = { context: `header ${name}`, explanation: 'Expected a number of bytes', value: text.slice(0, 80) };
  throw new ServiceError('bad-header', detail);
}

function formFileIn(request: Request): FormFile | undefined {
  const type = request.headers.get('content-type') ?? '';
  if (!/^\s*multipart\//i.test(type)) return undefined;
  const parsed = opened.get(request);
  if (parsed) return parsed;
  const boundary =
    /^\s*multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(type);
  if (!boundary) throw unsupported('Expected bytes, or multipart/form-data with a boundary', type);
  const file = formFile(openBody(request), boundary[1] ?? boundary[2]!);
  opened.set(request, file);
  return file;
}

function formFile(body: ByteBody, boundary: string): FormFile {
  const parts = new Parts(body, boundary);
  let first: Promise<Head> | undefined;
  let bytes: AsyncGenerator<Uint8Array> | undefined;

  /** Fields stand before a file and behind it. */
  async function toFile(): Promise<Head | undefined> {
    for (let head = await parts.next(); head; head = await parts.next()) {
      if (head.isFile) return head;
    }
    return undefined;
  }

  async function theFile(): Promise<Head> {
    const head = await toFile();
    if (!head) throw oneFile();
    if (head.isEncoded) throw unsupported('Expected the file in the form as bytes, without an encoding', '');
    return head;
  }

  const fileHead = () => {
    first ??= theFile();
    return first;
  };

  return {
    length: undefined,
    name: async () => (await fileHead()).name,
    async read() {
      await fileHead();
      bytes ??= parts.content();
      const { done, value } = await bytes.next();
      if (!done) return value;
      if (await toFile()) throw oneFile();
      return undefined;
    },
    cancel: () => body.cancel(),
  };
}

interface Head {
  readonly isFile: boolean;
  readonly isEncoded: boolean;
  readonly name: string | undefined;
}

const lineEnd = Uint8Array.of(13, 10);
const headEnd = Uint8Array.of(13, 10, 13, 10);

const utf8 = new TextDecoder();

/** Parts of a form, in order. Buffers only a piece of each. */
class Parts {
  readonly #body: ByteBody;
  readonly #delimiter: Uint8Array;
  /** The first delimiter needs no line ahead of it. */
  #rest: Uint8Array = lineEnd;
  #fieldBytes = 0;
  #isOver = false;
  #isInside = true;

  constructor(body: ByteBody, boundary: string) {
    this.#body = body;
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  }

  /** Head of the next part; the rest of the previous one is skipped. Undefined: the end. */
  async next(): Promise<Head | undefined> {
    if (this.#isOver) return undefined;
    if (this.#isInside) for await (const piece of this.content()) this.#count(piece.byteLength);
    const end = await this.#text(lineEnd);
    if (end.startsWith('--')) {
      this.#isOver = true;
      for (let piece = await this.#body.read(); piece; piece = await this.#body.read()) this.#count(piece.byteLength);
      return undefined;
    }
    if (end.trim() !== '') throw unsupported('Expected a form whose parts have a line of their own ahead', '');
    this.#rest = joined([lineEnd, this.#rest]);
    this.#isInside = true;
    return headOf(await this.#text(headEnd));
  }

  /** The bytes of the part whose head was read. */
  async *content(): AsyncGenerator<Uint8Array> {
    yield* this.#until(this.#delimiter);
    this.#isInside = false;
  }

  async #text(mark: Uint8Array): Promise<string> {
    const pieces: Uint8Array[] = [];
    // The last line of a form may have no end.
    for await (const piece of this.#until(mark, mark === lineEnd)) {
      this.#count(piece.byteLength);
      pieces.push(piece);
    }
    const bytes = joined(pieces);
    return utf8.decode(bytes);
  }

  #count(bytes: number): void {
    this.#fieldBytes += bytes;
    if (this.#fieldBytes > maxFieldBytes) throw unsupported('Expected a form with one file and little beside it', '');
  }

  async *#until(mark: Uint8Array, mayEnd = false): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = indexOf(this.#rest, mark);
      const safe = at >= 0 ? at : Math.max(0, this.#rest.byteLength - mark.byteLength + 1);
      const piece = this.#rest.subarray(0, safe);
      this.#rest = this.#rest.subarray(at >= 0 ? at + mark.byteLength : safe);
      if (piece.byteLength > 0) yield piece;
      if (at >= 0) return;
      const more = await this.#body.read();
      if (more) this.#rest = this.#rest.byteLength === 0 ? more : joined([this.#rest, more]);
      else if (mayEnd) {
        yield this.#rest;
        this.#rest = new Uint8Array();
        return;
      } else throw brokenBody();
    }
  }
}

function indexOf(bytes: Uint8Array, mark: Uint8Array): number {
  const last = bytes.byteLength - mark.byteLength;
  for (let at = bytes.indexOf(13); at >= 0 && at <= last; at = bytes.indexOf(13, at + 1)) {
    if (mark.every((byte, offset) => bytes[at + offset] === byte)) return at;
  }
  return -1;
}

/** A part with a name of a file is a file, as browsers write it. */
function headOf(text: string): Head {
  const line = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(text)?.[1] ?? '';
  const disposition = line('content-disposition');
  const named = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? /;\s*filename=([^\s;"]+)/i.exec(disposition);
  const extended = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1];
  const encoding = line('content-transfer-encoding').trim().toLowerCase();
  return {
    isFile: named !== null || extended !== undefined,
    isEncoded: !['', 'binary', '8bit', '7bit'].includes(encoding),
    name: plainName(extended === undefined ? named?.[1] : decoded(extended)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The last part of a path, as some browsers send it, without what no name has. */
function plainName(text = ''): string | undefined {
  const name = text
    .replace(/%22/g, '"')
    .replace(/^.*[\\/]/s, '')
    .replace(/\p{C}/gu, '')
    .slice(0, maxNameLength);
  return /^\.{0,2}$/.test(name) ? undefined : name;
}

const oneFile = () => unsupported('Expected a form with one file', '');

function unsupported(explanation: string, contentType: string): ServiceError {
  const value = contentType.slice(0, 80);
  const detail = { context: contentType === '' ? 'body' : 'header Content-Type', explanation };
  return new ServiceError('media-type-unsupported', contentType === '' ? detail : { ...detail, value });
}
