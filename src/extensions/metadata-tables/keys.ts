import { accessOf } from '../../assets/access/public-reading.ts';
import { itemPlace, type MetadataView, metadataOf, storedView, textsOf } from '../../assets/metadata/public.ts';
import type { MetadataOwner } from '../../assets/metadata/public-reading.ts';
import type { CsvRow } from '../../core/lib/csv.ts';
import { isRefusal } from '../../core/lib/errors.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { inSlices } from '../../core/lib/turn.ts';
import type { Caller } from '../../security/caller.ts';
import type { TableParts } from './parts.ts';
import { sentenceOf } from './problems.ts';
import { keyOf, type ReadTable } from './row-change.ts';

/** View of some fields with their computed values, as lists show them. */
export const viewOf = (fields: readonly string[]): MetadataView => ({
  ...storedView,
  transient: true,
  fields: { only: new Map(fields.map((name) => [name, name])), except: new Set(), deep: new Set() },
});

/** Id of an item, or a sentence why the row has none. */
type KeyedItem = { readonly id: string } | { readonly expected: string };

/** Items of one name, and of names that differ in the case of letters. */
const maxAlike = 20;
/** Searches at once, and characters that a search compares. */
const [atOnce, maxSearched] = [10, 255];
const filename = 'originalFilename';

/** The items of rows, on which the caller may write metadata. */
export async function itemsOfRows(
  parts: TableParts,
  call: Caller,
  table: ReadTable,
  rows: readonly CsvRow[],
): Promise<readonly KeyedItem[]> {
  const { store } = parts;
  const item = itemPlace(store).entity!('WRITE');
  const named = table.options.key === 'filename' ? await itemsNamed(parts, call, table, rows) : undefined;
  return askEach(rows, async (row): Promise<KeyedItem> => {
    const key = named?.(keyOf(table, row)) ?? { id: keyOf(table, row) };
    if ('expected' in key) return key;
    try {
      return { id: (await item.find(key.id, call, {})).id };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code === 'no-such-entity') return { expected: 'Expected the id of an item, or an external id of one' };
      return { expected: sentenceOf(error) };
    }
  });
}

/** Finds items by their file names, among those that the caller may read. */
async function itemsNamed(
  { store, findItems, clock, settings }: TableParts,
  call: Caller,
  table: ReadTable,
  rows: readonly CsvRow[],
): Promise<(name: string) => KeyedItem> {
  const viewer = await accessOf(store, call);
  const names = [...new Set(rows.map((row) => keyOf(table, row)))].filter((name) => name !== '');
  const page = { first: 1, number: maxAlike, now: clock.now() };
  const hits = await inSlices(
    names,
    (some) =>
      askEach(some, async (value) => {
        const field = [{ name: filename, value: [{ value: value.slice(0, maxSearched) }] }];
        const { ids } = await findItems(call.reader, viewer, { field }, page);
        return [value, [...new Set(ids)]] as const;
      }),
    atOnce,
  );
  const owners = [...new Set(hits.flatMap(([, ids]) => ids))].map((id): MetadataOwner => ({ kind: 'item', id }));
  const documents = await metadataOf(store, owners, viewOf([filename]), { site: settings.site });
  const isNamed = (id: string, name: string): boolean =>
    (documents.get(id)?.timespan ?? []).some(({ field = [] }) => textsOf(field).includes(name));
  const keys = new Map(
    hits.map(([name, ids]): [string, KeyedItem] => {
      const [id, other] = ids.filter((each) => isNamed(each, name));
      if (id === undefined) return [name, { expected: 'Expected the file name of an item that you may read' }];
      const isOne = other === undefined && ids.length < maxAlike;
      return [name, isOne ? { id } : { expected: 'Expected a file name that one item has: several have it' }];
    }),
  );
  return (name) => keys.get(name) ?? { expected: 'Expected the file name of an item' };
}
