import { signal } from '@preact/signals';
import { noData, pause, Refusal, refusalOf } from 'portico/client/refusal';

export { pause, Refusal, refusalOf };

type Value = string | number | boolean | undefined | null;
type Query = Readonly<Record<string, Value | readonly Value[]>>;

interface Options {
  readonly query?: Query | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the request goes on without its page. */
  readonly keepalive?: boolean | undefined;
}

/** Part that did not answer the last request: the service, or its database. */
export const offline = signal<false | 'service' | 'data'>(false);
/** Seconds that a request waits, because the service is busy. Undefined: none waits. */
export const waiting = signal<number | undefined>(undefined);

/** Number of changes that this tab has made: news may follow. */
export const changes = signal(0);
const isSearch = (path: string): boolean => /^\/(?:item|collection(?:\/[^/]+\/item)?|search\/autocomplete)$/.test(path);

/** Asks the person to log in again, because the session has ended or is old, and tells whether that worked. `session.ts` sets it. */
let askLogin: (isOld: boolean) => Promise<boolean> = async () => false;
export const whenUnknown = (ask: (isOld: boolean) => Promise<boolean>): void => {
  askLogin = ask;
};

export function addressOf(path: string, query: Query = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, parameter] of Object.entries(query)) {
    for (const value of Array.isArray(parameter) ? parameter : [parameter]) {
      if (value !== undefined && value !== null) pairs.append(name, String(value));
    }
  }
  const text = pairs.toString();
  return `/API${path}${text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`}`;
}

export const get = <T>(path: string, options?: Options): Promise<T> => send<T>('GET', path, undefined, options);

/**
 * Sends a request and reads its JSON. A text or bytes go as they are, and other bodies as JSON. A session that has ended
 * is begun again in a dialog, and a service that is busy is waited for once.
 */
export async function send<T>(method: string, path: string, body?: unknown, options: Options = {}): Promise<T> {
  let response = await sendOnce(method, path, body, options);
  const isOld = response.headers.get('portico-error') === 'login-too-old';
  if ((response.status === 401 || isOld) && (await askLogin(isOld)))
    response = await sendOnce(method, path, body, options);
  if (response.status === 429 || (response.status === 503 && !offline.value)) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (seconds <= maxWait) {
      waiting.value = seconds;
      await pause(seconds * 1000, options.signal).finally(() => {
        waiting.value = undefined;
      });
      response = await sendOnce(method, path, body, options);
    }
  }
  if (!response.ok) {
    const refusal = await refusalOf(response);
    refusal.request = { method, target: addressOf(path, options.query) };
    throw refusal;
  }
  return (await read(response)) as T;
}

export const exists = (path: string): Promise<boolean> =>
  get(path).then(
    () => true,
    (error) => {
      if (error instanceof Refusal && error.status === 404) return false;
      throw error;
    },
  );

/** Seconds: a longer pause is told to the person. */
const maxWait = 30;

/** Sends one request without what `send` does besides, for the login itself. */
export async function sendOnce(
  method: string,
  path: string,
  body?: unknown,
  { query, signal: abort, headers, keepalive = false }: Options = {},
): Promise<Response> {
  const isPlain = typeof body === 'string' || body instanceof Blob || body instanceof ArrayBuffer;
  const type = body === undefined || body instanceof Blob ? undefined : isPlain ? 'text/plain' : 'application/json';
  try {
    const response = await fetch(addressOf(path, query), {
      method,
      headers: { accept: 'application/json', 'portico-ui': '1', ...(type && { 'content-type': type }), ...headers },
      credentials: 'same-origin',
      keepalive,
      ...(body !== undefined && { body: isPlain ? (body as BodyInit) : JSON.stringify(body) }),
      ...(abort && { signal: abort }),
    });
    if (response.headers.get('portico-error') === noData) lost('data');
    else offline.value = false;
    if (response.ok && method !== 'GET' && !isSearch(path)) changes.value++;
    return response;
  } catch (error) {
    if (abort?.aborted) throw error;
    lost('service');
    throw new Refusal(0, 'offline', {});
  }
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return isJson && text !== '' ? JSON.parse(text) : text;
}

/** Asks whether the service, or its data, is there again, after 1, 2, 4 … 30 seconds. */
function lost(what: 'service' | 'data'): void {
  const isKnown = offline.value !== false;
  offline.value = what;
  if (isKnown) return;
  void (async () => {
    for (let seconds = 1; offline.value; seconds = Math.min(30, seconds * 2)) {
      await pause(seconds * 1000);
      const path = offline.value === 'data' ? '/health/ready' : '/APInoauth/is-online';
      const answer = await fetch(path, { cache: 'no-store' }).catch(() => undefined);
      if (answer?.ok) offline.value = false;
    }
  })();
}

const maxFirstViewMs = 10_000;

let resolveFirstView: () => void;

/** Resolves when the first picture is there, or none comes: what the first view does not need is asked for after it. */
export const firstView = new Promise<void>((done) => {
  resolveFirstView = done;
  setTimeout(done, maxFirstViewMs);
});

export const endFirstView = (): void => resolveFirstView();
