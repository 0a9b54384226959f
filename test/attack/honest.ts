import { requestBytes } from '../bench/load.ts';
import type { Search } from './flood.ts';
import { basicOf } from './server.ts';
import { exchange, type Target } from './target.ts';

/** How calls with right credentials were answered. */
export interface Calls {
  /** Milliseconds of each answer, in order of size. */
  readonly took: readonly number[];
  /** 401 or 403. */
  readonly wrong: number;
  /** 429 or 503: come again later. */
  readonly later: number;
  /** Without an answer in time, or with one that no caller expects. */
  readonly failed: number;
  /** Milliseconds by which timers of the callers were late, in order of size: what busy cores alone take. */
  readonly late: readonly number[];
}

/** Searches of a caller, one after the other. */
export interface Searches extends Calls {
  /** Milliseconds of one beside a process that only spins, half of them at most. */
  readonly alone: number;
}

/** First logins of newcomers, each from a network of its own. */
export interface Logins {
  /** Milliseconds from the first try to 200, in order of size. */
  readonly took: readonly number[];
  readonly wrong: number;
  readonly later: number;
  /** Newcomers who were not let in within the time limit. */
  readonly failed: number;
  /** Newcomers who logged in, and their addresses. */
  readonly known: readonly { readonly name: string; readonly address: string }[];
}

/** Jobs of a caller, each started when the one before has ended. */
export interface Jobs {
  /** Milliseconds of a job without a flood. */
  readonly alone: number;
  /** Milliseconds of each job, in order of size. */
  readonly took: readonly number[];
}

export const addressOf = (newcomer: number): string => `198.51.100.${20 + newcomer}`;

const pause = 25;
const maxCallLength = 5_000;
const maxJobLength = 30_000;
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls one after the other until told to stop. */
export async function callOnAndOn(
  target: Target,
  authorization: string,
  goesOn: () => boolean,
  search?: Search,
): Promise<Calls> {
  const took: number[] = [];
  const late: number[] = [];
  const seen = { wrong: 0, later: 0, failed: 0 };
  const headers = { authorization, 'x-forwarded-for': '198.51.100.10', connection: 'close' };
  const bytes = search
    ? requestBytes(
        'PUT',
        search.path,
        { ...headers, 'content-type': 'application/json' },
        JSON.stringify(search.document),
      )
    : requestBytes('GET', '/API/whoami', headers);
  while (goesOn()) {
    const answer = await exchange(target, bytes, maxCallLength);
    const kind = kindOf(answer.status);
    if (kind === 'right') took.push(answer.took);
    else seen[kind]++;
    if (kind === 'failed') took.push(maxCallLength);
    const paused = performance.now();
    await sleep(pause);
    late.push(performance.now() - paused - pause);
  }
  return { ...seen, took: inOrder(took), late: inOrder(late) };
}

/** Milliseconds of each job, until told to stop. One that does not end is as long as it was waited for. */
export async function startJobs(target: Target, token: string, start: string, goesOn: () => boolean) {
  const headers = { authorization: `token ${token}`, 'x-forwarded-for': '198.51.100.11', connection: 'close' };
  const ask = async (method: string, path: string, accept: string) =>
    (await exchange(target, requestBytes(method, path, { ...headers, accept }), maxCallLength)).body;
  const took: number[] = [];
  while (goesOn()) {
    const began = performance.now();
    const id = /VX-\d+/.exec(await ask('POST', start, 'application/json'))?.[0];
    for (let status = ''; status !== 'FINISHED' && performance.now() - began < maxJobLength; ) {
      await sleep(pause);
      status = (await ask('GET', `/API/job/${id}`, 'text/plain')).trim();
    }
    took.push(performance.now() - began);
  }
  return inOrder(took);
}

type Kind = 'right' | 'wrong' | 'later' | 'failed';
const kinds: Readonly<Record<number, Kind>> = { 200: 'right', 401: 'wrong', 403: 'wrong', 429: 'later', 503: 'later' };
export const kindOf = (status: number): Kind => kinds[status] ?? 'failed';

/** Lets the newcomers come in, one after the other. Each tries for so long, again when the answer says so. */
export async function comeIn(target: Target, names: readonly string[], longest: number): Promise<Logins> {
  const took: number[] = [];
  const known: { name: string; address: string }[] = [];
  const seen = { wrong: 0, later: 0, failed: 0 };
  for (const [index, name] of names.entries()) {
    const address = addressOf(index);
    const headers = { authorization: basicOf(name), 'x-forwarded-for': address, connection: 'close' };
    const bytes = requestBytes('GET', '/API/whoami', headers);
    const began = performance.now();
    const left = () => longest - (performance.now() - began);
    let kind: Kind = 'failed';
    while (left() > 0) {
      const answer = await exchange(target, bytes, left());
      kind = kindOf(answer.status);
      if (kind === 'right') break;
      if (kind !== 'failed') seen[kind]++;
      const seconds = Number(answer.headers.get('retry-after') ?? 0.25);
      await sleep(Math.min(Math.max(0, left()), seconds * 1000));
    }
    took.push(performance.now() - began);
    if (kind === 'right') known.push({ name, address });
    else {
      seen.failed++;
      // The promise is broken: the others would only make the attack longer.
      break;
    }
  }
  return { ...seen, known, took: inOrder(took) };
}

export const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
