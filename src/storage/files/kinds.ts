import type { Reader } from '../../core/store/statement.ts';
import { role } from '../../http/route.ts';
import type { EntityKind } from '../../room/entity.ts';
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
