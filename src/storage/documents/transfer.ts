import { document, element, integer, list, string, structure, type Value } from '../../core/documents/describe.ts';

const transferFields = structure('TransferType', {
  name: element(string).says('The transferId of the client.'),
  state: element(string).says('TRANSFERRING, WAITING, FINISHED, FAILED or ABORTED.'),
  priority: element(string),
  transferred: element(integer).says('Number of received bytes.'),
  fileId: element(string),
});

/** An upload in parts. */
export const transferDocument = document('TransferDocument', transferFields);
export type TransferDocument = Value<typeof transferDocument>;

export const transferListDocument = document('TransferListDocument', {
  hits: element(integer),
  transfer: list(transferFields),
});
