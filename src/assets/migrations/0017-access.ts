import type { Migration } from '../../store/migrations/index.ts';

/** Kinds of entities with a row in a table of that name, whose column `context` the triggers keep. */
export type GuardedTable = 'item' | 'collection' | 'library';

/** JSON of an entry in the key of a context. */
export const entryOfContext = `json_array(CASE WHEN "user_id" IS NULL THEN 'g:' || "group_id" ELSE 'u:' || "user_id" END,
               "permission", "priority", CASE WHEN "rooted" = 1 THEN NULL ELSE "grantor_id" END)`;

/** Selection of the entries that go into the key of a context, and their JSON. */
export interface ContextEntries {
  readonly entry: string;
  /** `row`: what SQL calls it, with a dot behind. */
  counts(row: string): string;
}

/** Entries for all operations. */
const general: ContextEntries = {
  entry: entryOfContext,
  counts: (row) => `${row}"operation" IS NULL AND ${row}"reach" & 1`,
};

/**
 * What decides about an entity as far as all operations go: its kind, its owner, its own entries, and the collections
 * that pass theirs on to it. Entities with the same key share a context.
 */
const keyOf = (kind: GuardedTable, id: string, { entry, counts }: ContextEntries): string => `json_array('${kind}',
         (SELECT "user_id" FROM "access_entry"
           WHERE "entity_type" = '${kind}' AND "entity_id" = ${id} AND "permission" = 'OWNER'),
         json((SELECT json_group_array(json("entry")) FROM (
           SELECT DISTINCT ${entry} AS "entry"
             FROM "access_entry" WHERE "entity_type" = '${kind}' AND "entity_id" = ${id}
               AND "permission" <> 'OWNER' AND ${counts('')} ORDER BY 1))),
         json((SELECT json_group_array("collection_id") FROM (
           SELECT "collection_id" FROM "collection_member"
             WHERE "member_type" = '${kind}' AND "member_id" = ${id} AND "passes" = 1 ORDER BY 1))))`;

/** The key is computed once where another entity has the same: it is most of the cost. */
const place = (kind: GuardedTable, id: string, entries: ContextEntries): string => `
       UPDATE "${kind}" SET "context" = (SELECT "id" FROM "access_context" WHERE "key" = ${keyOf(kind, id, entries)})
         WHERE "id" = ${id};
       INSERT INTO "access_context" ("kind", "key") SELECT '${kind}', ${keyOf(kind, id, entries)}
         FROM "${kind}" WHERE "id" = ${id} AND "context" IS NULL;
       UPDATE "${kind}" SET "context" = (SELECT "id" FROM "access_context" WHERE "key" = ${keyOf(kind, id, entries)})
         WHERE "id" = ${id} AND "context" IS NULL;`;

const leave = (kind: GuardedTable): string => `
       DELETE FROM "access_context" WHERE "id" = OLD."context"
         AND NOT EXISTS (SELECT 1 FROM "${kind}" WHERE "context" = OLD."context");`;

/** A table whose rows get contexts. It has the columns `id` and `context`. */
export const contextTriggers = (kind: GuardedTable, entries: ContextEntries = general): readonly string[] => [
  `CREATE TRIGGER "access_${kind}_granted" AFTER INSERT ON "access_entry"
       WHEN NEW."entity_type" = '${kind}' AND ${entries.counts('NEW.')} BEGIN${place(kind, 'NEW."entity_id"', entries)}
     END`,
  `CREATE TRIGGER "access_${kind}_regranted" AFTER UPDATE ON "access_entry"
       WHEN NEW."entity_type" = '${kind}' BEGIN${place(kind, 'NEW."entity_id"', entries)}
     END`,
  `CREATE TRIGGER "access_${kind}_revoked" AFTER DELETE ON "access_entry"
       WHEN OLD."entity_type" = '${kind}' AND ${entries.counts('OLD.')} BEGIN${place(kind, 'OLD."entity_id"', entries)}
     END`,
  `CREATE TRIGGER "access_${kind}_joined" AFTER INSERT ON "collection_member"
       WHEN NEW."member_type" = '${kind}' AND NEW."passes" = 1 BEGIN${place(kind, 'NEW."member_id"', entries)}
     END`,
  `CREATE TRIGGER "access_${kind}_left" AFTER DELETE ON "collection_member"
       WHEN OLD."member_type" = '${kind}' AND OLD."passes" = 1 BEGIN${place(kind, 'OLD."member_id"', entries)}
     END`,
  `CREATE TRIGGER "access_${kind}_moved" AFTER UPDATE OF "context" ON "${kind}"
       WHEN OLD."context" IS NOT NULL AND OLD."context" IS NOT NEW."context" BEGIN${leave(kind)}
     END`,
  `CREATE TRIGGER "access_${kind}_gone" AFTER DELETE ON "${kind}" WHEN OLD."context" IS NOT NULL BEGIN${leave(kind)}
     END`,
];

/** Entities that are older than their contexts. */
const fill = (kind: GuardedTable): readonly string[] => [
  `INSERT INTO "access_context" ("kind", "key") SELECT '${kind}', ${keyOf(kind, 'given."id"', general)}
     FROM "${kind}" AS given WHERE TRUE ON CONFLICT ("key") DO NOTHING`,
  `UPDATE "${kind}" SET "context" = (SELECT "id" FROM "access_context" WHERE "key" = ${keyOf(kind, `"${kind}"."id"`, general)})`,
];

const passing = (table: 'collection_member' | 'library_item'): string =>
  table === 'collection_member'
    ? `SELECT "member_type", "member_id", 'collection', "collection_id" FROM "collection_member" WHERE "passes" = 1`
    : `SELECT 'item', "item_id", 'library', "library_id" FROM "library_item"`;

/** What passes its entries on to which entity, and the entities of each context. */
const views = (containers: readonly string[], kinds: readonly GuardedTable[]): readonly string[] => [
  `CREATE VIEW "access_container" ("member_type", "member_id", "type", "id") AS ${containers.join(' UNION ALL ')}`,
  `CREATE VIEW "access_place" ("type", "context", "id") AS ${kinds
    .map((kind) => `SELECT '${kind}', "context", "id" FROM "${kind}"`)
    .join(' UNION ALL ')}`,
];

/** For the migration that makes libraries: from then on they pass their entries on to their items. */
export const libraryViews: readonly string[] = [
  'DROP VIEW "access_container"',
  'DROP VIEW "access_place"',
  ...views([passing('collection_member'), passing('library_item')], ['item', 'collection', 'library']),
];

export const accessMigration: Migration = {
  number: 17,
  name: 'access',
  statements: [
    // 1: the entity itself. Then two bits each for items, collections and libraries in it: direct members, and deeper.
    `ALTER TABLE "access_entry" ADD COLUMN "reach" INTEGER NOT NULL DEFAULT 43`,
    `ALTER TABLE "access_entry" ADD COLUMN "rooted" INTEGER NOT NULL DEFAULT 1`,
    `ALTER TABLE "access_entry" ADD COLUMN "extradata" TEXT`,
    `ALTER TABLE "collection_member" ADD COLUMN "passes" INTEGER NOT NULL DEFAULT 1`,
    `ALTER TABLE "item" ADD COLUMN "context" INTEGER`,
    `ALTER TABLE "collection" ADD COLUMN "context" INTEGER`,
    `CREATE INDEX "item_context" ON "item" ("context", "serial")`,
    `CREATE INDEX "collection_context" ON "collection" ("context", "serial")`,
    `CREATE TABLE "access_context" (
       "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "kind" TEXT NOT NULL,
       "key" TEXT NOT NULL UNIQUE
     )`,
    `CREATE TABLE "access_context_entry" (
       "principal" TEXT NOT NULL,
       "context" INTEGER NOT NULL,
       "position" INTEGER NOT NULL,
       "permission" TEXT NOT NULL,
       "priority" INTEGER NOT NULL,
       "grantor_id" TEXT,
       "by_owner" INTEGER NOT NULL,
       PRIMARY KEY ("principal", "context", "position")
     ) WITHOUT ROWID`,
    `CREATE INDEX "access_context_entry_of" ON "access_context_entry" ("context")`,
    `CREATE TABLE "access_context_parent" (
       "collection_id" TEXT NOT NULL,
       "context" INTEGER NOT NULL,
       PRIMARY KEY ("collection_id", "context")
     ) WITHOUT ROWID`,
    `CREATE INDEX "access_context_parent_of" ON "access_context_parent" ("context")`,
    `CREATE TRIGGER "access_context_made" AFTER INSERT ON "access_context" BEGIN
       INSERT INTO "access_context_entry"
         SELECT 'u:' || (NEW."key" ->> 1), NEW."id", -1, 'OWNER', 0, NULL, 0 WHERE (NEW."key" ->> 1) IS NOT NULL;
       INSERT INTO "access_context_entry"
         SELECT each.value ->> 0, NEW."id", each.key, each.value ->> 1, each.value ->> 2, each.value ->> 3,
             COALESCE(each.value ->> 3 = NEW."key" ->> 1, 0)
           FROM json_each(NEW."key", '$[2]') AS each;
       INSERT INTO "access_context_parent" SELECT each.value, NEW."id" FROM json_each(NEW."key", '$[3]') AS each;
     END`,
    `CREATE TRIGGER "access_context_unmade" AFTER DELETE ON "access_context" BEGIN
       DELETE FROM "access_context_entry" WHERE "context" = OLD."id";
       DELETE FROM "access_context_parent" WHERE "context" = OLD."id";
     END`,
    ...views([passing('collection_member')], ['item', 'collection']),
    ...fill('item'),
    ...fill('collection'),
    ...contextTriggers('item'),
    ...contextTriggers('collection'),
    `CREATE TRIGGER "access_group_gone" AFTER DELETE ON "group" BEGIN
       DELETE FROM "access_entry" WHERE "group_id" = OLD."id";
     END`,
    `CREATE TABLE "import_access" (
       "user_id" TEXT NOT NULL,
       "group_id" TEXT NOT NULL,
       "permission" TEXT NOT NULL,
       PRIMARY KEY ("user_id", "group_id")
     ) WITHOUT ROWID`,
    `CREATE INDEX "import_access_group" ON "import_access" ("group_id")`,
    `CREATE TRIGGER "import_access_group_gone" AFTER DELETE ON "group" BEGIN
       DELETE FROM "import_access" WHERE "group_id" = OLD."id";
     END`,
    `CREATE TABLE "import_settings" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "user_id" TEXT,
       "document" TEXT NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "import_settings_serial" ON "import_settings" ("serial")`,
  ],
};
