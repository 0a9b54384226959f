import type { Properties } from '../api-settings/public-reading.ts';
import type { Recent } from '../lib/recent.ts';
import type { RoomContext } from '../room/context.ts';
import type { LibrarySettings } from './libraries/settings.ts';
import type { SearchProperty } from './properties.ts';

export type SearchContext = RoomContext<LibrarySettings>;

/** Context of the routes and background work of this room. */
export interface SearchParts extends SearchContext {
  readonly property: Properties<SearchProperty>;
  /** Resolves when all inherited metadata is indexed. */
  caughtUp(): Promise<void>;
  /** Cache of searches recently written to the history. */
  readonly remembered: Recent<string, string>;
}
