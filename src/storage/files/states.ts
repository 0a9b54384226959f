import type { Happening } from '../../core/events/define.ts';
import type { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { happened } from '../events.ts';
import { type FileRow, insertFile, type NewFile, updateFile } from './store.ts';

/** States of a file. */
export const fileStates = [
  'NONE',
  'OPEN',
  'CLOSED',
  'UNKNOWN',
  'MISSING',
  'LOST',
  'TO_APPEAR',
  'TO_BE_DELETED',
  'BEING_READ',
  'ARCHIVED',
  'AWAITING_SYNC',
] as const;
export type FileStateName = (typeof fileStates)[number];

/** Whether all bytes are there and no job writes them. */
export const hasAllBytes = ({ state }: Pick<FileRow, 'state'>): boolean => state === 'CLOSED' || state === 'BEING_READ';

/** Users of a file, as in its events. */
export interface FileUses {
  readonly shapeId: readonly string[];
  readonly itemId: readonly string[];
}

export const noUses: FileUses = { shapeId: [], itemId: [] };

type FileEvent = 'file/new' | 'file/change' | 'file/close' | 'file/delete' | 'file/hash';

export const fileEvent = (
  name: FileEvent,
  row: Pick<FileRow, 'id' | 'storageId'>,
  uses: FileUses = noUses,
): Happening =>
  happened(name, row.id, {
    fileId: row.id,
    storageId: row.storageId,
    ...(uses.shapeId.length > 0 && { shapeId: uses.shapeId }),
    ...(uses.itemId.length > 0 && { itemId: uses.itemId }),
  });

type Unseen = Pick<NewFile, 'id' | 'storageId' | 'path'> & Partial<Pick<NewFile, 'state' | 'size'>>;

/** Row of a file whose bytes have not been seen yet. */
export const unseenFile = ({ id, storageId, path, state = 'OPEN', size = null }: Unseen, now: number): NewFile => ({
  id,
  storageId,
  path,
  state,
  size,
  modified: null,
  content: null,
  identity: null,
  hash: null,
  hashDue: null,
  changedAt: now,
  timestamp: now,
  deleteDue: null,
});

/** A new file with its event. */
export const newFile = (row: NewFile, pathTaken: ServiceError): CommitPlan => ({
  changes: [insertFile(row, pathTaken)],
  events: [fileEvent('file/new', row)],
});

/** Pairs of states between which a file goes without an event: a job reads it, or a first scan did not find it. */
const silent = new Set(['CLOSED>BEING_READ', 'BEING_READ>CLOSED', 'CLOSED>MISSING', 'OPEN>MISSING']);

/** Event of a change of state. Undefined: none. */
function eventOf(from: string, to: string): FileEvent | undefined {
  if (from === to || silent.has(`${from}>${to}`)) return undefined;
  return to === 'CLOSED' && from !== 'MISSING' && from !== 'LOST' ? 'file/close' : 'file/change';
}

/** A file as it is to be, with the event of its change of state. It holds only where the file is still the one that was read. */
export function changeFile(row: FileRow, to: Partial<NewFile>, uses: FileUses): CommitPlan {
  const event = eventOf(row.state, to.state ?? row.state);
  return {
    changes: updateFile(row, to, changedMeanwhile('File', row.id)),
    events: event === undefined ? [] : [fileEvent(event, row, uses)],
  };
}
