import type { Properties } from '../api-settings/properties/values.ts';
import type { Recent } from '../lib/recent.ts';
import type { House } from '../room/house.ts';
import type { LibrarySettings } from './libraries/settings.ts';
import type { SearchProperty } from './properties.ts';

export type SearchHouse = House<LibrarySettings>;

/** What the routes and the work of this room are given. */
export interface SearchParts extends SearchHouse {
  readonly property: Properties<SearchProperty>;
  /** Ends when what items inherit by now is in the index. */
  caughtUp(): Promise<void>;
  /** Searches that were just written to the history. */
  readonly remembered: Recent<string, string>;
}
