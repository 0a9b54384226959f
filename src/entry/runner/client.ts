import { shortLine } from '../../core/lib/messages.ts';
import type { ByteRange, MediaSource } from '../../spi/index.ts';
import { answerText } from '../answer-text.ts';

/** Task as the service gives it. */
export interface RunnerTask {
  readonly id: string;
  readonly type: 'TRANSCODE' | 'STILLS' | 'PROBE';
  readonly order: string;
  readonly source: string;
  readonly target?: string;
  readonly size: number;
  readonly extension?: string;
  /** Seconds until the task goes to another runner. */
  readonly lease: number;
}

/** Refusal of the service. Others are failures of the network. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface ClientParts {
  /** Address of the API. */
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}

interface Sent {
  readonly method: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

interface Exchanged<T> {
  readonly document?: T;
  /** Milliseconds of the longest pause until the next call, as the service says. */
  readonly retryAfter?: number;
}

/** Most bytes of an answer that is no media. */
const maxAnswerLength = 4 * 1024 * 1024;

export type Client = ReturnType<typeof createClient>;

/** Calls of a runner to its service. */
export function createClient({ url, token, fetch: call }: ClientParts) {
  const send = async <T>(path: string, sent: Sent): Promise<T | undefined> => (await exchange<T>(path, sent)).document;

  async function exchange<T>(path: string, { method, body, signal }: Sent): Promise<Exchanged<T>> {
    const answer = await call(`${url}${path}`, {
      method,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        authorization: `token ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    const text = await textOf(answer);
    if (!answer.ok) throw refusal(answer, text);
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
    return {
      ...(text !== '' && { document: JSON.parse(text) as T }),
      ...(seconds > 0 && { retryAfter: seconds * 1000 }),
    };
  }

  /** Signed addresses need no credentials, and get none: the token stays with the API. */
  async function bytes(address: string, init: RequestInit): Promise<Response> {
    const answer = await call(address, { redirect: 'error', ...init });
    if (answer.ok) return answer;
    throw refusal(answer, await textOf(answer));
  }

  return {
    register: (runner: object, signal: AbortSignal) =>
      send<{ readonly id: string; readonly protocol?: number }>('/runner', { method: 'POST', body: runner, signal }),
    claim: (id: string, seconds: number, signal: AbortSignal) =>
      exchange<RunnerTask>(`/runner/${encodeURIComponent(id)}/claim?wait=${seconds}`, { method: 'POST', signal }),
    renew: ({ id }: RunnerTask, percent: number, signal: AbortSignal) =>
      send<RunnerTask>(`/runner/task/${encodeURIComponent(id)}?progress=${percent}`, { method: 'PUT', signal }),
    done: ({ id }: RunnerTask, result: object, signal: AbortSignal) =>
      send(`/runner/task/${encodeURIComponent(id)}/done`, { method: 'POST', body: result, signal }),
    failed: ({ id }: RunnerTask, result: object, signal: AbortSignal) =>
      send(`/runner/task/${encodeURIComponent(id)}/failed`, { method: 'POST', body: result, signal }),
    giveBack: ({ id }: RunnerTask, signal: AbortSignal) =>
      send(`/runner/task/${encodeURIComponent(id)}`, { method: 'DELETE', signal }),

    /** The media of a task. `task`: with the addresses of its last renewal. */
    source: (task: () => RunnerTask, signal: AbortSignal): MediaSource => {
      const { size, extension } = task();
      return {
        size,
        ...(extension !== undefined && { name: `source.${extension}` }),
        async read({ from, end }: ByteRange) {
          if (from === end) return new Uint8Array();
          const answer = await bytes(task().source, { headers: { range: `bytes=${from}-${end - 1}` }, signal });
          return exactly(answer, end - from);
        },
      };
    },

    async put(
      address: string,
      body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
      size: number,
      signal: AbortSignal,
    ) {
      const headers = { 'content-type': 'application/octet-stream', size: String(size) };
      const init = { method: 'PUT', headers, body, signal, duplex: 'half' };
      await textOf(await bytes(address, init as RequestInit));
    },
  };
}

function refusal({ status, headers }: Response, text: string): Refused {
  const code = headers.get('portico-error') ?? shortLine(text);
  return new Refused(status, `${status} ${[code, ...explanationIn(text)].join(': ')}`);
}

/** Explanation of an error document. */
function explanationIn(text: string): readonly string[] {
  const [, explanation] = /"explanation":"((?:[^"\\]|\\.){1,300})"/.exec(text) ?? [];
  return explanation === undefined ? [] : [shortLine(JSON.parse(`"${explanation}"`) as string)];
}

const textOf = (answer: Response): Promise<string> => answerText(answer, maxAnswerLength);

async function exactly(answer: Response, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    if (at + piece.byteLength > length) break;
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  if (at === length) return bytes;
  throw new Error(`Expected ${length} bytes of the media: found ${at}`);
}
