import { entityNamed } from '../../entities/find.ts';
import { role } from '../../http/route.ts';
import type { EntityKind } from '../../room/entity.ts';
import type { Reader } from '../../store/statement.ts';
import { findStorage, type StorageRow, storageThere } from '../storages/store.ts';
import { type FileRow, fileThere, findLiveFile } from './store.ts';

export const read = role('_file_read');
export const write = role('_file_write');

/** A file of a storage that callers see. */
export const fileKind = (reader: Reader): EntityKind<FileRow> => ({
  type: 'file',
  noun: 'File',
  find: (id) => findLiveFile(reader, { id }),
  mustExist: (id, refusal) => fileThere({ id }, refusal),
});

/** The storage that a path or a parameter names, by its id or by an external id; 404 where there is none. */
export const storageNamed = (reader: Reader, name: string): Promise<StorageRow> =>
  entityNamed(reader, storageKind(reader), name);

const storageKind = (reader: Reader): EntityKind<StorageRow> => ({
  type: 'storage',
  noun: 'Storage',
  find: (id) => findStorage(reader, { id }),
  mustExist: (id, refusal) => storageThere({ id }, refusal),
});
