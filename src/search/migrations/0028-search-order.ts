import type { Migration } from '../../store/migrations/index.ts';

/** Collections have the numbers behind those of all items: see `index/numbers.ts`. */
const collections = 1_125_899_906_842_624;

const end = (way: 0 | 1, number: string): string => `
           SELECT "search_value"."field", ${way}, ${way === 0 ? 'min' : 'max'}(COALESCE("folded", "val")), ${way === 0 ? '-' : ''}${number}
             FROM "search_ordered" CROSS JOIN "search_value" ON "search_value"."field" = "search_ordered"."field"
             WHERE "search_value"."entity" = ${number} GROUP BY "search_value"."field"`;

/** What the index has of an entity goes with its row, its places in the order of fields first: they follow from its values. */
const forgotten = (kind: 'item' | 'collection', number: string): readonly string[] => [
  `DROP TRIGGER "search_${kind}_deleted"`,
  `CREATE TRIGGER "search_${kind}_deleted" AFTER DELETE ON "${kind}" BEGIN
       DELETE FROM "search_order" WHERE ("field", "way", "key", "tie") IN (${end(0, number)}
           UNION ALL${end(1, number)});
       DELETE FROM "search_text" WHERE rowid = ${number};
       DELETE FROM "search_value" WHERE ("field", "entity", "val") IN
         (SELECT pair.value ->> 0, ${number}, pair.value ->> 1
           FROM "search_rows" CROSS JOIN json_each("search_rows"."rows") AS pair WHERE "search_rows"."id" = ${number});
       DELETE FROM "search_rows" WHERE "id" = ${number};
       DELETE FROM "search_entity" WHERE "id" = ${number};
     END`,
];

export const searchOrderMigration: Migration = {
  number: 28,
  name: 'search-order',
  statements: [
    `CREATE TABLE "search_ordered" (
       "name" TEXT PRIMARY KEY NOT NULL,
       "field" INTEGER NOT NULL,
       "state" TEXT NOT NULL,
       "position" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE "search_order" (
       "field" INTEGER NOT NULL,
       "way" INTEGER NOT NULL,
       "key" BLOB NOT NULL,
       "tie" INTEGER NOT NULL,
       PRIMARY KEY ("field", "way", "key", "tie")
     ) WITHOUT ROWID`,
    ...forgotten('item', 'OLD."serial"'),
    ...forgotten('collection', `(OLD."serial" + ${collections})`),
  ],
};
