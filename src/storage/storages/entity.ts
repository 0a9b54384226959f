import { changing } from '../../core/store/commit-plan.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { role } from '../../http/route.ts';
import { entityNamed, noSuchEntity, pathEntity } from '../../room/entities/find.ts';
import type { KeyValueResource } from '../../room/entities/key-values/routes.ts';
import { type EntityPath, type EntityResource, entityAt } from '../../room/entities/place.ts';
import type { Entity, EntityKind } from '../../room/entity.ts';
import { findStorageGroup, groupMustExist, storageGroupsNamed } from './groups-sql.ts';
import { metadataFits, noSuchMethod } from './methods/rules.ts';
import { methodMustExist } from './methods/store.ts';
import { findStorage, type MethodRow, methodsOf, type StorageRow, storageThere } from './store.ts';

/** The kinds of entities of storages, and who may do what with them. */

export const storageKind = (reader: Reader): EntityKind<StorageRow> => ({
  type: 'storage',
  noun: 'Storage',
  find: (id) => findStorage(reader, { id }),
  mustExist: (id, refusal) => storageThere({ id }, refusal),
});

/** Kind of storage groups. The name is the id. */
export const storageGroupKind = (reader: Reader): EntityKind => ({
  type: 'storage-group',
  noun: 'storage-group',
  async find(name) {
    return (await findStorageGroup(reader, { name })) && { id: name };
  },
  mustExist: groupMustExist,
});

export const readStorages = role('_storage_read');
export const writeStorages = role('_storage_write');
export const readGroup = role('_storage_group_read');
export const writeGroup = role('_storage_group_write');

const storages: EntityPath = { path: '/storage/:storage', read: readStorages, write: writeStorages, acting: 'allowed' };
const groups: EntityPath = {
  path: '/storage/storage-group/:group',
  read: readGroup,
  write: writeGroup,
  acting: 'allowed',
};

export const storageResource = (reader: Reader): EntityResource<StorageRow> =>
  entityAt(reader, storageKind(reader), storages);

export const storageGroupResource = (reader: Reader): EntityResource<Entity> =>
  entityAt(reader, storageGroupKind(reader), groups);

/** Methods are found below their storage. All of them together have a tenth of the metadata that one entity may have. */
export const methodResource = (reader: Reader, maxMetadataBytes: number): KeyValueResource<MethodRow> => ({
  ...storages,
  path: '/storage/:storage/method/:method',
  kind: { type: 'storage-method', noun: 'storage-method' },
  entities: () => ({ storage: storageAt(reader), method: methodAt(reader) as PathEntity }),
  changed: ({ storageId }, changes) => changing(...changes, metadataFits(storageId, maxMetadataBytes)),
});

/** A method of the storage in the path. */
const methodAt = (reader: Reader): PathEntity<MethodRow, { readonly storage: StorageRow }> => ({
  kind: 'storage-method',
  async find(method, _caller, { storage: { id } }) {
    const row = (await methodsOf(reader, { id })).find((each) => each.id === method);
    if (row) return row;
    throw noSuchMethod(method);
  },
  stays: ({ id }) => methodMustExist(id, noSuchMethod(id)),
});

/** Storages in paths, by id or external id. */
export const storageAt = (reader: Reader) => pathEntity(reader, storageKind(reader));

/** The storage that a path names, by its id or by an external id; 404 where there is none. */
export const storageNamed = (reader: Reader, name: string): Promise<StorageRow> =>
  entityNamed(reader, storageKind(reader), name);

/** Names of groups, all of which are there. Throws 404. */
export async function knownGroups(reader: Reader, names: readonly string[]): Promise<readonly string[]> {
  const groupNames = new Set((await storageGroupsNamed(reader, { names })).map(({ name }) => name));
  const missing = names.find((name) => !groupNames.has(name));
  if (missing !== undefined) throw noSuchEntity({ noun: 'storage-group' }, missing);
  return names;
}
