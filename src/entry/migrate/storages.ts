import type { StorageGroupListDocument, StorageListDocument, StorageMethodType, StorageType } from '../../types.ts';
import { carry, type Migration, type StorageLine, withOldId } from './carry.ts';
import { entriesOf, many } from './original.ts';
import { at } from './places.ts';
import { addressesOf } from './table.ts';

export const storagesOf = ({ original, report }: Migration): AsyncGenerator<StorageType> =>
  entriesOf<StorageType>({
    size: 500,
    idOf: ({ id = '' }) => id,
    broken: (position, error) => report.unread('storage', position, error),
    async read(page) {
      const list = await original.api.read<StorageListDocument & { readonly hits?: number }>(
        original.pagePath(at`/storage`, page),
      );
      return { hits: list.hits, entries: many(list.storage) };
    },
  });

export const storageGroupsOf = async ({ original }: Migration) =>
  many((await original.api.find<StorageGroupListDocument>(at`/storage/storage-group/`))?.group);

/** Where the files of a storage go. Without a table, they stay at the address that the storage has. */
export function lineOf({ options }: Migration, storage: StorageType): StorageLine {
  const line = options.storages.get(storage.id ?? '');
  if (line) return line;
  return { to: options.storages.size > 0 ? '' : (addressesOf(storage)[0] ?? ''), copies: false };
}

/** Id of a storage, and no address. */
const isId = (text: string): boolean => !text.includes(':') && !text.includes('/');

/** Storages of the table, and groups of storages. */
export async function carryStorages(migration: Migration): Promise<void> {
  const { target, options, report, journal } = migration;
  await carry<StorageType>(migration, {
    kind: 'storage',
    entries: withLines(migration),
    idOf: ({ id = '' }) => id,
    partsOf(storage) {
      const line = lineOf(migration, storage);
      if (isId(line.to)) return { line };
      const { type, capacity, lowWatermarkPercentage, highWatermarkPercentage, scanInterval, metadata, priority } =
        storage;
      // Until the day of the change, two services see the same bytes: only one of them writes.
      const writes =
        line.copies || (options.isFinal && many(storage.method).some(({ write }) => String(write) === 'true'));
      const method: StorageMethodType = { uri: line.to, read: true, write: writes, browse: true };
      const own = { type: type ?? 'LOCAL', capacity, lowWatermarkPercentage, highWatermarkPercentage, scanInterval };
      return { line, own: { ...own, metadata, priority, method: [method] } };
    },
    async put({ id: old = '' }, { parts, id: current }) {
      const { to } = parts['line'] as StorageLine;
      const own = parts['own'] as StorageType | undefined;
      const id = await withOldId(migration, at`/storage`, old, {
        alike: async () =>
          own ? await storageAt(migration, to) : (await target.read<StorageType>(at`/storage/${to}`)).id,
        make: async () => (await target.write<StorageType>('POST', at`/storage`, own)).id!,
      });
      if (own && current !== undefined) await target.write('PUT', at`/storage/${id}`, own);
      return id;
    },
  });
  await carry(migration, {
    kind: 'storage-group',
    entries: await storageGroupsOf(migration),
    idOf: ({ name = '' }) => name,
    partsOf: ({ storage }) => {
      const ids = many(storage).flatMap(({ id = '' }) => journal.find('storage', id)?.id ?? []);
      return { own: true, ...Object.fromEntries(ids.map((id) => [`storage/${id}`, id])) };
    },
    async put({ name = '' }, { changed, gone }) {
      const path = at`/storage/storage-group/${name}`;
      if (changed.has('own')) await target.write('PUT', path);
      for (const key of changed)
        if (key !== 'own') await target.write('PUT', at`${path}/${key.slice('storage/'.length)}`);
      for (const key of gone) await target.write('DELETE', at`${path}/${key.slice('storage/'.length)}`);
      return name;
    },
  });

  async function* withLines(of: Migration): AsyncGenerator<StorageType> {
    for await (const storage of storagesOf(of)) {
      if (lineOf(of, storage).to !== '') yield storage;
      else report.remark('Storages without an address here: their files do not come', storage.id ?? '');
    }
  }
}

/** Storage here with an address: one that a killed run has made, or that was there before. */
async function storageAt({ target }: Migration, uri: string): Promise<string | undefined> {
  const { storage } = await target.read<StorageListDocument>(at`/storage?url=${uri}`);
  return many(storage)[0]?.id;
}
