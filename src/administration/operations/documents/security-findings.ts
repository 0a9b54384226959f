import {
  attribute,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
} from '../../../core/documents/describe.ts';

const finding = structure('SecurityFindingType', {
  severity: attribute(oneOf('error', 'warning')).required,
  file: element(string).required,
  line: element(integer).required,
  column: element(integer).required,
  code: element(string).required.says('The code stays the same across versions.'),
  message: element(string).required.says('The expected value, then the value that was found.'),
  nearest: element(string).says('The nearest name that would have been valid.'),
});

export const securityFindingListDocument = document('SecurityFindingListDocument', {
  keptSince: element(dateTime).says(
    'Since when the files have errors, so that an older configuration goes on. Absent: the files are in use.',
  ),
  finding: list(finding),
});
