import type { Migration } from '../../store/migrations/index.ts';

/**
 * Both ends of a value lie on one page: a change of it writes two pages, and no longer four. Values between them lie
 * elsewhere. Work fills the orders anew while the service runs: to copy many rows takes longer than a server may. The next
 * migration makes the triggers again.
 */
export const searchPlacesMigration: Migration = {
  number: 47,
  name: 'search-places',
  statements: [
    `DROP TRIGGER "search_item_deleted"`,
    `DROP TRIGGER "search_collection_deleted"`,
    `DROP TABLE "search_order"`,
    `CREATE TABLE "search_order" (
       "field" INTEGER NOT NULL,
       "key" BLOB NOT NULL,
       "tie" INTEGER NOT NULL,
       PRIMARY KEY ("field", "key", "tie")
     ) WITHOUT ROWID`,
    `UPDATE "search_ordered" SET "state" = 'filling', "position" = ${Number.MAX_SAFE_INTEGER} WHERE "state" <> 'leaving'`,
  ],
};
