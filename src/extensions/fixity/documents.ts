import {
  careful,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { fixityStates } from './tables.ts';

const fileFixity = structure('FileFixityType', {
  id: element(string),
  path: element(string),
  size: element(integer),
  state: element(oneOf(...fixityStates)).says(
    'waiting: not read again yet. unhashed: there is no hash to compare with. changed: other bytes than those of the hash.',
  ),
  verified: element(dateTime).says('When the bytes were last found to be those of the hash.'),
  checked: element(dateTime).says('When the bytes were last compared.'),
  due: element(dateTime).says('From when on the file is read again.'),
  message: element(string).says('What the last check found, or why it could not compare.'),
});

/** Last check of the bytes of one file. */
export const fileFixityDocument = document('FileFixityDocument', fileFixity);
export type FileFixity = Value<typeof fileFixityDocument>;

const schedule = {
  storage: element(string).outputOnly,
  days: element(integer).required.says('Each file is read again within so many days.'),
  bytesPerSecond: element(integer).says('Maximum number of bytes that are read in a second. Default: 20 MiB.'),
  due: element(dateTime).outputOnly.says('From when on the file waits that waits longest.'),
  waiting: element(integer).outputOnly.says('Number of files that were not read again yet.'),
  verified: element(integer).outputOnly.says('Number of files whose bytes were as they should be.'),
  changed: element(integer).outputOnly.says('Number of files with other bytes than those of their hash.'),
  missing: element(integer).outputOnly.says('Number of files that the storage does not have.'),
  unhashed: element(integer).outputOnly.says('Number of files without a hash.'),
};

/** How the files of a storage are read again, and what was found. */
export const fixityDocument = careful(
  document('FixityDocument', {
    ...schedule,
    hits: element(integer).outputOnly,
    file: list(fileFixity).outputOnly,
  }),
);
export type Fixity = Value<typeof fixityDocument>;

export const fixityListDocument = document('FixityListDocument', {
  fixity: list(structure('FixityScheduleType', schedule)),
});
