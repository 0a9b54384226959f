import {
  boolean,
  dateTime,
  document,
  element,
  integer,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { itemSearchDocument } from '../documents.ts';

const settings = structure('LibrarySettingsType', {
  id: element(string).outputOnly,
  username: element(string).outputOnly.says('The user with whose rights the query runs.'),
  updateMode: element(oneOf('MERGE', 'REPLACE', 'TRANSIENT')).says(
    'MERGE adds matching items, REPLACE also removes others, TRANSIENT stores no items and searches on each read.',
  ),
  autoRefresh: element(boolean).says('True: each read runs the query again.'),
  updateFrequency: element(integer).says('Seconds between automatic refreshes. 0: none.'),
  lastUpdate: element(dateTime).outputOnly,
  query: element(itemSearchDocument.structure).says('Query for the items of the library.'),
});

export const librarySettingsDocument = document('LibrarySettingsDocument', settings);
export type LibrarySettingsValue = Value<typeof librarySettingsDocument>;
