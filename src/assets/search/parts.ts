import type { Properties } from '../../identity/api-settings/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import type { KnownProperties, KnownProperty } from '../../room/properties.ts';
import type { SearchHistory } from './history.ts';
import type { LibrarySettings } from './libraries/parts.ts';

const words = (fallback: number, says: string, choices: readonly string[]): KnownProperty<number> => ({
  fallback,
  says,
  expected: `one of ${choices.join(', ')}`,
  read(text) {
    const index = choices.findIndex((word) => word.toLowerCase() === text.trim().toLowerCase());
    return index < 0 ? undefined : index;
  },
});

/** Properties that change how searches answer. */
export const searchProperties = {
  indexCollectionItemOrder: words(0, 'Whether searches in a collection answer its items in their order there.', [
    'false',
    'true',
  ]),
  metadataGroupSearchStyle: words(
    0,
    'With mergeToTopLevelGroup, fields of nested groups count as fields of the group around them.',
    ['default', 'mergeToTopLevelGroup'],
  ),
  disableThumbnailReindexing: words(1, 'False: to build the index of items again builds that of thumbnails, too.', [
    'false',
    'true',
  ]),
} as const satisfies KnownProperties;

type SearchProperty = keyof typeof searchProperties;

export type SearchContext = RoomContext<LibrarySettings>;

/** Context of the routes and background work of this room. */
export interface SearchParts extends SearchContext {
  readonly property: Properties<SearchProperty>;
  /** Resolves when all inherited metadata is indexed. */
  caughtUp(): Promise<void>;
  /** Searches of the last hour by user and kind, then by text, the newest last. */
  readonly history: SearchHistory;
}
