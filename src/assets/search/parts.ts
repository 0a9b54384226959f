import type { Recent } from '../../core/lib/recent.ts';
import type { Properties } from '../../identity/api-settings/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import type { LibrarySettings } from './libraries/settings.ts';
import type { SearchProperty } from './properties.ts';

export type SearchContext = RoomContext<LibrarySettings>;

/** A search of the history. */
export interface CachedSearch {
  readonly digest: string;
  readonly at: number;
  readonly written: number;
}

/** Context of the routes and background work of this room. */
export interface SearchParts extends SearchContext {
  readonly property: Properties<SearchProperty>;
  /** Resolves when all inherited metadata is indexed. */
  caughtUp(): Promise<void>;
  /** Searches of the last hour by user and kind, then by text, the newest last. */
  readonly searchCache: Recent<string, Map<string, CachedSearch>>;
}
