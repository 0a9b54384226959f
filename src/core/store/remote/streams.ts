import { type Clock, inTime } from '../../lib/clock.ts';
import { Gate } from '../../lib/gate.ts';
import { Secret, withoutSecrets } from '../../lib/secret.ts';
import { collected } from '../../lib/streams.ts';
import { kindOfFault } from '../faults.ts';
import type { Breaker } from './breaker.ts';
import { type HranaRequest, type HranaResult, type PipelineAnswer, RemoteFault } from './hrana.ts';

/** Sends one call to the server. The text of its answer has arrived. */
type Post = (url: URL, body: string) => Promise<{ readonly status: number; readonly text: string }>;

/** A stream ended that had answered before: its server has dropped it, began anew, or is out of reach. */
export class StreamEnded extends Error {
  /** True: the server refused the baton and did nothing. */
  readonly isRefused: boolean;

  constructor(cause: unknown, isRefused: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StreamEnded';
    this.isRefused = isRefused;
  }
}

/**
 * A connection of the server's own to its database. Opening one costs the server as long as twenty reads: it reads the
 * schema. Its calls follow each other: each answer has the baton of the next call.
 */
export class Stream {
  readonly #post: Post;
  #url: URL;
  #baton: string | null = null;
  #isBroken = false;

  constructor(url: URL, post: Post) {
    this.#url = url;
    this.#post = post;
  }

  /** Whether the server keeps it for another call. */
  get isOpen(): boolean {
    return this.#baton !== null && !this.#isBroken;
  }

  async send(requests: readonly HranaRequest[]): Promise<readonly HranaResult[]> {
    const baton = this.#baton;
    try {
      const { status, text } = await this.#post(new URL('v2/pipeline', this.#url), JSON.stringify({ baton, requests }));
      if (status < 200 || status > 299) throw refusalIn(status, text);
      const answer = JSON.parse(text) as PipelineAnswer;
      this.#baton = answer.baton ?? null;
      if (answer.base_url) this.#url = placeOfStream(answer.base_url, this.#url);
      return answer.results;
    } catch (error) {
      this.#isBroken = true;
      const isRefused = error instanceof RemoteFault && error.status === 400;
      const isFinal = error instanceof RemoteFault && error.isFinal && !isRefused;
      if (baton === null || isFinal || kindOfFault(error) !== 'unavailable') throw error;
      throw new StreamEnded(error, isRefused);
    }
  }
}

/** Where the server wants the next call. The token goes to the origin that the operator named, and to no other. */
function placeOfStream(text: string, { origin }: URL): URL {
  const place = URL.canParse(text) ? new URL(`${text.replace(/\/$/, '')}/`) : undefined;
  if (place?.origin === origin) return place;
  throw new Error(
    `Expected a database that stays at "${origin}": its answer leads to "${withoutSecrets(text).slice(0, 80)}"`,
  );
}

/** A refusal of the whole call. Servers tell it as JSON or as text. */
function refusalIn(status: number, text: string): RemoteFault {
  const said = jsonOrNone(text);
  const message = typeof said?.message === 'string' ? said.message : `HTTP status ${status}: ${text.slice(0, 200)}`;
  return new RemoteFault({ message, ...(typeof said?.code === 'string' && { code: said.code }) }, { status });
}

function jsonOrNone(text: string): { readonly message?: unknown; readonly code?: unknown } | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
}

interface StreamSettings {
  readonly clock: Pick<Clock, 'now'>;
  /** Streams at once. Further calls wait in turn. Left out: each call has a stream of its own, which ends with it. */
  readonly max?: number;
  open(): Stream;
}

interface Idle {
  readonly stream: Stream;
  readonly since: number;
}

/** Below the ten seconds after which a server drops a stream that nobody uses. */
const keptFor = 8_000;
const close: HranaRequest = { type: 'close' };

/** Streams that are used again. The one that was used last is the next: after a burst the others end by themselves. */
export class Streams {
  readonly #settings: StreamSettings;
  readonly #idle: Idle[] = [];
  readonly #gate: Gate;

  constructor(settings: StreamSettings) {
    this.#settings = settings;
    this.#gate = new Gate({ width: settings.max ?? Number.POSITIVE_INFINITY });
  }

  /** Sends what `requests` gives once there is a stream. `fresh`: in a stream that nothing was sent in before. */
  send(requests: () => readonly HranaRequest[], fresh = false): Promise<readonly HranaResult[]> {
    const { max, open } = this.#settings;
    return this.#gate.run(async () => {
      const sent = requests();
      if (sent.length === 0) return [];
      const stream = (fresh ? undefined : this.#kept()) ?? open();
      try {
        return await stream.send(max === undefined ? [...sent, close] : sent);
      } finally {
        if (max !== undefined) this.#put(stream);
      }
    });
  }

  /** Tells the server that the streams are no longer used. It would drop them by itself. */
  close(): void {
    for (const { stream } of this.#idle.splice(0)) void stream.send([close]).catch(() => undefined);
  }

  #kept(): Stream | undefined {
    const last = this.#idle.pop();
    if (last && this.#settings.clock.now() - last.since < keptFor) return last.stream;
    // The others are older.
    this.#idle.length = 0;
    return undefined;
  }

  #put(stream: Stream): void {
    if (stream.isOpen) this.#idle.push({ stream, since: this.#settings.clock.now() });
    // Idle streams have probably ended like this one.
    else this.#idle.length = 0;
  }
}

interface ConnectionSettings {
  readonly clock: Clock;
  readonly token?: Secret | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Time limit of one call to the server, in milliseconds. */
  limit(): number;
  readonly breaker: Pick<Breaker, 'answered' | 'silent'>;
  /** Called for each call, before it is sent. */
  readonly count?: (() => void) | undefined;
}

/** Bytes of one answer: three times what a libSQL server sends unless it is told otherwise. */
const maxAnswer = 32 * 1024 * 1024;

const schemes: readonly string[] = ['libsql:', 'https:', 'http:'];

/** Where the server is, and the token that an address may carry. */
export function remoteAddress(text: string): { readonly url: URL; readonly token?: Secret } {
  const address = new URL(text);
  if (!schemes.includes(address.protocol)) {
    throw new Error(`the scheme "${address.protocol}" is no server, expected ${schemes.join(', ')}`);
  }
  const isPlain = address.protocol === 'http:' || address.searchParams.get('tls') === '0';
  const url = new URL(`${isPlain ? 'http' : 'https'}://${address.host}${address.pathname.replace(/\/*$/, '/')}`);
  const token = address.searchParams.get('authToken');
  return { url, ...(token && { token: new Secret(token) }) };
}

/** Calls with a deadline each: a server that accepts a call and never answers must not hold it forever. */
export function createPost({ clock, token, limit, breaker, count, ...settings }: ConnectionSettings): Post {
  const send = settings.fetch ?? globalThis.fetch;
  const headers = {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token.reveal()}` }),
  };
  return (url, body) => {
    const stop = new AbortController();
    const sentAt = clock.now();
    const milliseconds = limit();
    count?.();
    // The body too must arrive in time.
    const call = async () => {
      const init = { method: 'POST', headers, body, signal: stop.signal, redirect: 'manual' } as const;
      const response = await send(url.href, init);
      const bytes = response.body ? await collected(response.body, maxAnswer) : new Uint8Array();
      if (!bytes) throw new Error(`Expected an answer of at most ${maxAnswer} bytes from the database`);
      return { status: response.status, text: new TextDecoder().decode(bytes) };
    };
    let isLate = false;
    const ended = () => {
      if (!isLate) breaker.answered();
    };
    const answer = call();
    answer.then(ended, ended);
    return inTime(answer, clock, milliseconds, () => {
      isLate = true;
      breaker.silent(sentAt);
      const late = new Error(`No answer within ${milliseconds} ms`);
      stop.abort(late);
      return late;
    });
  };
}
