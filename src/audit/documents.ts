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
      username: element(string).required.says(
        'Authenticated user, or the name in a failed login. Empty: no name was sent.',
      ),
      runAs: element(string).says('Whom they acted for.'),
      method: element(string).required,
      path: element(string).required,
      queryParameters: element(string).required.says('Query of the request. Probable secrets are masked.'),
      matrixParameters: element(string).required.says('Matrix parameters of the path, separated by semicolons.'),
      contentType: element(string),
      contentLength: element(string),
      responseCode: element(integer).required,
      reason: element(string).says('Reason of a refusal. After a success: the credentials of the caller.'),
      address: element(string).says('Address of the caller. With a count: of the first request.'),
      requestId: element(string),
      count: element(integer).says('How many equal requests came within a minute.'),
      lastTime: element(dateTime).says('Only where there is a count: when the last of them came.'),
    }),
  ),
});
export type AuditLog = Value<typeof auditLogDocument>;
