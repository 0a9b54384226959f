import type { Reader } from '../../../core/store/statement.ts';
import { readableAmong } from '../../access/public.ts';
import type { ViewerFor } from '../../access/public-reading.ts';
import { countsOfOwners } from '../attachments/store.ts';
import { collectionsAbove, countsFor, countsOf, directParents, mappedAmong } from './store.ts';

type Values = readonly (readonly [field: string, value: string])[];

/** Parent collections of entities as computed fields, as far as the viewer may read them: direct ones and all above. */
async function parentsIn(
  reader: Reader,
  type: 'item' | 'collection',
  ids: readonly string[],
  seenBy: ViewerFor,
): Promise<Map<string, Values>> {
  const pageValues = { type, ids };
  const above = await collectionsAbove(reader, pageValues);
  const viewer = above.length === 0 ? undefined : await seenBy();
  const all = [...new Set(above.map(({ id }) => id))];
  const seen = viewer && (await readableAmong(reader, viewer, 'collection', all));
  const isSeen = ({ id }: { readonly id: string }) => !seen || seen.has(id);
  const [parents, ancestors] = [(await directParents(reader, pageValues)).filter(isSeen), above.filter(isSeen)];
  const direct = type === 'item' ? '__collection' : '__parent_collection';
  const fieldsOf = (name: string, rows: readonly { root: string; id: string }[], root: string): Values => {
    const ownRows = rows.filter((row) => row.root === root);
    return [[`${name}_size`, String(ownRows.length)], ...ownRows.map(({ id }) => [name, id] as const)];
  };
  return new Map(
    ids.map((id) => [id, [...fieldsOf(direct, parents, id), ...fieldsOf('__ancestor_collection', ancestors, id)]]),
  );
}

/** Computed fields for the collections of an item. */
export const itemCollections = {
  kind: 'item',
  names: ['__collection*', '__ancestor_collection*', '__sequence_size'],
  async read(reader: Reader, ids: readonly string[], seenBy: ViewerFor): Promise<ReadonlyMap<string, Values>> {
    const fields = await parentsIn(reader, 'item', ids, seenBy);
    const counts = await countsOfOwners(reader, { type: 'item', kind: 'sequence', ids });
    const sequences = new Map(counts.map(({ id, count }) => [id, String(count)]));
    return new Map(
      ids.map((id) => [id, [...(fields.get(id) ?? []), ['__sequence_size', sequences.get(id) ?? '0'] as const]]),
    );
  },
} as const;

/** Computed fields for parents, children and sizes of a collection. */
export const collectionFamily = {
  kind: 'collection',
  names: [
    '__parent_collection*',
    '__ancestor_collection*',
    '__child_collection_size',
    '__items_size',
    '__folder_mapped',
  ],
  async read(reader: Reader, ids: readonly string[], seenBy: ViewerFor): Promise<ReadonlyMap<string, Values>> {
    const fields = await parentsIn(reader, 'collection', ids, seenBy);
    const idValues = { ids };
    const whole = await countsOf(reader, idValues);
    const viewer = whole.some(({ items, collections }) => items + collections > 0) ? await seenBy() : undefined;
    const shownCounts = viewer ? await countsFor(reader, viewer, ids) : whole;
    const counts = new Map(shownCounts.map((row) => [row.id, row]));
    const mapped = new Set((await mappedAmong(reader, idValues)).map(({ id }) => id));
    return new Map(
      ids.map((id) => {
        const { items = 0, collections = 0 } = counts.get(id) ?? {};
        const own: Values = [
          ['__child_collection_size', String(collections)],
          ['__items_size', String(items)],
          ['__folder_mapped', String(mapped.has(id))],
        ];
        return [id, [...(fields.get(id) ?? []), ...own]];
      }),
    );
  },
} as const;
