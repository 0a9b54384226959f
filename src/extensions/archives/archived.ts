import { filesNamed, filesOfShapes, idsOf, loadShapes, shapesToRead } from '../../assets/shapes/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { Caller } from '../../security/caller.ts';
import type { FileArchive, RestoreTier, StorageDriver } from '../../spi/index.ts';
import {
  hasAllBytes,
  methodsOf,
  noSuchFile,
  type StorageDrivers,
  storageRefusal,
  unable,
} from '../../storage/public.ts';
import type { FileRow } from '../../storage/public-reading.ts';

/** Files of one restore: the archive is asked about each. */
const maxRestoreFiles = 100;
/** Files that an archive is asked about at once. */
const atOnce = 8;

export interface ArchiveParts {
  readonly store: Reader;
  readonly places: StorageDrivers;
}

/** A file of a storage that archives, as the storage has it now. */
export interface ArchivedFile {
  readonly row: FileRow;
  readonly driver: Required<Pick<StorageDriver, 'restore' | 'restoreTiers'>> & StorageDriver;
  readonly archive: FileArchive;
  /** Speeds at which it can come back, the default first. None: it can be read. */
  readonly tiers: readonly RestoreTier[];
}

/** Asks the storage of a file. Throws the refusal where it has no archive, or does not have the file. */
export async function askArchive({ store, places }: ArchiveParts, row: FileRow): Promise<ArchivedFile> {
  const { id, storageId, path } = row;
  let refusal: unknown;
  for (const method of await methodsOf(store, { id: storageId })) {
    if (method.read === 0) continue;
    try {
      const driver = await places.of(method);
      const { restore, restoreTiers } = driver;
      if (!restore || !restoreTiers) continue;
      const stored = await driver.stat(path);
      if (!stored) throw noSuchFile(id);
      const archive = stored.archive ?? { state: 'readable', storageClass: '' };
      const tiers = archive.state === 'readable' ? [] : restoreTiers(archive.storageClass);
      return { row, driver: driver as ArchivedFile['driver'], archive, tiers };
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      refusal ??= error;
    }
  }
  if (refusal !== undefined) throw storageRefusal(refusal, { storage: storageId, path });
  throw unable(storageId, 'Expected a file in an archive: no storage method here restores files');
}

export async function askAboutAll(parts: ArchiveParts, rows: readonly FileRow[]): Promise<readonly ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  for (let at = 0; at < rows.length; at += atOnce) {
    files.push(...(await Promise.all(rows.slice(at, at + atOnce).map((row) => askArchive(parts, row)))));
  }
  return files;
}

/** The archived files of an item that have no copy which can be read: of each component one. */
export async function archivedOfItem(
  { store }: ArchiveParts,
  caller: Caller,
  itemId: string,
  tags: readonly string[] | undefined,
): Promise<readonly FileRow[]> {
  const shapes = (await shapesToRead(store, caller, await loadShapes(store, itemId))).filter(
    (shape) => tags?.some((tag) => shape.tags.includes(tag)) ?? true,
  );
  const uses = await filesOfShapes(store, idsOf(shapes));
  const rows = await filesNamed(store, { ids: [...new Set(uses.map(({ fileId }) => fileId))] });
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const readable = new Set(uses.flatMap((use) => (hasAllBytes(rowById.get(use.fileId)!) ? [use.componentId] : [])));
  const chosen = new Map<string, FileRow>();
  for (const { componentId, fileId } of uses) {
    const row = rowById.get(fileId)!;
    if (row.state === 'ARCHIVED' && !readable.has(componentId) && !chosen.has(componentId))
      chosen.set(componentId, row);
  }
  const files = [...new Set(chosen.values())];
  if (files.length <= maxRestoreFiles) return files;
  const explanation = `Expected at most ${maxRestoreFiles} archived files: ${files.length}. The parameter tag chooses shapes`;
  throw new ServiceError('storage-unable', { type: 'Item', id: itemId, explanation });
}
