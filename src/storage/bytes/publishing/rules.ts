import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { StoredFile } from '../../../spi/index.ts';
import { type FileUses, fileEvent, isArchived, noUses } from '../../files/rules.ts';
import { type FileRow, insertFile, type NewFile, newRow, updateFile } from '../../files/store.ts';
import type { Publication } from './store.ts';

/** `create`: a new file. `replace`: new bytes for an existing file. */
export type UploadMode = 'create' | 'replace';

/**
 * `recreate`: a new file at a path where the bytes of a deleted one still lie. Those of jobs are finished by their job,
 * so that its step ends in the same commit. `asked`: what the bytes are for is known to their request alone, so that
 * others can only undo them.
 */
export type PublicationMode = UploadMode | 'recreate' | `${'job' | 'asked'}-${'create' | 'recreate'}`;

export const isRequested = (mode: string): boolean => mode.startsWith('asked-');

/** Write mode of the storage driver for the mode of a publication. */
export const driverMode = (mode: string): 'create' | 'replace' =>
  mode === 'replace' || mode.endsWith('recreate') ? 'replace' : 'create';

/** State at the end of a publication: stored bytes, the row that has the path now, and the time. */
export interface PublishedState {
  readonly stored: StoredFile;
  readonly row: FileRow | undefined;
  readonly uses: FileUses;
  /** Id for a new row, used if no row has the path. */
  readonly newId: string;
  readonly now: number;
}

interface Settled {
  readonly work: CommitPlan;
  readonly fileId: string;
  /** The file behind the commit. */
  readonly row: FileRow;
}

/**
 * The rows and the events of bytes that have their path. A scan or a registration may have been faster with a row: then
 * the bytes are those of that row. Undefined: the file that they replace is gone.
 */
export function settlePublication(publication: Publication, state: PublishedState): Settled | undefined {
  const { row, newId } = state;
  const to = fileOf(publication, state);
  const events = [
    ...(publication.state === 'CLOSED' ? (['file/close'] as const) : []),
    ...(to.hash === null ? [] : (['file/hash'] as const)),
  ];
  if (row) {
    // Open files are expected to change, so their closing sends no `file/change`.
    const first = row.state === 'OPEN' && publication.state === 'CLOSED' ? [] : (['file/change'] as const);
    const changes = updateFile(row, to, changedMeanwhile('File', row.id));
    const work = { changes, events: tell([...first, ...events], row, state.uses) };
    return { fileId: row.id, row: { ...row, ...to, version: row.version + 1 }, work };
  }
  if (publication.mode === 'replace') return undefined;
  const newFile = { ...to, id: newId };
  const changes = [insertFile(newFile, changedMeanwhile('File', newId))];
  return {
    fileId: newId,
    row: newRow(newFile),
    work: { changes, events: tell(['file/new', ...events], newFile, noUses) },
  };
}

type EventName = Parameters<typeof fileEvent>[0];

const tell = (names: readonly EventName[], row: Pick<FileRow, 'id' | 'storageId'>, uses: FileUses) =>
  names.map((name) => fileEvent(name, row, uses));

/**
 * The hash of a file that grows would be that of a part of it. A file that goes to an archive at once is closed, too, and
 * cannot be read.
 */
function fileOf(
  { storageId, path, state, size, hash, digest }: Publication,
  { stored, now }: PublishedState,
): Omit<NewFile, 'id'> {
  const closed = state === 'CLOSED';
  const archived = closed && isArchived(stored);
  const same = stored.size === size;
  const keptHash = closed && same ? hash : null;
  return {
    storageId,
    path,
    state: archived ? 'ARCHIVED' : state,
    size: stored.size,
    modified: stored.modified ?? null,
    content: stored.version,
    identity: stored.identity ?? null,
    hash: keptHash,
    digest: keptHash === null ? null : digest,
    hashDue: closed && !archived && keptHash === null ? now : null,
    changedAt: now,
    timestamp: now,
    deleteDue: null,
  };
}
