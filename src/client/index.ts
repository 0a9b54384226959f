import { fetchFailure } from '../core/lib/fetch-failure.ts';
import type { JobDocument } from '../types.ts';
import { base64 } from './base64.ts';
import type { Calls } from './calls.ts';
import { pause, Refusal, refusalOf } from './refusal.ts';
import { sendFile, type Transport } from './tus.ts';

export type { Calls } from './calls.ts';
export { noData, pause, Refusal, refusalOf } from './refusal.ts';
export { endUpload, readUpload, sendFile, type Transport, type TusOptions } from './tus.ts';

/** Every call of the API, such as `GET /item/:item`. */
export type CallName = keyof Calls;

/** Segments of a path that have a name. The last one may end in a star: its value may have slashes. */
type Segment<Path> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Below}`
    ? Name | Segment<`/${Below}`>
    : Rest extends `${infer Name}*`
      ? Name
      : Rest
  : never;

type Part<Name extends string, Value> =
  Record<never, never> extends Value
    ? { readonly [Each in Name]?: Value | undefined }
    : undefined extends Value
      ? { readonly [Each in Name]?: Value }
      : { readonly [Each in Name]: Value };

interface Shared {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Path, query and body of a call, as far as it has them. */
export type Asked<Name extends CallName> = Shared &
  Part<'path', { readonly [Each in Segment<Name>]: string }> &
  Part<'query', Calls[Name]['query']> &
  Part<'body', Calls[Name]['body']>;

export type Answer<Name extends CallName> = Calls[Name]['answer'];

/** Left out where a call needs nothing. */
type Rest<Name extends CallName> =
  Record<never, never> extends Asked<Name> ? [asked?: Asked<Name>] : [asked: Asked<Name>];

/** Calls whose answer is bytes: `open` gives them as they come. */
type BytesName = { [Name in CallName]: Calls[Name]['answer'] extends Response ? Name : never }[CallName];
/** Calls that answer a list in pages. */
export type PageName = { [Name in CallName]: 'first' extends keyof Calls[Name]['query'] ? Name : never }[CallName];

export interface ClientOptions {
  /** Address of the service, with the prefix of a proxy: `https://media.example.com`. */
  readonly url: string;
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** Token of the service. */
  readonly token?: string | undefined;
  /** Token of a provider. */
  readonly bearer?: string | undefined;
  /** Name of the user for whom the caller acts. */
  readonly runAs?: string | undefined;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch | undefined;
  /** Default: the time of the platform. */
  readonly pause?: typeof pause | undefined;
}

/** Ids of what an upload has become. */
export interface Uploaded {
  readonly file: string | undefined;
  readonly item: string | undefined;
  readonly job: string | undefined;
}

interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((sent: number) => void) | undefined;
}

const maxRetries = 4;
const defaultNumber = 100;
/** Seconds: a service that asks for a longer pause has its refusal told at once. */
const maxPause = 60;
/** Seconds between two looks at a job. */
const [firstLook, lastLook] = [0.5, 10];
const ended: ReadonlySet<string> = new Set(['FINISHED', 'FINISHED_WARNING', 'FAILED_TOTAL', 'ABORTED']);
const accept = 'application/json, text/plain;q=0.9, */*;q=0.1';

/** A client of one service and one caller. Refusals are thrown as `Refusal`; a busy service is asked again. */
export class PorticoClient {
  readonly #options: ClientOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch;
  readonly #pause: typeof pause;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#pause = options.pause ?? pause;
    const authorization = credentials(options);
    this.#headers = {
      ...(authorization !== undefined && { authorization }),
      ...(options.runAs !== undefined && { runas: options.runAs }),
    };
  }

  /** Makes a call, and reads its answer: a document, a text, or nothing. */
  async call<const Name extends Exclude<CallName, BytesName>>(name: Name, ...rest: Rest<Name>): Promise<Answer<Name>> {
    return (await read(await this.open(name, ...rest))) as Answer<Name>;
  }

  /** Makes a call, and gives its answer as it comes: for bytes, and for headers. */
  async open<const Name extends CallName>(name: Name, ...[asked]: Rest<Name>): Promise<Response> {
    const { path, query, body, headers, signal } = (asked ?? {}) as Shared & Parts;
    const [method = '', pattern = ''] = name.split(' ');
    const url = this.#addressOf(pathOf(pattern, path), query);
    const content = bodyOf(body);
    const isRead = method === 'GET';
    for (let tries = 0; ; tries++) {
      let refusal: Refusal;
      try {
        const response = await this.#fetch(url, {
          method,
          headers: { accept, ...content?.headers, ...this.#headers, ...headers },
          ...(content && { body: content.body }),
          // Node asks for it where the body is a stream.
          ...(body instanceof ReadableStream && { duplex: 'half' }),
          ...(signal && { signal }),
        });
        if (response.ok) return response;
        refusal = await refusalOf(response);
        refusal.request = { method, target: url };
      } catch (error) {
        if (signal?.aborted) throw error;
        refusal = new Refusal(0, 'offline', { explanation: fetchFailure(error, url) });
        refusal.request = { method, target: url };
      }
      const { status, retryAfter = 2 ** tries } = refusal;
      // A change whose connection breaks may have been made.
      const isBusy = status === 429 || status === 503 || (status === 0 && isRead);
      const isSpent = tries === maxRetries || retryAfter > maxPause || body instanceof ReadableStream;
      if (!isBusy || isSpent) throw refusal;
      await this.#pause(retryAfter * 1000, signal);
    }
  }

  /** Pages of a list, one document after the other, by a cursor where the list has one. `number`: entries of a page. */
  async *pages<const Name extends PageName>(name: Name, ...[asked]: Rest<Name>): AsyncGenerator<Answer<Name>, void> {
    const { query, ...others } = (asked ?? {}) as Shared & Parts;
    const number = Number(query?.['number'] ?? defaultNumber);
    let place: Readonly<Record<string, unknown>> = { cursor: '*' };
    for (let page = 1; ; page++) {
      const next = { ...others, query: { ...query, ...place, number } };
      const response = await this.open(name, ...([next] as unknown as Rest<Name>));
      const document = (await read(response)) as Readonly<Record<string, unknown>>;
      const hasCursor = 'cursor' in place && !ignores(response, 'cursor');
      const { nextCursor: cursor } = document;
      // An empty page after the last entry repeats the cursor that asked for it.
      const isBehind = hasCursor && cursor === place['cursor'];
      if (!isBehind || page === 1) yield document as Answer<Name>;
      if (hasCursor ? isBehind || cursor === undefined : !isFull(document, number, page)) return;
      place = hasCursor ? { cursor } : { first: page * number + 1 };
    }
  }

  /** Waits until a job has ended, well or badly: its status says which. */
  async jobEnd(job: string, { signal }: Shared = {}): Promise<JobDocument> {
    for (let seconds = firstLook; ; seconds = Math.min(lastLook, seconds * 1.5)) {
      const document = await this.call('GET /job/:job', { path: { job }, signal });
      if (ended.has(document.status)) return document;
      await this.#pause(seconds * 1000, signal);
    }
  }

  /** Sends a file by tus, and goes on after lost connections. With `import: 'true'` in `metadata` it becomes an item. */
  async upload(
    file: Blob,
    metadata: Readonly<Record<string, string>>,
    { signal = new AbortController().signal, onProgress = () => undefined }: UploadOptions = {},
  ): Promise<Uploaded> {
    const transport: Transport = async ({ method, url, headers, body }) =>
      this.#fetch(this.#addressOf(url.replace(/^.*?(?=\/API\/)/, '')), {
        method,
        headers: { ...headers, ...this.#headers },
        body: body ?? null,
        signal,
      }).catch((error) => {
        throw signal.aborted ? error : new Refusal(0, 'offline', {});
      });
    const none = () => undefined;
    const answer = await sendFile(
      { file, metadata, signal, onUrl: none, onProgress, onWait: none },
      { transport, wait: this.#pause },
    );
    const header = (name: string) => answer.headers.get(`portico-${name}`) ?? undefined;
    return { file: header('file'), item: header('item'), job: header('job') };
  }

  #addressOf(path: string, query: Parts['query'] = {}): string {
    const pairs = new URLSearchParams();
    for (const [name, parameter] of Object.entries(query)) {
      for (const value of Array.isArray(parameter) ? parameter : [parameter]) {
        if (value !== undefined && value !== null) pairs.append(name, String(value));
      }
    }
    return `${this.#options.url.replace(/\/+$/, '')}${path}${pairs.size > 0 ? `?${pairs}` : ''}`;
  }
}

interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function credentials({ user, token, bearer }: ClientOptions): string | undefined {
  if (token !== undefined) return `token ${token}`;
  if (bearer !== undefined) return `Bearer ${bearer}`;
  return user && `Basic ${base64(`${user.name}:${user.password}`)}`;
}

/** Path with the segments of a call. Those of a path below `/APInoauth` and the like are whole. */
function pathOf(pattern: string, segments: Readonly<Record<string, string>> = {}): string {
  const path = pattern.replace(/:(\w+)(\*?)/g, (_, name: string, star: string) => {
    const value = segments[name];
    // A platform would take dot segments out of the address.
    if (value === undefined || /^\.{0,2}$/.test(value))
      throw new TypeError(`Expected the segment "${name}" of ${pattern}`);
    return star === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
  return /^\/API/.test(path) ? path : `/API${path}`;
}

const isBytes = (body: unknown): body is BodyInit =>
  body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body) || body instanceof ReadableStream;

/** Texts and bytes go as they are, and documents as JSON. */
function bodyOf(body: unknown): { readonly body: BodyInit; readonly headers: Record<string, string> } | undefined {
  if (body === undefined) return undefined;
  if (isBytes(body)) return { body, headers: { 'content-type': 'application/octet-stream' } };
  if (typeof body === 'string') return { body, headers: { 'content-type': 'text/plain' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

const ignores = ({ headers }: Response, parameter: string): boolean =>
  (headers.get('portico-ignored') ?? '').split(/[\s,;]+/).includes(parameter);

/** Whether there may be another page: one of the lists is as long as a page may be, and the hits go on. */
function isFull(document: Readonly<Record<string, unknown>>, number: number, page: number): boolean {
  const hits = document['hits'];
  if (typeof hits === 'number' && page * number >= hits) return false;
  return Object.values(document).some((value) => Array.isArray(value) && value.length >= number);
}
