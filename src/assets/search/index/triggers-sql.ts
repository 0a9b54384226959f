import { deleted, inserted, triggers, updated } from '../../../core/store/triggers-sql.ts';
import { countedAtFirst } from './counts-sql.ts';
import { listedFields } from './fields-sql.ts';
import { collectionsFrom, fieldNumber } from './keys.ts';

type Kind = 'item' | 'collection';

/** Queues a reindex of all entities of a kind. */
const again = (kind: Kind): string =>
  `INSERT INTO search_reindex (name, priority, status, start, finish, done, total, position, run)
         VALUES ('${kind}', 500, 'IN_QUEUE', NULL, NULL, 0, 0, NULL, 1)
         ON CONFLICT (name) DO UPDATE SET status = 'IN_QUEUE', start = NULL, finish = NULL, done = 0,
           total = 0, position = NULL, run = run + 1`;

const endsOf = (number: string): string => `
               SELECT v."field", v."entity" AS entity, min(COALESCE("folded", "val")) AS low, max(COALESCE("folded", "val")) AS high
                 FROM "search_ordered" CROSS JOIN "search_value" AS v ON v."field" = "search_ordered"."field"
                 WHERE v."entity" = ${number} GROUP BY v."field"`;

/** Minimum, maximum and values between of an entity, for each ordered field. */
const placesOf = (number: string): string => `
             SELECT low AS key, "field", -entity FROM (${endsOf(number)})
             UNION ALL SELECT high, "field", entity FROM (${endsOf(number)})
             UNION ALL
             SELECT COALESCE("folded", "val") AS key, -"ends"."field", "ends".entity FROM (${endsOf(number)}) AS "ends"
               CROSS JOIN "search_value" AS v ON v."field" = "ends"."field" AND v."entity" = "ends".entity
               WHERE key > low AND key < high`;

/**
 * Changes the counts of the values of an entity, and deletes those that are 0: a partial index has them alone. `less`, `more`: contexts in which it counts no more, and from now on.
 * 0 is the total, and NULL is none.
 */
const counted = (kind: Kind, number: string, less: readonly string[], more: readonly string[]): readonly string[] => [
  `INSERT INTO "search_count" ("field", "context", "val", "n")
         SELECT ${kind === 'item' ? '' : '-'}v."field", moved."context", v."val", moved."n"
           FROM "search_counted" AS c
           CROSS JOIN "search_value" AS v ON v."field" = c."field" AND v."entity" = ${number}
           CROSS JOIN (${[...less.map((context) => [context, -1]), ...more.map((context) => [context, 1])]
             .map(([context, n]) => `SELECT ${context} AS "context", ${n} AS "n"`)
             .join(' UNION ALL ')}) AS moved
           WHERE c."state" <> 'leaving' AND ${number} >= c."position" AND moved."context" IS NOT NULL
         ON CONFLICT ("field", "context", "val") DO UPDATE SET "n" = "n" + excluded."n"`,
  `DELETE FROM "search_count" WHERE "n" = 0`,
];

/**
 * Deletes the index rows of a deleted entity. SQLite applies the comparison of the first column to all columns of a row
 * value. An untyped first column and an outer SELECT let it use the whole key.
 */
const forgotten = (kind: Kind, number: string): readonly string[] => [
  ...counted(kind, number, ['0', 'OLD."context"'], []),
  `DELETE FROM "search_order" WHERE ("key", "field", "tie") IN (SELECT * FROM (${placesOf(number)}))`,
  `DELETE FROM "search_text" WHERE rowid = ${number}`,
  `DELETE FROM "search_value" WHERE ("field", "entity") IN
         (SELECT named."field", ${number} FROM (SELECT ${number} AS number) AS given
           CROSS JOIN ${listedFields('given.number')})`,
  `DELETE FROM "search_fields" WHERE "id" = ${number}`,
  `DELETE FROM "search_entity" WHERE "id" = ${number}`,
  queued(number),
];

/** Queues an entity for an engine, if there is one. */
const queued = (number: string): string =>
  `INSERT INTO "search_change" ("entity") SELECT number FROM (SELECT ${number} AS number)
         WHERE number IS NOT NULL AND EXISTS (SELECT 1 FROM "search_feed")`;

const ofCollection = (row: string): string => `(${row}.serial + ${collectionsFrom})`;

/** Number of the item or collection of a row of `collection_member`. */
const memberOf = (row: string): string => `CASE ${row}."member_type"
         WHEN 'item' THEN (SELECT "serial" FROM "item" WHERE "id" = ${row}."member_id")
         ELSE (SELECT "serial" + ${collectionsFrom} FROM "collection" WHERE "id" = ${row}."member_id") END`;

/** Counts an entity in its new context, and queues it for an engine. */
const replaced = (kind: Kind, number: string): readonly string[] => [
  ...counted(kind, number, ['OLD."context"'], ['NEW."context"']),
  queued(number),
];
const isReplaced = 'NEW.context IS NOT OLD.context';

const isEntity = (row: string): string => `${row}.member_type IN ('item', 'collection')`;

/** Triggers that queue entities for an engine if facts in its documents change outside of the metadata. */
const facts = (): readonly string[] => {
  const member = (row: string) => queued(memberOf(row));
  const listed = (row: string) => queued(`${row}.item_serial`);
  return triggers({
    search_item_context: updated('item', 'context', replaced('item', 'NEW.serial'), isReplaced),
    search_collection_context: updated(
      'collection',
      'context',
      replaced('collection', ofCollection('NEW')),
      isReplaced,
    ),
    search_member_insert: inserted('collection_member', member, isEntity),
    search_library_item_insert: inserted('library_item', listed),
    search_member_delete: deleted('collection_member', member, isEntity),
    search_library_item_delete: deleted('library_item', listed),
  });
};

const someInherited = `(EXISTS (SELECT 1 FROM "metadata_field" WHERE rest ->> '$.inheritance' = 'true')
         OR EXISTS (SELECT 1 FROM "metadata_field_group" WHERE rest ->> '$.inheritance' = 'true'))`;

const inherited = (type: string, id: string): string =>
  `INSERT INTO inheritance_change (type, id, run, position) VALUES (${type}, ${id}, 1, '')
         ON CONFLICT (type, id) DO UPDATE SET run = run + 1, position = ''`;
const inheritanceOf = (row: string): string => `COALESCE(${row}.rest ->> '$.inheritance', 'false')`;

/** Triggers that queue items for reindexing if collections above them change. */
const inheritance = (): readonly string[] => {
  const member = (row: string) => inherited(`${row}.member_type`, `${row}.member_id`);
  const inherits = (row: string) => `${isEntity(row)} AND ${someInherited}`;
  const shifted = `NEW.absolute_time <> OLD.absolute_time AND ${someInherited}`;
  return triggers({
    inheritance_joined: inserted('collection_member', member, inherits),
    inheritance_left: deleted('collection_member', member, inherits),
    inheritance_shifted: updated('collection', 'absolute_time', inherited("'collection'", 'NEW.id'), shifted),
    inheritance_defined: updated(
      'metadata_field_group',
      'rest',
      again('item'),
      `${inheritanceOf('NEW')} <> ${inheritanceOf('OLD')}`,
    ),
  });
};

/** Fields that are counted from the first item on. */
const counts = (): readonly string[] =>
  countedAtFirst.map(
    (name) =>
      `INSERT INTO "search_counted" ("name", "field", "state", "position") VALUES ('${name}', ${fieldNumber(name)}, 'ready', 0)`,
  );

export const searchSchema = (): readonly string[] => [
  // Merges sixteen segments of the text index into one: words are rewritten less often.
  `INSERT INTO "search_text" ("search_text", "rank") VALUES ('automerge', 16)`,
  // High limit of segments, so that no commit has to merge all at once.
  `INSERT INTO "search_text" ("search_text", "rank") VALUES ('crisismerge', 64)`,
  // Percentage of changed entities at which a segment is rewritten: each change deletes and inserts its entity.
  `INSERT INTO "search_text" ("search_text", "rank") VALUES ('deletemerge', 60)`,
  ...triggers({
    search_item_deleted: deleted('item', forgotten('item', 'OLD.serial')),
    search_collection_deleted: deleted('collection', forgotten('collection', ofCollection('OLD'))),
    search_field_changed: updated(
      'metadata_field',
      'type, rest',
      [again('item'), again('collection')],
      'NEW.used = 1 AND (NEW.type <> OLD.type OR NEW.rest <> OLD.rest)',
    ),
  }),
  ...inheritance(),
  ...facts(),
  ...counts(),
];
