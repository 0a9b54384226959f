import type { ErrorCode, ErrorDetail } from '../../core/lib/errors.ts';
import type { Reduced, Row, RowCount, SqlValue } from '../../core/store/contract.ts';
import type { Fault } from '../../core/store/faults.ts';

export interface ReaderData {
  readonly path: string;
  readonly busyTimeout: number;
}

/** Milliseconds. An interrupt misses a statement that is about to begin, so it is repeated until there is an answer. */
export const interruptAgain = 20;

export type ToReader =
  /** Comes first, and tells whether readings will follow. */
  | { readonly prepare: boolean }
  | {
      readonly sql: string;
      readonly args: readonly SqlValue[];
      readonly max: RowCount | Reduced;
      readonly milliseconds: number;
    }
  | { readonly reading: string; readonly given: unknown; readonly milliseconds: number }
  /** Ends the query: the caller has been answered. */
  | { readonly interrupt: true }
  | { readonly close: true };

/** A `ServiceError`, as data. */
export interface Refused {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;
  readonly headers: Record<string, string>;
}

export type FromReader =
  | { readonly rows: Row[] }
  | { readonly made: unknown }
  | { readonly refused: Refused }
  /** A reading has a bug. */
  | { readonly broken: string }
  | Fault
  | { readonly closed: true }
  | { readonly dead: string };
