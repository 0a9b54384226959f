import {
  attribute,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../documents/describe.ts';

export const auditLogDocument = document('AuditLogDocument', {
  count: element(integer).says('How many there are: only where performCount asks for it.'),
  entry: list(
    structure('AuditLogEntryType', {
      timestamp: attribute(dateTime).required.says(
        'When it came; where there is a count, when the first of them came.',
      ),
      username: element(string).required.says('Who was let in, or tried to be. Empty: nobody said.'),
      runAs: element(string).says('Whom they acted for.'),
      method: element(string).required,
      path: element(string).required,
      queryParameters: element(string).required.says('What looks like a secret is masked.'),
      matrixParameters: element(string).required.says('Those of the path, with semicolons between.'),
      contentType: element(string),
      contentLength: element(string),
      responseCode: element(integer).required,
      reason: element(string).says('Of a refusal; of a success, what the caller came in with.'),
      address: element(string).says('Of the caller; where there is a count, of the first of them.'),
      requestId: element(string),
      count: element(integer).says('How many equal requests came within a minute.'),
      lastTime: element(dateTime).says('Only where there is a count: when the last of them came.'),
    }),
  ),
});
export type AuditLog = Value<typeof auditLogDocument>;
