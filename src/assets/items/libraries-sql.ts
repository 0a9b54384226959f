import { eq, sql } from 'drizzle-orm';
import { guard, mustExist } from '../../core/store/guard.ts';
import { deleteBy, rowsAmong } from '../../core/store/rows.ts';
import { query, type Reader, value, valuesOf } from '../../core/store/statement.ts';
import { placed } from '../access/public-reading.ts';
import { library, libraryItem } from '../containment/tables.ts';

export const findLibrary = placed.library.one;

export type LibraryRow = typeof library.$inferSelect;

export const libraryMustExist = mustExist(library.id);

export const librariesAmong = rowsAmong(library, 'id', 'ids', 'id');

/** Guard: all of the libraries still exist. */
export const librariesThere = guard<{ ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) FROM library WHERE id IN ${valuesOf('ids')}) = ${value('count')}`,
);

/** Libraries that contain an item, sorted by id. */
export const librariesWith = query((db) =>
  db
    .select({ id: libraryItem.libraryId })
    .from(libraryItem)
    .where(eq(libraryItem.itemId, value('itemId')))
    .orderBy(libraryItem.libraryId)
    .limit(value('limit'))
    .offset(value('offset')),
);

/** Removes an item from all libraries, in the commit that deletes it. */
export const leaveLibraries = deleteBy(libraryItem, 'itemId');

const itemsBehind = query((db) =>
  db
    .select({ id: libraryItem.itemId, serial: libraryItem.itemSerial })
    .from(libraryItem)
    .where(
      sql`${libraryItem.libraryId} = ${value('libraryId')}
        AND (${libraryItem.itemSerial}, ${libraryItem.itemId}) > (${value('serial')}, ${value('id')})`,
    )
    .orderBy(libraryItem.itemSerial, libraryItem.itemId)
    .limit(value('limit')),
);

export interface LibraryItem {
  readonly id: string;
  readonly serial: number;
}

/** Cursor before the oldest item. */
export const beforeAll: LibraryItem = { id: '', serial: -1 };

/** The next items of a library, oldest first. */
export const nextItems = (reader: Reader, libraryId: string, after: LibraryItem, limit: number) =>
  itemsBehind(reader, { libraryId, ...after, limit });

/** Items per read: the main thread receives them in one piece. */
const slice = 1000;

/** Iterates over all items of a library, oldest first, in slices. */
export async function* itemsOfLibrary(reader: Reader, libraryId: string): AsyncGenerator<readonly LibraryItem[], void> {
  let last = beforeAll;
  for (;;) {
    const rows: readonly LibraryItem[] = await nextItems(reader, libraryId, last, slice);
    if (rows.length > 0) yield rows;
    if (rows.length < slice) return;
    last = rows.at(-1)!;
  }
}
