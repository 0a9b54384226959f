import { plainView } from '../../media/files/view.ts';
import type { Reader } from '../../store/statement.ts';
import { metadataOf, storedView, terseOf } from '../metadata/read.ts';
import type { AssetParts } from '../parts.ts';
import { shapeDocuments } from './documents.ts';
import type { Shape } from './load.ts';
import { original } from './rules.ts';
import { essenceFields, fieldsWithout, type SystemFields } from './system-fields.ts';

/** The shape that the metadata of an item describes: the original of the latest version that has one. */
export const originalOf = (shapes: readonly Shape[]): Shape | undefined =>
  shapes.findLast(({ tags }) => tags.includes(original));

/**
 * What the metadata of an item says when it describes another shape: what it said of the ones before goes, unless
 * somebody changed it since.
 */
export async function fieldsFollowing(
  { store }: Pick<AssetParts, 'store'>,
  itemId: string,
  from: readonly Shape[],
  to: Shape | undefined,
): Promise<SystemFields> {
  const documents = await shapeDocuments(store, [...from, ...(to ? [to] : [])], {
    includePlaceholder: false,
    files: plainView,
  });
  const now = await currentValues(store, itemId);
  const gone = documents.slice(0, from.length).map((document) => fieldsWithout(essenceFields(document), now));
  return Object.assign({}, ...gone, to && essenceFields(documents.at(-1)!));
}

/** The values of all fields of an item that are stored. */
export async function currentValues(reader: Reader, itemId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const metadata = await metadataOf(reader, [{ kind: 'item', id: itemId }], storedView);
  const terse = [...terseOf(metadata.get(itemId) ?? {})];
  return new Map(terse.map(([name, values]) => [name, values.map(({ value }) => value)]));
}
