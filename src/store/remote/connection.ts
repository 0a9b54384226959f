import { type Client, createClient, type InValue } from '@libsql/client/web';
import type { Clock } from '../../lib/clock.ts';
import { inTime } from '../../lib/in-time.ts';
import type { Secret } from '../../lib/secret.ts';
import type { Row, Statement, Value } from '../contract.ts';

interface RemoteConnectionSettings {
  readonly clock: Clock;
  readonly token?: Secret;
  readonly fetch?: typeof fetch;
  /** Time limit of one call to the server. */
  readonly deadline: number;
}

/** The client with a deadline on each call: a server that accepts a call and never answers must not hold it forever. */
export function connectRemote(url: string, settings: RemoteConnectionSettings): Client {
  const send = settings.fetch ?? globalThis.fetch;
  const within = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const stop = new AbortController();
    // The body too must arrive in time; it is small, or the deadline is too short anyway.
    const call = async () => {
      const response = await send(input, { ...init, signal: stop.signal, redirect: 'manual' });
      const body = await response.arrayBuffer();
      return new Response(body, { status: response.status || 502, headers: response.headers });
    };
    return inTime(call(), settings.clock, settings.deadline, () => {
      const late = new Error(`No answer within ${settings.deadline} ms`);
      stop.abort(late);
      return late;
    });
  };
  return createClient({
    url,
    intMode: 'number',
    // The client's own limit queues calls of one request behind those of another.
    concurrency: 1_000_000,
    fetch: within as typeof fetch,
    ...(settings.token ? { authToken: settings.token.reveal() } : {}),
  });
}

/** Integers as integers: a number would be sent as a float, and `5` in a text column would read `5.0`. */
export function toRemote(statement: Pick<Statement, 'sql' | 'args'>): { sql: string; args: InValue[] } {
  const args = statement.args.map((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value));
  return { sql: statement.sql, args };
}

export function fromRemote(rows: readonly ArrayLike<unknown>[]): Row[] {
  return rows.map((row) =>
    Array.from(row, (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : (value as Value))),
  );
}
