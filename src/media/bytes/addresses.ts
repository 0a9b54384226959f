import type { Params } from '../../http/route.ts';
import type { Store } from '../../store/store.ts';
import { type FileRow, findFile } from '../files/store.ts';
import { findStorage } from '../storages/store.ts';
import { noSuchFile } from './refusals.ts';

/** Where single files are in the API. */
export interface FileAddresses {
  /** The paths of a file: what is asked of it follows them. */
  readonly paths: readonly string[];
  /** The file that the parameters of such a path name. Throws 404. */
  fileOf(params: Params): Promise<FileRow>;
}

/** By id, with or without the storage. */
export function fileAddresses(store: Store): FileAddresses {
  return {
    paths: ['/file/:file', '/storage/file/:file', '/storage/:storage/file/:file'],
    async fileOf({ file: id = '', storage }) {
      const row = await findFile(store, { id });
      const fits = row && (storage === undefined || storage === row.storageId);
      if (fits && (await findStorage(store, { id: row.storageId }))) return row;
      throw noSuchFile(id);
    },
  };
}
