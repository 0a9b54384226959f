import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Actor, CommitPlan } from '../../../core/store/contract.ts';
import type { UploadImports } from '../../contract.ts';
import { changeFile, newFile, noUses, unseenFile } from '../../files/rules.ts';
import type { FileRow } from '../../files/store.ts';
import {
  bytesOfIntervals,
  type Interval,
  type Intervals,
  readIntervals,
  withInterval,
  withoutInterval,
} from './intervals.ts';
import { type TransferRow, updateTransfer } from './store.ts';

export const noSuchTransfer = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Transfer', id: id.slice(0, 80) });

export const badHeader = (name: string, explanation: string, value: string): ServiceError =>
  new ServiceError('bad-header', { context: `header ${name}`, explanation, value: value.slice(0, 80) });

export const partConflict = (id: string, explanation: string): ServiceError =>
  new ServiceError('part-conflict', { type: 'Transfer', id, explanation });

/** More gaps than any sender leaves: each commit writes all of them. */
const maxIntervals = 10_000;

/** JSON values of a transfer beside its columns, depending on the protocol of the upload. */
export interface TransferRest {
  /** State of the file after the upload. */
  readonly state: string;
  /** The header Upload-Metadata of a tus client. */
  readonly metadata?: string;
  /** Import that begins in the commit in which the file is whole, as JSON. */
  readonly wish?: string | undefined;
}

export const transferRest = ({ rest }: TransferRow): TransferRest => JSON.parse(rest) as TransferRest;

/** Extends the last commit of an upload by the import that its caller asked for. */
export function alsoImports(
  imports: UploadImports,
  row: TransferRow | undefined,
  actor: Actor,
): { readonly also?: { plan(fileId: string): Promise<CommitPlan> } } {
  const wish = row && transferRest(row).wish;
  if (!row || wish === undefined) return {};
  return { also: { plan: (fileId) => imports.start({ owner: row.owner, actor, wish, fileId }) } };
}

/** Target of the bytes. Together with the owner and the client's name it identifies the transfer. */
export const transferTarget = ({
  storageId,
  path,
  file,
}: Pick<FileRow, 'storageId' | 'path'> & { file: FileRow | undefined }) =>
  file ? `file ${file.id}` : `new ${storageId} ${path}`;

/** The file that an upload will close: callers see it from its first part on. */
export const openTransferFile = (row: TransferRow, fileId: string, now: number, taken: ServiceError): CommitPlan =>
  newFile(unseenFile({ id: fileId, storageId: row.storageId, path: row.path }, now), taken);

/** Bytes of a part that has to lie within the file. */
export function partInterval(index: number, length: number | undefined, size: number): Interval {
  const end = length === undefined ? size : index + length;
  if (index > size || end > size) {
    throw badHeader(
      'index',
      `Expected a part within ${size} bytes`,
      `${index}${length === undefined ? '' : `+${length}`}`,
    );
  }
  return [index, end];
}

export function requireSize({ id, size }: TransferRow, announced: number): void {
  if (announced === size) return;
  throw badHeader('size', `Expected the size of the first part of ${id}, ${size}`, String(announced));
}

/** A transfer with more bytes, or without some that turned out to be wrong. */
export function advanceTransfer(
  row: TransferRow,
  change: { add?: Interval; remove?: readonly Interval[] },
  now: number,
): CommitPlan {
  requireOpen(row);
  const before = readIntervals(row.ranges);
  const added: Intervals = change.add ? withInterval(before, change.add) : before;
  const intervals = (change.remove ?? []).reduce(withoutInterval, added);
  if (intervals.length > maxIntervals)
    throw partConflict(row.id, `Expected parts that leave at most ${maxIntervals} gaps`);
  const to = { ranges: JSON.stringify(intervals), received: bytesOfIntervals(intervals) };
  return { changes: updateTransfer(row, to, now, changedMeanwhile('Transfer', row.id)), events: [] };
}

export function requireOpen({ id, state }: TransferRow): void {
  if (state === 'TRANSFERRING') return;
  if (state !== 'WAITING') throw partConflict(id, `Expected an upload that is open: ${state}`);
  const explanation = 'Expected an upload that is open: its bytes are all there, and get their path';
  throw new ServiceError('busy', { type: 'Transfer', id, explanation }, { 'retry-after': '5' });
}

export const isCompleteTransfer = ({ state, received, size }: TransferRow): boolean =>
  state === 'TRANSFERRING' && received === size;

/** Ends a transfer without its file. A file that was made for it and never had bytes goes, too. */
export function abort(
  row: TransferRow,
  file: FileRow | undefined,
  now: number,
  state: 'ABORTED' | 'FAILED' = 'ABORTED',
): CommitPlan {
  const changes = updateTransfer(row, { state }, now, changedMeanwhile('Transfer', row.id));
  if (row.mode !== 'create' || file?.state !== 'OPEN' || file.content !== null) return { changes, events: [] };
  const work = changeFile(file, { state: 'TO_BE_DELETED', deleteDue: now, timestamp: now }, noUses);
  return { changes: [...changes, ...work.changes], events: work.events };
}
