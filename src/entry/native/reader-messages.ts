import type { Reduced, Row, RowCount, Value } from '../../store/contract.ts';
import type { FaultKind } from '../../store/faults.ts';

export interface ReaderData {
  readonly path: string;
  readonly busyTimeout: number;
}

export type ToReader =
  | { readonly sql: string; readonly args: readonly Value[]; readonly most: RowCount | Reduced }
  | { readonly close: true };

export type FromReader =
  | { readonly rows: Row[] }
  | { readonly fault: Exclude<FaultKind, 'constraint'>; readonly explanation: string }
  | { readonly closed: true }
  | { readonly dead: string };
