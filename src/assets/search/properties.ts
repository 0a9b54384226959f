import type { KnownProperties, KnownProperty } from '../../room/properties.ts';

const words = (fallback: number, says: string, known: readonly string[]): KnownProperty<number> => ({
  fallback,
  says,
  expected: `one of ${known.join(', ')}`,
  read(text) {
    const index = known.findIndex((word) => word.toLowerCase() === text.trim().toLowerCase());
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

export type SearchProperty = keyof typeof searchProperties;
