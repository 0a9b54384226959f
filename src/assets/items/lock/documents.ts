import { dateTime, document, element, string } from '../../../core/documents/describe.ts';

export const lockDocument = document('LockDocument', {
  id: element(string).says('The locked entity.'),
  user: element(string),
  expires: element(dateTime),
});
