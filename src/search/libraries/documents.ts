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
} from '../../documents/describe.ts';
import { itemSearchDocument } from '../documents/search.ts';

const settings = structure('LibrarySettingsType', {
  id: element(string).outputOnly,
  username: element(string).outputOnly.says('The user with whose rights the query runs.'),
  updateMode: element(oneOf('MERGE', 'REPLACE', 'TRANSIENT')).says(
    'MERGE adds what the query finds; REPLACE also removes the rest; TRANSIENT keeps nothing and asks with each read.',
  ),
  autoRefresh: element(boolean).says('The query runs again when the library is read.'),
  updateFrequency: element(integer).says('Seconds between two refreshes that nobody asks for. 0: none.'),
  lastUpdate: element(dateTime).outputOnly,
  query: element(itemSearchDocument.structure).says('Search for the items of the library.'),
});

export const librarySettingsDocument = document('LibrarySettingsDocument', settings);
export type LibrarySettingsValue = Value<typeof librarySettingsDocument>;
