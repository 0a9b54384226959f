import { toHex } from '../../../src/kit/index.ts';
import type { Host, OutboundMethod, OutboundStream } from '../../../src/spi/index.ts';
import { type Signer, signedAddress, signedHeaders } from '../../request-signature.ts';
import { fault, faultKind, faultOfCall } from '../faults.ts';
import { encodePath, encodeSegment } from '../paths.ts';
import type { BucketFolder } from './address.ts';
import { elementText, mayPass, parseXml, StoreRefusal, storeRefusal, unreadable, type XmlElement } from './answers.ts';

/** Milliseconds that stores let clocks differ are 15 minutes. From here on a refusal may be for that. */
const tolerated = 5 * 60_000;
/** Limit of the clock correction: a signature for another day could be kept for misuse. */
const max = 24 * 3_600_000;

/** The time of the store, once a refusal has told that it is another one than here. */
function createClock({ now }: Pick<Host, 'now'>) {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    /** True: the clock has been set, and the refusal of a request from that moment may have been for it. */
    setBy(date: string | null, signedAt: number): boolean {
      const serverTime = Date.parse(date ?? '');
      const off = serverTime - now();
      if (!(Math.abs(serverTime - signedAt) > tolerated && Math.abs(off) < max)) return false;
      ahead = off;
      return true;
    },
  };
}

export interface StoreLimits {
  /** Milliseconds until the head of an answer. */
  readonly answerWithin: number;
  /** Milliseconds without a byte. */
  readonly idle: number;
}

interface S3Request {
  readonly method: OutboundMethod;
  /** Object key below the prefix. Undefined: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the answer, for expensive operations. */
  readonly answerWithin?: number;
}

type StoreHost = Pick<Host, 'stream' | 'sleep' | 'now' | 'randomBytes'>;

/** Requests of one call, the first included. */
const attempts = 5;
const firstPause = 100;
const maxPause = 10_000;
/** Limit of an answer that is read as a text: a thousand keys of maximal length, percent-encoded. */
const maxText = 8 * 1024 * 1024;
const maxOfRefusal = 64 * 1024;

const nothing = new Uint8Array();

export type Client = ReturnType<typeof createClient>;

/** Client of one bucket: signs requests, retries while the store is busy, and uses only the configured address. */
export function createClient(host: StoreHost, folder: BucketFolder, limits: StoreLimits) {
  const { accessKey, region } = folder;
  const clock = createClock(host);
  const cache = new Map<string, ArrayBuffer>();

  function signer(): Signer {
    // The cache has one key for each day.
    if (cache.size > 2) cache.clear();
    return { accessKey, secret: folder.reveal(), region, service: 's3', cache };
  }

  function urlOf(key: string | undefined, query: S3Request['query'] = {}): URL {
    const parameters = Object.entries(query).map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`);
    const path = key === undefined ? '' : encodePath(folder.prefix + key);
    return new URL(folder.base + path + (parameters.length === 0 ? '' : `?${parameters.join('&')}`));
  }

  async function send({
    method,
    key,
    query,
    headers = {},
    body,
    signal,
    answerWithin,
  }: S3Request): Promise<OutboundStream> {
    const url = urlOf(key, query);
    // A request with a length also where there is nothing to send: stores refuse one without.
    const sent = body ?? (method === 'PUT' || method === 'POST' ? nothing : undefined);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', sent ?? nothing));
    const all = { ...headers, 'x-amz-content-sha256': toHex(digest) };
    const signed = await signedHeaders(signer(), { method, url, headers: all, body: '', at: clock.now() });
    const times = { ...limits, ...(answerWithin !== undefined && { answerWithin }) };
    // Never `trusted`: a caller of the API has set the address.
    return host.stream({
      url: url.href,
      method,
      headers: signed,
      ...times,
      ...(sent && { body: sent }),
      ...(signal && { signal }),
    });
  }

  /** Sends one request. Throws the refusal of the store. */
  async function once<T>(request: S3Request, use: (answer: OutboundStream) => Promise<T>): Promise<T> {
    const before = clock.now();
    const answer = await send(request);
    const { status, headers, body } = answer;
    if (status >= 200 && status <= 299) return use(answer);
    const text = await textOf(body, maxOfRefusal).catch(() => '');
    if (status === 403 && clock.setBy(headers.get('date'), before)) throw new Again();
    throw storeRefusal(status, codeIn(text), headers);
  }

  /** Milliseconds until the next attempt: twice as long each time, and not in step with others. */
  function pause(attempt: number): number {
    const [chance = 0] = host.randomBytes(1);
    return Math.min(maxPause, firstPause * 2 ** attempt * (0.5 + chance / 256));
  }

  async function asking<T>(request: S3Request, use: (answer: OutboundStream) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(request, use);
      } catch (error) {
        const isLast = attempt === attempts - 1;
        // A connection that broke off: every request here may come twice.
        const wasCut = !(error instanceof StoreRefusal) && faultKind(error) === 'answer';
        if (isLast || !(error instanceof Again || mayPass(error) || wasCut)) throw faultOfCall(error);
        if (error instanceof Again) continue;
      }
      await host.sleep(pause(attempt), request.signal).catch(() => {
        throw fault('aborted', 'The caller went away');
      });
    }
  }

  return {
    folder,
    /** The answer with its body, which the caller reads or cancels. */
    ask: (request: S3Request): Promise<OutboundStream> => asking(request, async (answer) => answer),

    /** Only the headers matter. */
    headers: (request: S3Request): Promise<Headers> =>
      asking(request, async ({ headers, body }) => {
        await textOf(body, maxText);
        return headers;
      }),

    /** An answer in XML. Stores also refuse within a 200, when it turns out late that they cannot. */
    document: (request: S3Request, name: string): Promise<XmlElement> =>
      asking(request, async ({ body }) => {
        const root = parseXml(await textOf(body, maxText));
        if (root?.name === name) return root;
        if (root?.name === 'Error') throw storeRefusal(200, elementText(root, 'Code') ?? 'InternalError');
        throw unreadable(`Expected an answer with <${name}>`);
      }),

    sign: (method: 'GET' | 'PUT', key: string, seconds: number): Promise<string> =>
      signedAddress(signer(), { method, url: urlOf(key), at: clock.now() }, seconds),
  };
}

/** The clock has been set: the same request is signed again, at once. */
class Again extends Error {}

async function textOf(body: ReadableStream<Uint8Array>, max: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, left] = ['', max];
  for await (const piece of body) {
    left -= piece.byteLength;
    if (left < 0) throw fault('failed', `Expected an answer of at most ${max} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function codeIn(text: string): string | undefined {
  try {
    return elementText(parseXml(text), 'Code');
  } catch {
    return undefined;
  }
}
