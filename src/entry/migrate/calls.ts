import { type Clock, inTime } from '../../core/lib/clock.ts';
import { sentenceOf, shortLine } from '../../core/lib/messages.ts';
import type { Random } from '../../core/lib/random.ts';
import { answerBytes, answerText, limitedBody, TooLarge } from '../answer-text.ts';
import type { Path } from './places.ts';

/** Sends one request: over the network, or to the service in this process. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** Requests over the network. A redirect would take the credentials elsewhere. */
export const over =
  (address: string, authorization: string): Ask =>
  (path, init) =>
    fetch(`${address}${path}`, { ...init, redirect: 'error', headers: { ...init.headers, authorization } });

/** The only fault of an ExceptionDocument. */
interface Fault {
  readonly type?: string | null;
  readonly id?: string | null;
  readonly context?: string | null;
  readonly explanation?: string | null;
}

/** Refusal of an API. */
export class Refused extends Error {
  readonly status: number;
  readonly kind: string;
  readonly fault: Fault;

  constructor(request: string, status: number, kind: string, fault: Fault, text: string) {
    const { type, id, explanation } = fault;
    const said = [explanation ?? type, explanation && id].filter(Boolean).join(': ') || shortLine(text);
    super(`${request}: ${status}${said ? ` ${said.slice(0, 200)}` : ''}`);
    this.status = status;
    this.kind = kind;
    this.fault = fault;
  }
}

/** An API that gave no usable answer, however often it was asked. Whether a change was made is not known. */
export class Unanswered extends Error {}

/** Whether an API says that there is no such entity. Any server says 404 of a path that it does not know. */
export const saysNone = (error: unknown): boolean =>
  error instanceof Refused && error.status === 404 && error.kind === 'notFound';

interface ApiParts {
  readonly ask: Ask;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Requests a second. Undefined: as many as come. */
  readonly rate?: number | undefined;
  tell(text: string): void;
}

export interface ApiFigures {
  requests: number;
  /** Requests that change something. */
  writes: number;
  retries: number;
  /** Milliseconds for which it was left in peace. */
  paused: number;
  /** Milliseconds until the answers came. */
  answering: number;
}

export interface Api {
  readonly figures: Readonly<ApiFigures>;
  /** A document, also by a search with a body. */
  read<T>(path: Path, body?: object): Promise<T>;
  /** A document. Undefined: the API says that there is none. */
  find<T>(path: Path): Promise<T | undefined>;
  /** A text that is no document. Undefined: there is none. */
  text(path: Path): Promise<string | undefined>;
  /** Changes something. Gives the document of the answer, or its text. */
  write<T = unknown>(method: string, path: Path, body?: object | string): Promise<T>;
  /** A small answer that is no document. */
  bytes(path: Path, accept: string): Promise<{ readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }>;
  /** An answer whose bytes the caller reads. More bytes than `maxBytes` says are an error. */
  open(path: Path, maxBytes: (isPart: boolean) => number, range?: string): Promise<Opened>;
  /** Changes something by bytes. */
  send<T>(method: string, path: Path, body: BodyInit, headers: Readonly<Record<string, string>>): Promise<T>;
}

interface Opened {
  /** Whether the answer has the range that was asked for, and nothing else. */
  readonly isPart: boolean;
  readonly body: ReadableStream<Uint8Array>;
}

/** Bytes of a document, of a picture and of a refusal. */
const [maxDocument, maxPicture, maxRefusal] = [64 * 1024 * 1024, 32 * 1024 * 1024, 64 * 1024];
/** Values in a document. Empty ones take three bytes each, and thirty times as much memory. */
const maxValues = 3_000_000;
/** Milliseconds of one answer or of one piece of a long one, and of one that bytes are sent for. */
const [patience, patienceForBytes] = [120_000, 3_600_000];
/** Milliseconds between attempts: doubled up to the second. */
const [firstPause, maxPause] = [1_000, 60_000];
/** Attempts while the API says that it is busy, and of a read that fails otherwise. */
const [busyAttempts, failedAttempts] = [30, 6];

/** Statuses of an API that is busy: nothing was done. */
const isBusy = (status: number): boolean => status === 429 || status === 503;
/** Statuses that another attempt may change. */
const isPassing = (status: number): boolean => [408, 425, 500, 502, 504].includes(status);

interface Request<T> {
  readonly method: string;
  readonly path: Path;
  readonly init?: RequestInit;
  /** Whether a second attempt does no harm. */
  readonly repeats: boolean;
  readonly patience?: number;
  /** Whether the caller reads on when the call has ended. */
  readonly isOpen?: boolean;
  take(answer: Response): Promise<T>;
}

/** Calls of an API, with pauses where it is busy. */
export function createApi({ ask, clock, random, signal, rate, tell }: ApiParts): Api {
  const figures: ApiFigures = { requests: 0, writes: 0, retries: 0, paused: 0, answering: 0 };
  /** Time of the next request. */
  let next = 0;

  async function turn(): Promise<void> {
    signal.throwIfAborted();
    const now = clock.now();
    const at = Math.max(now, next);
    next = at + (rate === undefined ? 0 : 1000 / rate);
    if (at > now) await clock.sleep(at - now, signal);
  }

  /** Callers that failed together do not come back together. */
  const pauseAfter = (attempt: number): number =>
    Math.min(maxPause, firstPause * 2 ** attempt) * (0.5 + (random.bytes(1)[0]! + 1) / 512);

  async function once<T>({ method, path, init, isOpen, take, patience: most = patience }: Request<T>): Promise<T> {
    const over = new AbortController();
    const began = clock.now();
    const late = () => {
      over.abort();
      return new Error(`Expected an answer within ${most / 1000} seconds`);
    };
    const stop = () => over.abort(signal.reason);
    signal.addEventListener('abort', stop);
    const answer = async () => {
      const ends = isOpen ? AbortSignal.any([signal, over.signal]) : over.signal;
      const response = await ask(path.text, { ...init, method, signal: ends });
      if (!response.ok) throw await refusalOf(`${method} ${shortPath(path)}`, response);
      return take(response);
    };
    try {
      return await inTime(answer(), clock, most, late);
    } finally {
      signal.removeEventListener('abort', stop);
      figures.answering += clock.now() - began;
    }
  }

  async function call<T>(request: Request<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      await turn();
      figures.requests++;
      try {
        return await once(request);
      } catch (error) {
        signal.throwIfAborted();
        const busy = error instanceof Busy;
        if (error instanceof TooLarge || (error instanceof Refused && !isPassing(error.status))) throw error;
        const max = busy ? busyAttempts : request.repeats ? failedAttempts : 1;
        if (attempt + 1 >= max) {
          if (error instanceof Refused) throw error;
          throw new Unanswered(`${request.method} ${shortPath(request.path)}: ${reasonOf(error)}`);
        }
        figures.retries++;
        const pause = (busy && error.after) || pauseAfter(Math.min(attempt, 10));
        figures.paused += pause;
        // All callers leave a busy API in peace, and only this one waits for a single failure.
        if (busy) {
          next = Math.max(next, clock.now() + pause);
          if (attempt % 5 === 0) tell(`${error.message}: pauses for ${Math.ceil(pause / 1000)} s`);
        } else await clock.sleep(pause, signal);
      }
    }
  }

  const accept = { accept: 'application/json' };
  const withBody = (body?: object | string): RequestInit => {
    if (body === undefined) return { headers: accept };
    const isText = typeof body === 'string';
    const headers = { ...accept, 'content-type': isText ? 'text/plain' : 'application/json' };
    return { headers, body: isText ? body : JSON.stringify(body) };
  };
  const readOnce = <T>(path: Path, body?: object) =>
    call({ method: body ? 'PUT' : 'GET', path, init: withBody(body), repeats: true, take: onlyDocumentIn<T> });

  return {
    figures,
    read: readOnce,
    find: (path) => readOnce(path).catch(noneIfSaid) as Promise<never>,
    text: (path) => call({ method: 'GET', path, init: withBody(), repeats: true, take: textIn }).catch(noneIfSaid),
    write<T>(method: string, path: Path, body?: object | string) {
      figures.writes++;
      return call({ method, path, init: withBody(body), repeats: false, take: documentIn<T> });
    },
    bytes: (path, accepted) =>
      call({ method: 'GET', path, init: { headers: { accept: accepted } }, repeats: true, take: bytesIn }),
    open(path, maxBytes, range) {
      const init = { headers: range === undefined ? {} : { range } };
      const late = () => new Error(`Expected a piece of the answer within ${patience / 1000} seconds`);
      const take = async ({ status, body }: Response): Promise<Opened> => {
        const isPart = status === 206;
        const limited = (all: ReadableStream<Uint8Array>) =>
          limitedBody(all, maxBytes(isPart), (piece) => inTime(piece, clock, patience, late));
        return { isPart, body: limited(body ?? new Blob().stream()) };
      };
      return call({ method: 'GET', path, init, repeats: true, isOpen: true, take });
    },
    send<T>(method: string, path: Path, body: BodyInit, headers: Readonly<Record<string, string>>) {
      figures.writes++;
      const init = { headers: { ...accept, ...headers }, body, duplex: 'half' };
      return call({ method, path, init, repeats: false, patience: patienceForBytes, take: documentIn<T> });
    },
  };
}

/** An API that asks for patience. `after`: milliseconds, if it says so. */
class Busy extends Error {
  readonly after: number | undefined;

  constructor(message: string, after: number | undefined) {
    super(message);
    this.after = after;
  }
}

const shortPath = ({ text }: Path): string => text.split('?')[0]!.slice(0, 120);

function noneIfSaid(error: unknown): undefined {
  if (saysNone(error)) return undefined;
  throw error;
}

const bytesIn = async (answer: Response) => ({
  type: answer.headers.get('content-type') ?? '',
  bytes: await answerBytes(answer, maxPicture),
});

const beginners = new Set([...',[{'].map((sign) => sign.charCodeAt(0)));

function mustHaveFewValues(text: string): void {
  let values = 0;
  for (let index = 0; index < text.length; index++)
    if (beginners.has(text.charCodeAt(index)) && ++values > maxValues)
      throw new TooLarge(`Expected a document of at most ${maxValues} values`);
}

const textIn = (answer: Response): Promise<string> => answerText(answer, maxDocument);

/** A page of a login or of a proxy is no document, whatever its status is. */
async function onlyDocumentIn<T>(answer: Response): Promise<T> {
  const document = await documentIn<T>(answer);
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document;
  throw new Error(`Expected a document in JSON, found ${answer.headers.get('content-type') ?? 'no type'}`);
}

async function documentIn<T>(answer: Response): Promise<T> {
  const text = await textIn(answer);
  const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
  if (isJson && text.length > maxValues) mustHaveFewValues(text);
  return (isJson ? JSON.parse(text) : text) as T;
}

async function refusalOf(request: string, answer: Response): Promise<Error> {
  const text = await answerText(answer, maxRefusal).catch(() => '');
  const { status } = answer;
  if (isBusy(status)) return new Busy(`${request}: ${status}`, secondsIn(answer.headers.get('retry-after')));
  const faults = Object.entries(objectIn(text)).filter(([, value]) => typeof value === 'object' && value !== null);
  const [kind, fault] = faults[0] ?? ['', {}];
  return new Refused(request, status, kind, fault as Fault, /^\s*[<{]/.test(text) ? '' : text);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** Milliseconds of the header `retry-after`. An API that asks for hours is asked sooner. */
function secondsIn(header: string | null): number | undefined {
  const seconds = /^\s*\d{1,6}\s*$/.test(header ?? '') ? Number(header) : 0;
  return seconds > 0 ? Math.min(seconds, 600) * 1000 : undefined;
}

export const reasonOf = (error: unknown): string => {
  const { cause } = Object(error) as { readonly cause?: unknown };
  return sentenceOf(cause instanceof Error && cause.message !== '' ? cause : error);
};
