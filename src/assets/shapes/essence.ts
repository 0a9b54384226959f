import type { Reader } from '../../core/store/statement.ts';
import { plainFileView } from '../../storage/public.ts';
import { type MetadataContext, metadataOf, storedView, terseOf } from '../metadata/public.ts';
import { shapeDocuments } from './documents/from-rows.ts';
import type { Shape } from './load.ts';
import { original } from './rules.ts';
import { essenceFields, fieldsWithout, type SystemFields } from './system-fields.ts';

/** Shape described in the metadata of the item: the original of the latest version that has one. */
export const originalOf = (shapes: readonly Shape[]): Shape | undefined =>
  shapes.findLast(({ tags }) => tags.includes(original));

/**
 * System fields after another shape becomes the original. Values of the previous ones are removed, unless somebody
 * changed them.
 */
export async function fieldsFollowing(
  { store }: Pick<MetadataContext, 'store'>,
  itemId: string,
  from: readonly Shape[],
  to: Shape | undefined,
): Promise<SystemFields> {
  const documents = await shapeDocuments(store, [...from, ...(to ? [to] : [])], {
    includePlaceholder: false,
    files: plainFileView,
  });
  const now = await currentValues(store, itemId);
  const gone = documents.slice(0, from.length).map((document) => fieldsWithout(essenceFields(document), now));
  return Object.assign({}, ...gone, to && essenceFields(documents.at(-1)!));
}

/** Stored values of an item, by field. */
export async function currentValues(reader: Reader, itemId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const metadata = await metadataOf(reader, [{ kind: 'item', id: itemId }], storedView);
  const terse = [...terseOf(metadata.get(itemId) ?? {})];
  return new Map(terse.map(([name, values]) => [name, values.map(({ value }) => value)]));
}
