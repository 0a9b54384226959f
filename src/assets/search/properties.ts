import { constant, matching, setting, whole } from '../../core/settings/kinds.ts';
import type { KnownProperties, KnownProperty } from '../../room/properties.ts';

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

/** Settings for searches by an engine. */
export const engineSettings = {
  searchIndex: setting(
    matching(/^(?:database|engine)$/, '"database" or "engine"'),
    'database',
    'Index of searches. "engine": the search engine of security.ini alone has it, and commits write no index rows.',
  ),
  searchLag: setting(
    whole(0, 86_400),
    30,
    'Seconds for which changes may wait for the search engine while its answers count as current.',
  ),
  searchStale: setting(
    whole(0, 31_536_000),
    86_400,
    'Seconds for which changes may wait while the search engine answers, with a warning, what nothing else can.',
  ),
  searchFallback: constant(
    5_000_000,
    'Number of items up to which the database answers searches while the search engine cannot.',
  ),
};
