import type { TransferDocument } from '../documents/transfer.ts';
import type { TransferRow } from './transfers/store.ts';

export const transferDocumentOf = ({ name, state, priority, received, fileId }: TransferRow): TransferDocument => ({
  name,
  state,
  priority: String(priority),
  transferred: received,
  ...(fileId !== null && { fileId }),
});
