import type { Migration } from '../../store/migrations/index.ts';

/** Collections have the numbers behind those of all items: see `index/numbers.ts`. */
const collections = 1_125_899_906_842_624;

/** The ends of the values of an entity in each field whose order is kept, and the values between them. */
const places = (ends: string): string => `
             SELECT low AS key, "field", 0, -entity FROM (${ends})
             UNION ALL SELECT high, "field", 1, entity FROM (${ends})
             UNION ALL${between(ends)}`;

const between = (ends: string): string => `
             SELECT COALESCE("folded", "val") AS key, "ends"."field", 2, "ends".entity FROM (${ends}) AS "ends"
               CROSS JOIN "search_value" AS v ON v."field" = "ends"."field" AND v."entity" = "ends".entity
               WHERE key > low AND key < high`;

const endsOf = (rows: string): string => `
               SELECT v."field", v."entity" AS entity, min(COALESCE("folded", "val")) AS low, max(COALESCE("folded", "val")) AS high
                 FROM "search_ordered" CROSS JOIN "search_value" AS v ON v."field" = "search_ordered"."field"
                 ${rows}`;

/**
 * What the index has of an entity goes with its row. SQLite compares all columns of a list as it compares the first:
 * only a first column without a type, and an outer SELECT, let it use the whole key.
 */
const forgotten = (kind: 'item' | 'collection', number: string): readonly string[] => [
  `DROP TRIGGER "search_${kind}_deleted"`,
  `CREATE TRIGGER "search_${kind}_deleted" AFTER DELETE ON "${kind}" BEGIN
       DELETE FROM "search_order" WHERE ("key", "field", "way", "tie") IN (SELECT * FROM (${places(
         endsOf(`WHERE v."entity" = ${number} GROUP BY v."field"`),
       )}));
       DELETE FROM "search_text" WHERE rowid = ${number};
       DELETE FROM "search_value" WHERE ("val", "field", "entity") IN
         (SELECT pair.value ->> 1, pair.value ->> 0, ${number}
           FROM "search_rows" CROSS JOIN json_each("search_rows"."rows") AS pair WHERE "search_rows"."id" = ${number});
       DELETE FROM "search_rows" WHERE "id" = ${number};
       DELETE FROM "search_entity" WHERE "id" = ${number};
       INSERT INTO "search_change" ("entity") SELECT ${number} WHERE EXISTS (SELECT 1 FROM "search_feed");
     END`,
];

/**
 * A change of an entity is a deletion and an insertion for the text index, so parts of it are merged rather often by the
 * usual settings: that was half of what a commit wrote. Searches read a few parts more.
 */
const merges: readonly string[] = [
  `INSERT INTO "search_text" ("search_text", rank) VALUES ('automerge', 8)`,
  `INSERT INTO "search_text" ("search_text", rank) VALUES ('deletemerge', 30)`,
];

/** A range is read from the order of its field, which needs the values between the ends, too. */
export const searchRangesMigration: Migration = {
  number: 35,
  name: 'search-ranges',
  statements: [
    ...merges,
    ...forgotten('item', 'OLD."serial"'),
    ...forgotten('collection', `(OLD."serial" + ${collections})`),
    `INSERT OR IGNORE INTO "search_order" ("key", "field", "way", "tie")${between(
      endsOf('GROUP BY v."field", v."entity" HAVING count(*) > 2'),
    )}`,
  ],
};
