import type { Migration } from '../../store/migrations/index.ts';

/** Collections have the numbers behind those of all items: see `index/numbers.ts`. */
const collections = 1_125_899_906_842_624;

const endsOf = (number: string): string => `
               SELECT v."field", v."entity" AS entity, min(COALESCE("folded", "val")) AS low, max(COALESCE("folded", "val")) AS high
                 FROM "search_ordered" CROSS JOIN "search_value" AS v ON v."field" = "search_ordered"."field"
                 WHERE v."entity" = ${number} GROUP BY v."field"`;

/** The ends of the values of an entity in each field whose order is kept, and the values between them. */
const placesOf = (number: string): string => `
             SELECT low AS key, "field", -entity FROM (${endsOf(number)})
             UNION ALL SELECT high, "field", entity FROM (${endsOf(number)})
             UNION ALL
             SELECT COALESCE("folded", "val") AS key, -"ends"."field", "ends".entity FROM (${endsOf(number)}) AS "ends"
               CROSS JOIN "search_value" AS v ON v."field" = "ends"."field" AND v."entity" = "ends".entity
               WHERE key > low AND key < high`;

/**
 * What the index has of an entity goes with its row. SQLite compares all columns of a list as it compares the first:
 * only a first column without a type, and an outer SELECT, let it use the whole key.
 */
const forgotten = (kind: 'item' | 'collection', number: string): string =>
  `CREATE TRIGGER "search_${kind}_deleted" AFTER DELETE ON "${kind}" BEGIN
       DELETE FROM "search_order" WHERE ("key", "field", "tie") IN (SELECT * FROM (${placesOf(number)}));
       DELETE FROM "search_text" WHERE rowid = ${number};
       DELETE FROM "search_value" WHERE ("field", "entity") IN
         (SELECT iif(each.type = 'array', each.value ->> 0, each.value), ${number}
           FROM "search_fields" CROSS JOIN json_each("search_fields"."fields") AS each WHERE "search_fields"."id" = ${number});
       DELETE FROM "search_fields" WHERE "id" = ${number};
       DELETE FROM "search_entity" WHERE "id" = ${number};
       INSERT INTO "search_change" ("entity") SELECT ${number} WHERE EXISTS (SELECT 1 FROM "search_feed");
     END`;

/**
 * The index keeps of which fields an entity has values, and no longer the values once more. Rows as they were before, with
 * `[field, value]` instead of a field, stay until their entity is written whole: to copy many takes longer than a server may.
 */
export const searchFieldsMigration: Migration = {
  number: 48,
  name: 'search-fields',
  statements: [
    `ALTER TABLE "search_rows" RENAME TO "search_fields"`,
    `ALTER TABLE "search_fields" RENAME COLUMN "rows" TO "fields"`,
    forgotten('item', 'OLD."serial"'),
    forgotten('collection', `(OLD."serial" + ${collections})`),
  ],
};
