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
} from '../../core/documents/describe.ts';

export const auditLogDocument = document('AuditLogDocument', {
  count: element(integer).says('Number of entries, if performCount is true.'),
  entry: list(
    structure('AuditLogEntryType', {
      timestamp: attribute(dateTime).required.says('Time of the request. With a count: of the first request.'),
      username: element(string).required.says(
        'Authenticated user, or the name in a failed login. Empty: no name was sent.',
      ),
      runAs: element(string).says('The user whose rights the request used (RunAs).'),
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
      count: element(integer).says('Number of equal requests within a minute.'),
      lastTime: element(dateTime).says('With a count: time of the last request.'),
    }),
  ),
});
export type AuditLog = Value<typeof auditLogDocument>;
