import type { SettingsOf } from '../../core/settings/kinds.ts';
import type { Properties } from '../../identity/api-settings/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import type { Engines } from './engine/engines.ts';
import type { SearchHistory } from './history.ts';
import type { LibrarySettings } from './libraries/parts.ts';
import type { engineSettings, searchProperties } from './properties.ts';

type SearchProperty = keyof typeof searchProperties;

export type SearchContext = RoomContext<LibrarySettings & SettingsOf<typeof engineSettings>>;

/** Context of the routes and background work of this room. */
export interface SearchParts extends SearchContext {
  readonly property: Properties<SearchProperty>;
  /** Resolves when all inherited metadata is indexed. */
  caughtUp(): Promise<void>;
  readonly engines: Engines;
  /** Searches of the last hour by user and kind, then by text, the newest last. */
  readonly history: SearchHistory;
}
