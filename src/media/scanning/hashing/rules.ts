import { changedMeanwhile } from '../../../lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../store/contract.ts';
import { type FileUses, fileEvent } from '../../files/states.ts';
import { type FileRow, updateFile } from '../../files/store.ts';
import type { Hashed } from './hash.ts';

/** States of files whose bytes rest. */
const resting: ReadonlySet<string> = new Set(['CLOSED', 'BEING_READ']);

export const mayBeHashed = ({ state }: Pick<FileRow, 'state'>): boolean => resting.has(state);

/** Whether size and time of the row are those of the hashed file. Otherwise a scan must read it first. */
export const isAsKnown = ({ size, modified }: FileRow, { file }: Hashed): boolean =>
  (size === null || size === file.size) &&
  (modified === null || file.modified === undefined || modified === file.modified);

/** Sets the hash of a file. Without a change of the hash no event is sent. */
export function setHash(row: FileRow, { file, hash }: Hashed, uses: FileUses, now: number): CommitPlan {
  const facts = { content: file.version, identity: file.identity ?? null, size: file.size };
  const modified = file.modified ?? row.modified;
  const to = { ...facts, modified, hash, hashDue: null, ...(row.hash !== hash && { timestamp: now }) };
  const changed = row.hash !== null && row.hash !== hash;
  return {
    changes: updateFile(row, to, changedMeanwhile('File', row.id)),
    events: [
      ...(changed ? [fileEvent('file/change', row, uses)] : []),
      ...(row.hash === hash ? [] : [fileEvent('file/hash', row, uses)]),
    ],
  };
}
