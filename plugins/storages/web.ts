import { textToBase64 } from '../../src/kit/index.ts';
import type {
  ByteRange,
  Component,
  Host,
  OutboundStream,
  PropertyTable,
  StorageAddress,
  StorageDriver,
  StorageScheme,
  StoredFile,
} from '../../src/spi/index.ts';
import { fault, faultOfCall } from './faults.ts';
import { lazyBody } from './lazy-body.ts';
import { checkPath, decodeSegment, encodePath, isPath, shortPath } from './paths.ts';

interface WebFolder {
  /** With "/" at its end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads `https://host/folder/`. Returns the defect of an invalid address. */
function webFolder({ uri, user, password }: StorageAddress): WebFolder | { readonly defect: string } {
  const [, authority, path] = /^https?:\/\/([^/?#@\\]+)((?:\/[^?#\\]*)?)$/i.exec(uri) ?? [];
  if (authority === undefined || path === undefined || !URL.canParse(uri))
    return { defect: 'Expected an address such as https://files.example.com/media/, without "?" and "#"' };
  const folder = path.replace(/^\/|\/$/g, '');
  const plain = decodeSegment(folder);
  if (folder !== '' && (plain === undefined || !isPath(plain)))
    return { defect: 'Expected a folder without empty parts, "." and ".."' };
  if (user?.includes(':')) return { defect: 'Expected a user name without a colon' };
  const base = new URL(uri.endsWith('/') ? uri : `${uri}/`).href;
  if (user === undefined) return { base, headers: {} };
  const login = textToBase64(`${user}:${password?.reveal() ?? ''}`);
  return { base, headers: { authorization: `Basic ${login}` } };
}

interface WebLimits {
  /** Milliseconds for the head of an answer. */
  readonly answerWithin: number;
  /** Milliseconds without a byte. */
  readonly idle: number;
}

interface WebRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Files of a web server, to be read. It has no list of them. */
function openWeb(host: Pick<Host, 'stream'>, { base, headers: own }: WebFolder, limits: WebLimits): StorageDriver {
  async function ask(
    method: 'GET' | 'HEAD',
    path: string,
    { headers, signal }: WebRequest = {},
  ): Promise<OutboundStream> {
    const url = base + encodePath(path);
    try {
      // Never `trusted`: a caller of the API has set the address.
      return await host.stream({ url, method, headers: { ...own, ...headers }, ...limits, ...(signal && { signal }) });
    } catch (error) {
      throw faultOfCall(error);
    }
  }

  async function headOf(...args: Parameters<typeof ask>): Promise<Omit<OutboundStream, 'body'>> {
    const { body, ...answer } = await ask(...args);
    await body.cancel();
    return answer;
  }

  /** A server that answers HEAD in no useful way tells with one byte how many there are. */
  async function look(path: string, signal: AbortSignal | undefined): Promise<StoredFile | undefined> {
    const head = await headOf('HEAD', path, { signal });
    const length = lengthIn(head.headers.get('content-length'));
    if (head.status === 200 && length !== undefined) return fileOf(path, length, head.headers);
    if (isGone(head.status)) return undefined;
    if (![200, 405, 501].includes(head.status)) throw refusal(head.status);
    const { status, headers } = await headOf('GET', path, { signal, headers: { range: 'bytes=0-0' } });
    if (isGone(status)) return undefined;
    const size = status === 416 ? 0 : sizeIn(status, headers);
    if (status !== 200 && status !== 206 && status !== 416) throw refusal(status);
    if (size === undefined) throw fault('unsupported', 'Expected a server that tells the size of a file');
    return fileOf(path, size, headers);
  }

  async function stat(path: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
    checkPath(path);
    return look(path, signal);
  }

  /** Exactly these bytes of exactly this version, also from a server that knows neither ranges nor conditions. */
  async function bytes(file: StoredFile, { from, end }: ByteRange, signal: AbortSignal | undefined) {
    const isAll = from === 0 && end === file.size;
    const headers = {
      ...(!isAll && { range: `bytes=${from}-${end - 1}` }),
      ...(isStrong(file.version) && { 'if-match': file.version }),
    };
    const answer = await ask('GET', file.path, { headers, signal });
    try {
      return { body: await checked(file, { from, end }, answer) };
    } catch (error) {
      await answer.body.cancel().catch(() => undefined);
      throw error;
    }
  }

  return {
    can: { list: false, write: false, parts: false, createOnly: false, sign: false },

    async check(signal) {
      const { status } = await headOf('HEAD', '', { signal });
      // Many servers show no folder and all the same its files.
      if (status === 401 || status === 407 || status >= 500 || isRedirect(status)) throw refusal(status);
      return { identity: base };
    },

    stat,

    async read(path, { range, version, signal } = {}) {
      const file = await stat(path, signal);
      if (!file) throw fault('not-found', `Expected a file at "${shortPath(path)}"`);
      if (version !== undefined && version !== file.version) throw changed(file);
      const { from, end } = range ?? { from: 0, end: file.size };
      if (!(from >= 0 && from <= end && end <= file.size))
        throw fault('range', `Expected a range within the ${file.size} bytes of the file`);
      return { file, body: lazyBody({ range: { from, end }, signal, ask: (part) => bytes(file, part, signal) }) };
    },
  };
}

async function checked(file: StoredFile, { from }: ByteRange, answer: OutboundStream) {
  const { status, headers, body } = answer;
  if (isGone(status) || status === 412 || status === 416) throw changed(file);
  if (status !== 200 && status !== 206) throw refusal(status);
  const size = sizeIn(status, headers) ?? file.size;
  if (size !== file.size || fileOf(file.path, size, headers).version !== file.version) throw changed(file);
  if (status === 200) return behind(body, from);
  const begin = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
  if (begin !== String(from)) throw fault('failed', 'Expected the range that was asked for');
  return body;
}

/** Skips the first bytes of an answer that contains the whole file. */
function behind(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  if (bytes === 0) return body;
  let skip = bytes;
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          const rest = value.subarray(skip);
          skip -= value.byteLength - rest.byteLength;
          if (rest.byteLength > 0) return controller.enqueue(rest);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const isGone = (status: number): boolean => status === 404 || status === 410;
const isRedirect = (status: number): boolean => status >= 300 && status <= 399;

/** The text of an answer is never repeated: it may quote the request with its password. */
function refusal(status: number) {
  // The target of the redirect is left out: such addresses often contain a key.
  if (isRedirect(status)) return fault('denied', `Expected an address that redirects nowhere: ${status}`);
  if (status === 401 || status === 403 || status === 407)
    return fault('denied', `Expected a server that lets this service in: ${status}`);
  return fault(
    status >= 500 || status === 429 ? 'offline' : 'failed',
    `Expected another answer of the server: ${status}`,
  );
}

const changed = ({ path }: StoredFile) =>
  fault('changed', `Expected the file as it was: "${shortPath(path)}" has changed`);

function lengthIn(text: string | null | undefined): number | undefined {
  const length = text != null && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Size of the whole file. */
const sizeIn = (status: number, headers: Headers): number | undefined =>
  status === 206
    ? lengthIn(/^bytes \d+-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1])
    : lengthIn(headers.get('content-length'));

/** Whether the tag is strong. Weak tags may be equal for different bytes. */
const isStrong = (tag: string): boolean => tag.startsWith('"');

function fileOf(path: string, size: number, headers: Headers): StoredFile {
  const tag = headers.get('etag') ?? '';
  const at = headers.get('last-modified') ?? '';
  const modified = Date.parse(at);
  const version = isStrong(tag) ? tag : [size, at, tag].filter((part) => part !== '').join(' ');
  return { path, size, version, ...(Number.isFinite(modified) && { modified: modified * 1000 }) };
}

const properties: PropertyTable = {
  answerWithin: { type: 'duration', fallback: 30_000, says: 'Maximum time until the server answers.' },
  idle: { type: 'duration', fallback: 60_000, says: 'Maximum time between two bytes of an answer.' },
};

/** Reads files of web servers. What a redirect leads to is never read. */
export const webStorage: Component<StorageScheme> = {
  says: 'Reads files of web servers. Methods: https://files.example.com/media/.',
  properties,
  create: (limits: WebLimits, host): StorageScheme => ({
    schemes: ['http', 'https'],
    hosts: ['server', 'edge'],
    defect(address) {
      const folder = webFolder(address);
      return 'defect' in folder ? folder.defect : undefined;
    },
    open(address) {
      const folder = webFolder(address);
      if ('defect' in folder) throw fault('offline', folder.defect);
      return openWeb(host, folder, limits);
    },
  }),
};
