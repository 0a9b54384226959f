import type { Happening } from '../../core/events/event-kinds.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { badParameter } from '../../http/parameters/index.ts';
import type { StoredFile } from '../../spi/index.ts';
import { storageEvent } from '../events.ts';
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

/** Whether an archive has the bytes, which cannot be read before they are restored. */
export const isArchived = ({ archive }: Pick<StoredFile, 'archive'>): boolean =>
  archive?.state === 'archived' || archive?.state === 'restoring';

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
  storageEvent(name, row.id, {
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
  digest: null,
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

export const noSuchFile = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'File', id: name.slice(0, 80) });

interface TakenPath {
  readonly storageId: string;
  readonly path: string;
  /** Undefined: no row knows the file. */
  readonly fileId?: string;
}

/** Error for a taken path, with the id of the existing file: clients continue with that file. */
export const fileTaken = ({ storageId, path, fileId }: TakenPath): ServiceError =>
  new ServiceError('file-exists', {
    type: 'File',
    storageId,
    path,
    ...(fileId !== undefined && { id: fileId, fileId }),
    explanation: 'Expected a path that no file has',
  });

export const pathTaken = ({ id, ...place }: { readonly id: string } & TakenPath): ServiceError =>
  fileTaken({ ...place, fileId: id });

/** Error for a request that needs the bytes of an archived file. */
export const archivedFile = (id: string): ServiceError =>
  new ServiceError('file-archived', {
    type: 'File',
    id,
    explanation: `Expected a file that can be read: it is archived. PUT /file/${id}/restore?expirationInDays=3 asks for it`,
  });

/** Error for a request that the storage cannot fulfil. */
export const unable = (storageId: string, explanation: string): ServiceError =>
  new ServiceError('storage-unable', { context: 'storage', id: storageId, explanation });

export const isTaken = (error: unknown): boolean => error instanceof ServiceError && error.code === 'file-exists';

/** The algorithm whose hash a file has in its document. Others are key-value metadata. */
export const defaultAlgorithm = 'SHA-1';

/** Hexadecimal digits of a hash. */
const digits: ReadonlyMap<string, number> = new Map([
  ['SHA-1', 40],
  ['SHA-256', 64],
  ['SHA-384', 96],
  ['SHA-512', 128],
  ['MD5', 32],
]);

/** `sha1` is `SHA-1`, too. */
export function algorithmFrom(text: string): string {
  const name = text.toUpperCase().replace(/^SHA(?=\d)/, 'SHA-');
  if (digits.has(name)) return name;
  throw badParameter('algorithm', `Expected one of ${[...digits.keys()].join(', ')}`, text);
}

/** In lower case. */
export function hashFrom(text: string, algorithm: string, parameter: string): string {
  const length = digits.get(algorithm);
  if (text.length === length && /^[\da-f]+$/i.test(text)) return text.toLowerCase();
  throw badParameter(parameter, `Expected ${length} hexadecimal digits for ${algorithm}`, text);
}

/** The key of the metadata that has the hash of another algorithm. */
export const hashKey = (algorithm: string): string => `hash_${algorithm}`;
