import type { StorageGroupDocument, StorageListDocument, StorageMethodType, StorageType } from '../../types.ts';
import { carry, listIfTold, type Migration, putPairs, type StorageLine, withOldId } from './carry.ts';
import { entriesOf, many } from './original.ts';
import { at } from './places.ts';
import { addressesOf } from './table.ts';

export const storagesOf = ({ original, report }: Migration): AsyncGenerator<StorageType> =>
  entriesOf<StorageType>({
    size: 500,
    idOf: ({ id = '' }) => id,
    broken: (position, error) => report.unread('storage', position, error),
    short: (expected, found) => report.short('storage', expected, found),
    async read(page) {
      return original.list<StorageType>(original.pagePath(at`/storage`, page), 'storage');
    },
  });

export async function storageGroupsOf(migration: Migration): Promise<readonly StorageGroupDocument[]> {
  const path = at`/storage/storage-group/`;
  return (await listIfTold<StorageGroupDocument>(migration, 'groups of storages', path.text, path, 'group')) ?? [];
}

/** Where the files of a storage go. Without a table, they stay at the address that the storage has. */
export function lineOf({ options }: Migration, storage: StorageType): StorageLine {
  const line = options.storages.get(storage.id ?? '');
  if (line) return line;
  return { to: options.storages.size > 0 ? '' : (addressesOf(storage)[0] ?? ''), copies: false };
}

/** Members of a storage that each service finds out by itself. */
const foundOut = ['id', 'loc', 'name', 'state', 'freeCapacity', 'timestamp', 'lowWatermark', 'highWatermark', 'method'];
const brought = ['type', 'capacity', 'lowWatermarkPercentage', 'highWatermarkPercentage', 'scanInterval', 'metadata'];

/** Remarks on members of a storage that do not come. */
function tellLost({ report }: Migration, { id = '', ...storage }: StorageType, rest: object): void {
  for (const [name, value] of Object.entries(rest))
    if (value != null && value !== '' && ![...foundOut, ...brought].includes(name))
      report.remark(`Members of storages that do not come: "${name}"`, id);
  const methods = many(storage.method).filter(({ type }) => type !== 'AUTO');
  if (methods.length > 1) report.remark('Storages have one method here: their further ones do not come', id);
}

/** Id of a storage, and no address. */
const isId = (text: string): boolean => !text.includes(':') && !text.includes('/');

/** Storages of the table, and groups of storages. */
export async function carryStorages(migration: Migration): Promise<void> {
  const { original, target, options, report, journal } = migration;
  await carry<StorageType>(migration, {
    kind: 'storage',
    entries: withLines(migration),
    idOf: ({ id = '' }) => id,
    partsOf(storage) {
      const line = lineOf(migration, storage);
      if (isId(line.to)) return { line };
      const { type, capacity, lowWatermarkPercentage, highWatermarkPercentage, scanInterval, metadata } = storage;
      const { priority, autoDetect, showImportables, bandwidth, sequence, sequenceTimeout, ...rest } = storage;
      tellLost(migration, storage, rest);
      // Until the day of the change, two services see the same bytes: only one of them writes.
      const writes =
        line.copies || (options.isFinal && many(storage.method).some(({ write }) => String(write) === 'true'));
      const method: StorageMethodType = { uri: line.to, read: true, write: writes, browse: true };
      const own = { type: type ?? 'LOCAL', capacity, lowWatermarkPercentage, highWatermarkPercentage, scanInterval };
      const more = { metadata, priority, autoDetect, showImportables, bandwidth, sequence, sequenceTimeout };
      return { line, own: { ...own, ...more, method: [method] } };
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
    async partsOf({ name = '', storage }) {
      const ids = many(storage).flatMap(({ id = '' }) => journal.find('storage', id)?.id ?? []);
      // Lists have the storages alone.
      const group = await original.api.find<StorageGroupDocument>(at`/storage/storage-group/${name}`);
      const data = many(group?.data).map(({ key, value }) => [`data/${key}`, value ?? ''] as const);
      return { own: true, ...Object.fromEntries([...ids.map((id) => [`storage/${id}`, id]), ...data]) };
    },
    async put({ name = '' }, { parts, changed, gone }) {
      const path = at`/storage/storage-group/${name}`;
      if (changed.has('own')) await target.write('PUT', path);
      for (const [keys, method] of [[changed, 'PUT'] as const, [gone, 'DELETE'] as const])
        for (const key of [...keys].filter((each) => each.startsWith('storage/')))
          await target.write(method, at`${path}/${key.slice('storage/'.length)}`);
      await putPairs(migration, path, 'data/', { parts, changed, gone });
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
