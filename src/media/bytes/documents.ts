import type { File } from '../documents/file.ts';
import type { Transfer } from '../documents/transfer.ts';
import type { FileRow } from '../files/store.ts';
import type { MethodRow } from '../storages/store.ts';
import type { TransferRow } from './transfers/store.ts';

/** A file with its addresses: one for each method that everybody may read with. */
export function fileDocumentOf(row: FileRow, methods: readonly MethodRow[]): File {
  const { id, path, state, size, hash, timestamp, storageId } = row;
  const uri = methods.filter(({ read, type }) => read === 1 && (type === '' || type === 'NONE'));
  return {
    id,
    path,
    uri: uri.map((method) => addressOf(method.uri, path)),
    state,
    // Clients refuse a whole list where one file has none.
    size: size ?? 0,
    ...(hash !== null && { hash }),
    timestamp,
    refreshFlag: 1,
    storage: storageId,
  };
}

const addressOf = (method: string, path: string): string =>
  `${method.endsWith('/') ? method : `${method}/`}${path.split('/').map(encodeURIComponent).join('/')}`;

export const transferDocumentOf = ({ name, state, priority, received, fileId }: TransferRow): Transfer => ({
  name,
  state,
  priority: String(priority),
  transferred: received,
  ...(fileId !== null && { fileId }),
});
