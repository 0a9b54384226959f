import { dateTime, document, element, integer, list, string, structure } from '../../../core/documents/describe.ts';

const errorLog = structure('ErrorLogType', {
  id: element(integer),
  timestamp: element(dateTime),
  description: element(string),
  type: element(string).says('JOB or STORAGE.'),
  entityType: element(string),
  entityId: element(string),
});

export const errorLogListDocument = document('ErrorLogListDocument', {
  hits: element(integer),
  errorLog: list(errorLog),
});
