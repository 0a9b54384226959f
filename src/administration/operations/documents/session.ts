import { boolean, document, element, integer, list, string } from '../../../core/documents/describe.ts';

/** Caller and service, as far as a page needs to know them. */
export const sessionDocument = document('SessionDocument', {
  userName: element(string).required.says('The user whose rights the request has.'),
  realName: element(string),
  actor: element(string).says('The user who acts for that user (RunAs).'),
  role: list(string).says('All roles that count: those of the groups, and the roles that these imply.'),
  site: element(string).required.says('The first part of ids.'),
  version: element(string).required.says('The version of this program.'),
  maxUploadBytes: element(integer).required.says('Maximum bytes of all open uploads of the user together.'),
  maxPage: element(integer).required.says('Maximum number of entries on a page of a list.'),
  transcoder: element(boolean).required.says('Whether the service can make shapes of other formats.'),
  webTag: element(string).says(
    'The shape tag of films that every browser plays. Absent: no transcoder makes it, or the tag is not there.',
  ),
});
