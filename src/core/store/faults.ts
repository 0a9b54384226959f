import { ServiceError } from '../lib/errors.ts';
import type { GuardRefusal } from './contract.ts';

/** Effect of a driver's error on its transaction. */
type FaultKind = 'constraint' | 'busy' | 'bad-sql' | 'unavailable';

/** SQLite result codes by prefix, the most specific first. Other codes concern the whole database. */
const kinds: readonly (readonly [prefix: string, kind: FaultKind])[] = [
  ['SQLITE_CONSTRAINT', 'constraint'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  // The server revoked the lock and rolled the transaction back.
  ['TRANSACTION_', 'busy'],
  ['SQLITE_ERROR', 'bad-sql'],
  // Code of libsql-server for SQLITE_ERROR.
  ['SQLITE_UNKNOWN', 'bad-sql'],
  ['SQLITE_MISMATCH', 'bad-sql'],
  ['SQLITE_RANGE', 'bad-sql'],
  ['SQLITE_TOOBIG', 'bad-sql'],
  ['SQL_', 'bad-sql'],
  ['ARGS_', 'bad-sql'],
];

export function databaseCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

export function kindOfFault(error: unknown): FaultKind {
  const code = databaseCode(error);
  return kinds.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'unavailable';
}

export interface Fault {
  readonly fault: Exclude<FaultKind, 'constraint'>;
  readonly explanation: string;
}

/** For reads, which break no constraint. */
export function faultOf(error: unknown): Fault {
  const kind = kindOfFault(error);
  return { fault: kind === 'constraint' ? 'unavailable' : kind, explanation: messageOf(error) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const codes = { busy: 'busy', 'bad-sql': 'internal', unavailable: 'store-unavailable' } as const;

/** The refusal that a caller gets for a fault which is not about a constraint. */
export function refusalOf(kind: Exclude<FaultKind, 'constraint'>, explanation: string): ServiceError {
  const retryAfter = kind === 'bad-sql' ? {} : { 'Retry-After': kind === 'busy' ? '1' : '2' };
  return new ServiceError(codes[kind], { explanation }, retryAfter);
}

/** Whether the database failed: the same may succeed later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'busy' || error.code === 'store-unavailable');

/** The change was made, but the rows that it returns were lost with the answer. */
export class AnswerLost extends ServiceError {
  constructor() {
    super('store-unavailable', { explanation: 'The change was made, but its answer was lost' });
    this.name = 'AnswerLost';
  }
}

export const refusalError = (refusal: GuardRefusal | undefined): ServiceError | undefined =>
  typeof refusal === 'function' ? refusal() : refusal;

/** Why the service cannot start with this database, for the person who starts it. */
export class StoreStartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreStartError';
  }
}
