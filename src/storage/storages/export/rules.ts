import { badValue } from '../../../core/documents/bad-value.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { StorageImport } from '../../documents/storage.ts';
import { newFile, unseenFile } from '../../files/states.ts';

type Entry = NonNullable<StorageImport['file']>[number];

const place = '/StorageImportDocument/file/path';
const longest = 4000;

/** Entries of files that this service does not have. */
export function newEntries(document: StorageImport, known: ReadonlySet<string>): readonly Entry[] {
  const entries = (document.file ?? []).filter(({ fileId }) => !known.has(fileId));
  for (const { path, size } of entries) {
    checkPath(path);
    if (size !== undefined && size < 0)
      throw badValue('/StorageImportDocument/file/size', 'a whole number', String(size));
  }
  return entries;
}

/** A path has one spelling, and none leads out of the storage. */
function checkPath(path: string): void {
  const odd = path.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (odd || path.length > longest || /[\0-\x1f\x7f]/.test(path)) {
    throw badValue(place, 'a relative path without empty parts, "." and ".."', path);
  }
}

/** The files of a new storage. They are OPEN until a scan has seen their bytes. */
export function importFiles(
  storageId: string,
  entries: readonly (Entry & { readonly id: string })[],
  now: number,
): CommitPlan {
  const works = entries.map(({ id, path, size = null }) =>
    newFile(unseenFile({ id, storageId, path, size }, now), badValue(place, 'each path once', path)),
  );
  return { changes: works.flatMap(({ changes }) => changes), events: works.flatMap(({ events }) => events) };
}
