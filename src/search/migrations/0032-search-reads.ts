import type { Migration } from '../../store/migrations/index.ts';

/** Collections have the numbers behind those of all items: see `index/numbers.ts`. */
const collections = 1_125_899_906_842_624;

/** Searches ask for the context of each hit by its number: the index alone answers that. */
const withContext = (kind: 'item' | 'collection'): readonly string[] => [
  `DROP INDEX "${kind}_serial"`,
  `CREATE INDEX "${kind}_serial" ON "${kind}" ("serial", "context")`,
];

const end = (way: 0 | 1, number: string): string => `
             SELECT ${way === 0 ? 'min' : 'max'}(COALESCE("folded", "val")), "search_value"."field", ${way}, ${way === 0 ? '-' : ''}${number}
               FROM "search_ordered" CROSS JOIN "search_value" ON "search_value"."field" = "search_ordered"."field"
               WHERE "search_value"."entity" = ${number} GROUP BY "search_value"."field"`;

/**
 * What the index has of an entity goes with its row. SQLite compares all columns of a list as it compares the first:
 * only a first column without a type, and an outer SELECT, let it use the whole key.
 */
const forgotten = (kind: 'item' | 'collection', number: string): readonly string[] => [
  `DROP TRIGGER "search_${kind}_deleted"`,
  `CREATE TRIGGER "search_${kind}_deleted" AFTER DELETE ON "${kind}" BEGIN
       DELETE FROM "search_order" WHERE ("key", "field", "way", "tie") IN (SELECT * FROM (${end(0, number)}
             UNION ALL${end(1, number)}));
       DELETE FROM "search_text" WHERE rowid = ${number};
       DELETE FROM "search_value" WHERE ("val", "field", "entity") IN
         (SELECT pair.value ->> 1, pair.value ->> 0, ${number}
           FROM "search_rows" CROSS JOIN json_each("search_rows"."rows") AS pair WHERE "search_rows"."id" = ${number});
       DELETE FROM "search_rows" WHERE "id" = ${number};
       DELETE FROM "search_entity" WHERE "id" = ${number};
       INSERT INTO "search_change" ("entity") SELECT ${number} WHERE EXISTS (SELECT 1 FROM "search_feed");
     END`,
];

export const searchReadsMigration: Migration = {
  number: 32,
  name: 'search-reads',
  statements: [
    ...withContext('item'),
    ...withContext('collection'),
    ...forgotten('item', 'OLD."serial"'),
    ...forgotten('collection', `(OLD."serial" + ${collections})`),
    // Counts read the text index alone: it may have nothing of entities that are gone.
    `DELETE FROM "search_text" WHERE rowid IN
       (SELECT "id" FROM "search_text_docsize" WHERE "id" NOT IN (SELECT "id" FROM "search_entity"))`,
  ],
};
