import type { AuditLogEntryType, ErrorLogType, ExplanationDocument, SelfTestDocument, WorkType } from 'portico/types';
import type { Query } from '../../match.ts';
import type { Tone } from '../jobs/jobs.ts';

const testTones: Readonly<Record<SelfTestDocument['status'], Tone>> = { ok: 'good', warning: 'warn', failed: 'bad' };
export const testTone = (status: SelfTestDocument['status']): Tone => testTones[status];

type WorkWord = 'failing' | 'late' | 'running' | 'waiting' | 'idle';
/** Milliseconds: work that waits longer is late. */
const patience = 60_000;

const isBefore = (time: string | undefined, limit: number): boolean => time !== undefined && Date.parse(time) < limit;

/** State of a kind of work in a word: the worst thing that is true of it. */
function workWord({ waiting = 0, oldest, leased, running = 0, due, ...work }: WorkType, now: number): WorkWord {
  const atWork = leased ?? running;
  if (isBefore(work.lastFailure, now) && !isBefore(work.lastFailure, now - 60 * patience)) return 'failing';
  if (waiting > 0 && isBefore(oldest, now - patience)) return 'late';
  if (atWork > 0) return 'running';
  if (isBefore(due, now - patience)) return 'late';
  return waiting > 0 ? 'waiting' : 'idle';
}

const order: readonly WorkWord[] = ['failing', 'late', 'running', 'waiting', 'idle'];
const workTones: Readonly<Record<WorkWord, Tone>> = {
  failing: 'bad',
  late: 'warn',
  running: 'live',
  waiting: undefined,
  idle: undefined,
};
export const workTone = (word: WorkWord): Tone => workTones[word];

/** Rows of work by their state: the ones that hold things up stand first. */
export const workRows = (work: readonly WorkType[], now: number) =>
  work
    .map((each) => ({ ...each, word: workWord(each, now) }))
    .sort((one, other) => order.indexOf(one.word) - order.indexOf(other.word));

/** Page of the entity that an error is about. */
export const pathOfError = ({ type, entityId }: ErrorLogType): string | undefined =>
  entityId && (type === 'JOB' || type === 'STORAGE') ? `/${type.toLowerCase()}/${entityId}` : undefined;

export const statusTone = (status: number): Tone => (status < 400 ? undefined : status < 500 ? 'warn' : 'bad');

export const targetOf = ({ path, matrixParameters, queryParameters }: AuditLogEntryType): string =>
  [path, matrixParameters && `;${matrixParameters}`, queryParameters && `?${queryParameters}`].filter(Boolean).join('');

export const logRows = 50;

/** The filter of the audit log, as the address of the page has it. A time in a field is one of this place. */
export function logQuery({ user, method, path, refused, since, until, page = '1' }: Query) {
  const time = (text: string | undefined) =>
    text && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined;
  return {
    username: user,
    method,
    path,
    refused: refused === 'true' || undefined,
    starttime: time(since),
    endtime: time(until),
    first: (Math.max(1, Number(page) || 1) - 1) * logRows,
  };
}

/** Outcome of an explained request: the pipeline refuses it, its user lacks the role, or it goes through. */
export const outcomeOf = ({ granted, route, allowed, entity }: ExplanationDocument) =>
  !granted ? 'refused' : route === undefined ? 'lost' : entity ? 'notYours' : allowed ? 'open' : 'closed';
