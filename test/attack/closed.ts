/**
 * Mallory may read the first member of the closed collection, and the open collection, whose other members are closed.
 */
const hiddenMembers = 30;
export const closedToMallory: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/API/collection?name=closed'],
  ['POST', '/API/collection?name=open'],
  ...Array.from({ length: hiddenMembers }, () => ['POST', '/API/import/placeholder'] as const),
  ...Array.from({ length: hiddenMembers }, (_, index) => `VX-${index + 1}`).flatMap((id) => [
    ['PUT', `/API/collection/VX-1/${id}?type=item`] as const,
    ['PUT', `/API/collection/VX-2/${id}?type=item`] as const,
  ]),
  ...['item/VX-1', 'collection/VX-2'].map(
    (place) =>
      [
        'POST',
        `/API/${place}/access`,
        { user: 'mallory', permission: 'READ', appliesTo: [{ value: 'self' }] },
      ] as const,
  ),
];

/** Searches that find something only by what is closed. */
export const byClosed = [
  ['item', '__collection', 'VX-1'],
  ['item', '__ancestor_collection', 'VX-1'],
  ['item', '__ancestor_collection', '*1'],
  ['item', '__collection_size', '2'],
  ['collection', '__items_size', String(hiddenMembers)],
] as const;
