import {
  dateTime,
  decimal,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

/** Time and cost of a restore, before it is asked for. */
export const restoreDocument = document('RestoreDocument', {
  bytes: element(integer).says('Bytes of the files that would be asked for.'),
  file: list(
    structure('RestoreFileType', {
      id: element(string),
      size: element(integer),
      state: element(string).says('readable, archived, restoring or restored.'),
      storageClass: element(string),
      until: element(dateTime).says('When a restored file goes back.'),
    }),
  ),
  tier: list(
    structure('RestoreTierType', {
      name: element(string).says('For retrievalTier. The first one is the default.'),
      least: element(integer).says('Seconds until the files can be read, as the storage documents it.'),
      most: element(integer),
      cost: element(decimal).says('By the prices that the operator has set. Absent: there are none.'),
      currency: element(string),
    }),
  ),
});
export type Restore = Value<typeof restoreDocument>;
