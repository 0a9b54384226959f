import { groupBy } from '../../core/lib/group-by.ts';
import { inSlices } from '../../core/lib/in-slices.ts';
import type { Reader } from '../../core/store/statement.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { LoadedStorage } from './documents.ts';
import { storageNamed } from './kinds.ts';
import { noSuchStorage } from './rules.ts';
import { methodsOfAll, storagesWith, usageOf } from './store.ts';

/** Storages with all that their documents tell, in the order of the ids. One that is gone meanwhile is left out. */
export const loadStorages = (reader: Reader, ids: readonly string[]): Promise<readonly LoadedStorage[]> =>
  inSlices(ids, (slice) => loadSlice(reader, slice));

async function loadSlice(reader: Reader, ids: readonly string[]): Promise<readonly LoadedStorage[]> {
  const values = { ids };
  const [storages, methods, used, metadata] = await Promise.all([
    storagesWith(reader, values),
    methodsOfAll(reader, values),
    usageOf(reader, values),
    keyValuesOf(reader, 'storage', ids),
  ]);
  const rows = new Map(storages.map((row) => [row.id, row]));
  const usage = new Map(used.map(({ id, bytes }) => [id, bytes]));
  const methodIds = methods.map(({ id }) => id);
  const methodMetadata = await keyValuesOf(reader, 'storage-method', methodIds);
  const byStorage = groupBy(methods, ({ storageId }) => storageId);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    return [
      {
        row,
        methods: byStorage.get(id) ?? [],
        used: usage.get(id) ?? 0,
        metadata: metadata.get(id) ?? [],
        methodMetadata,
      },
    ];
  });
}

/** The storage with this id or external id. 404 if there is none. */
export async function loadStorage(reader: Reader, name: string): Promise<LoadedStorage> {
  const { id } = await storageNamed(reader, name);
  const [loaded] = await loadStorages(reader, [id]);
  if (loaded) return loaded;
  throw noSuchStorage(id);
}
