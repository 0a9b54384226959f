import type { Audit } from './audit.ts';
import type { Tally } from './flooder.ts';
import { stopTimeout } from './floods.ts';
import { at, type Calls, type Jobs, type Logins, type Searches } from './honest.ts';

/** All that was measured of one flood against one server. */
export interface Measured {
  readonly flood: string;
  /** Milliseconds of a call beside a process that only spins, half of them at most. */
  readonly alone: number;
  /** Milliseconds of a first login before the flood. */
  readonly hash: number;
  readonly tally: Tally;
  readonly remembered: Calls;
  readonly token: Calls;
  readonly newcomers: Logins;
  /** Milliseconds from the start to the end of each job of an honest caller, where the flood has one; the first one before it. */
  readonly jobs?: Jobs;
  /** Plain searches of an honest caller, where the flood has them. */
  readonly searches?: Searches;
  /** Streams of events that an honest caller opens, where the flood has them. */
  readonly streams?: Calls;
  /** Milliseconds from SIGTERM to the end of the process beside the flood, where that is measured. */
  readonly stop?: number;
  /** Milliseconds of the longest turn of one request sent alone: the least of up to five times. */
  readonly turn: number;
  /** The same for the whole flood: told, not judged, because it contains the pauses of a busy machine. */
  readonly maxTurnLength: number;
  /** 401, 403 and 429 that the flood and the honest callers received. */
  readonly refused: number;
  readonly audit: Audit | undefined;
  /** MiB. */
  readonly memory: { readonly before: number; readonly max: number; readonly after: number };
  /** Milliseconds after the flood until calls are as fast as before; undefined when they are not in time. */
  readonly recovered: number | undefined;
}

export interface Promised {
  readonly name: string;
  /** The row of `docs/security/guarantees.md`, word for word. */
  readonly says: string;
  /** A busy machine breaks it now and then, so it is broken when it is broken three times in a row. */
  readonly aboutTime?: true;
  holds(measured: Measured): boolean;
  /** Describes the measured values of a broken promise. */
  shows(measured: Measured): string;
}

const ms = (value: number | undefined) => (value === undefined ? 'never' : `${Math.round(value)} ms`);
const callsOf = ({ remembered, token }: Measured): readonly Calls[] => [remembered, token];
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const slowest = (measured: Measured) => Math.max(...callsOf(measured).map(({ took }) => at(took, 0.99)));
const allowed = ({ alone }: Measured) => 1_000 + 10 * alone;
const lastNewcomer = ({ newcomers }: Measured) => newcomers.took.at(-1) ?? Number.NaN;
/** Five seconds, and what a hash takes beside nine others. */
export const maxLoginLength = (hash: number): number => Math.min(20_000, 5_000 + 10 * hash);
const maxJobLength = ({ took }: Jobs): number => took.at(-1) ?? Number.NaN;
const slowestSearch = ({ took }: Searches): number => at(took, 0.95);
const maxSearchLength = ({ alone }: Searches): number => 100 + 10 * alone;
const missed = ({ wrong, later, failed }: Calls): number => wrong + later + failed;
const maxMemory = 384;

/** Promises that `npm run attack` judges. `docs/security/guarantees.md` has the same rows. */
export const promises: readonly Promised[] = [
  {
    name: 'right-credentials',
    says: 'Valid credentials are never answered 401 or 403, regardless of the number of wrong ones',
    holds: (measured) => wrongOf(measured) === 0,
    shows: (measured) => `${wrongOf(measured)} such answers`,
  },
  {
    name: 'no-waiting',
    says: 'A remembered password and a token never wait: they are answered neither 429 nor 503',
    holds: (measured) => sum(callsOf(measured).map(({ later }) => later)) === 0,
    shows: (measured) => `${sum(callsOf(measured).map(({ later }) => later))} such answers`,
  },
  {
    name: 'newcomers',
    says: 'A first login from a network that has not failed is let in within five seconds and ten times what it takes without a flood',
    aboutTime: true,
    holds: (measured) => measured.newcomers.failed === 0 && lastNewcomer(measured) <= maxLoginLength(measured.hash),
    shows: (measured) =>
      `${measured.newcomers.failed} not let in, the last one after ${ms(lastNewcomer(measured))}, ${ms(maxLoginLength(measured.hash))} at most`,
  },
  {
    name: 'jobs-in-turn',
    says: 'Beside a flood of jobs, a job of another user ends within five seconds and ten times what it takes alone',
    aboutTime: true,
    holds: ({ jobs }) => jobs === undefined || (jobs.took.length > 0 && maxJobLength(jobs) <= 5_000 + 10 * jobs.alone),
    shows: ({ jobs }) => `the slowest of ${jobs?.took.length ?? 0} after ${ms(jobs && maxJobLength(jobs))}`,
  },
  {
    name: 'plain-searches',
    says: 'Beside the most expensive searches of four accounts, 95 of 100 plain ones of a fifth end in time. That is 100 ms and ten times what one takes beside a busy process. None is refused',
    aboutTime: true,
    holds: ({ searches }) =>
      searches === undefined ||
      (searches.failed + searches.later === 0 && slowestSearch(searches) <= maxSearchLength(searches)),
    shows: ({ searches }) =>
      searches === undefined
        ? 'not measured'
        : `95 of 100 within ${ms(slowestSearch(searches))}, ${ms(maxSearchLength(searches))} at most; ${searches.failed + searches.later} refused`,
  },
  {
    name: 'streams-of-others',
    says: 'Beside an account that opens all streams of events that it can, another account always gets one',
    holds: ({ streams }) => streams === undefined || (streams.took.length > 0 && missed(streams) === 0),
    shows: ({ streams }) =>
      `${streams ? missed(streams) : 0} of ${streams?.took.length ?? 0} refused or without an answer`,
  },
  {
    name: 'stop',
    says: 'A stop beside a flood ends within `PORTICO_STOP_TIMEOUT` and a second',
    aboutTime: true,
    holds: ({ stop }) => stop === undefined || stop <= stopTimeout * 1000 + 1000,
    shows: ({ stop }) => `after ${ms(stop)}`,
  },
  {
    name: 'one-turn',
    says: 'No single request of any caller holds the loop for more than 50 ms',
    aboutTime: true,
    holds: ({ turn }) => turn <= 50,
    shows: ({ turn }) => `${ms(turn)} at least`,
  },
  {
    name: 'others-answered',
    says: 'Beside a flood all other calls get an answer. 99 of 100 get it within a second and ten times what they take beside a busy process',
    aboutTime: true,
    holds: (measured) =>
      callsOf(measured).every(({ took, failed }) => took.length > 0 && failed === 0) &&
      slowest(measured) <= allowed(measured),
    shows: (measured) =>
      `99 of 100 within ${ms(slowest(measured))}, ${ms(allowed(measured))} at most; ${sum(callsOf(measured).map(({ failed }) => failed))} without an answer`,
  },
  {
    name: 'audit-complete',
    says: 'Each refusal of a flood is in the audit log: as an entry, in its count, or in the entry that counts the rest',
    holds: ({ audit, refused }) => audit !== undefined && audit.told >= refused,
    shows: ({ audit, refused }) => `${audit?.told ?? 0} of ${refused}`,
  },
  {
    name: 'logins-recorded',
    says: 'The login of a newcomer beside a flood is in the audit log by name and address',
    holds: ({ audit }) => audit !== undefined && audit.recorded === audit.logins,
    shows: ({ audit }) => `${audit?.recorded ?? 0} of ${audit?.logins ?? 'unknown'}`,
  },
  {
    name: 'recording-goes-on',
    says: 'After a flood the audit log records on its own: the next refusal is in the database within five seconds',
    aboutTime: true,
    holds: ({ audit }) => audit?.goesOn !== undefined,
    shows: () => 'not within five seconds',
  },
  {
    name: 'nothing-hidden',
    says: 'No header is dropped silently: a request with too many headers is refused',
    holds: ({ tally }) => tally.hidden === 0,
    shows: ({ tally }) => `${tally.hidden} answers without a header that was sent`,
  },
  {
    name: 'nothing-told',
    says: 'No hit and no count reveals collections and members that the caller may not read',
    holds: ({ tally }) => tally.told === 0,
    shows: ({ tally }) => `${tally.told} answers with hits, where nothing is to be found`,
  },
  {
    name: 'no-fault',
    says: 'No flood makes the service answer 500 or end',
    holds: ({ tally, audit }) => audit !== undefined && (tally.statuses[500] ?? 0) === 0,
    shows: ({ tally, audit }) =>
      audit === undefined ? 'the server did not answer any more' : `${tally.statuses[500]} answers`,
  },
  {
    name: 'memory',
    says: 'A flood takes at most 384 MiB of memory more; one of long pages does with a V8 heap of at most 256 MiB',
    holds: ({ memory }) => !(memory.max - memory.before > maxMemory),
    shows: ({ memory }) => `${Math.round(memory.max - memory.before)} MiB more`,
  },
  {
    name: 'recovery',
    says: 'Ten seconds after a flood calls are as fast as before it',
    aboutTime: true,
    holds: ({ recovered }) => recovered !== undefined,
    shows: () => 'not within ten seconds',
  },
];

/** Where one request has stopped the server there was no flood, and only these say something. */
const beforeFlood: ReadonlySet<string> = new Set(['one-turn', 'others-answered', 'no-fault']);

export const brokenBy = (measured: Measured): readonly Promised[] =>
  promises.filter((promise) => !promise.holds(measured) && (measured.tally.sent > 0 || beforeFlood.has(promise.name)));

function wrongOf(measured: Measured): number {
  return sum([...callsOf(measured), measured.newcomers].map(({ wrong }) => wrong));
}
