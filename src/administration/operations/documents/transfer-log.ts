import { dateTime, document, element, integer, list, string, structure } from '../../../core/documents/describe.ts';

const entry = structure('TransferLogEntryType', {
  id: element(integer),
  timestamp: element(dateTime).says('When the transfer ended, or else when it was ordered.'),
  job: element(string),
  status: element(string).says('NONE, STARTING, FINISHED or FAILED.'),
  method: element(string).says('COPY_FILE or MOVE_FILE.'),
  sourceStorage: element(string),
  sourceFile: element(string),
  sourceItem: element(string),
  destinationStorage: element(string),
  destinationFile: element(string),
});

export const transferLogListDocument = document('TransferLogListDocument', {
  count: element(integer),
  transferLogEntry: list(entry),
});
