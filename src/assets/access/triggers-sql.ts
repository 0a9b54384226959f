/** Kinds of entities in tables of the same name, whose column `context` the triggers maintain. */
const kinds = ['item', 'collection', 'library'] as const;

type Kind = (typeof kinds)[number];

const general = `json_array(CASE WHEN "user_id" IS NULL THEN 'g:' || "group_id" ELSE 'u:' || "user_id" END,
               "permission", "priority", CASE WHEN "rooted" = 1 THEN NULL ELSE "grantor_id" END)`;

/** JSON of an entry in the key of a context. Entries for one operation have two more values. */
const entry = `CASE WHEN "operation" IS NULL THEN ${general}
               ELSE json_insert(${general}, '$[4]', "operation", '$[5]', "extradata") END`;

/**
 * Condition: the entry affects searches. Entries for URIs do not, so contexts leave them out. `row`: alias with a dot.
 */
const counts = (row: string): string =>
  `(${row}"operation" IS NULL OR ${row}"operation" <> 'URI') AND ${row}"reach" & 1`;

/**
 * Key of a context: kind, owner, own entries, and the collections that pass theirs on. Entities with the same key share
 * a context.
 */
const keyOf = (kind: Kind, id: string): string => `json_array('${kind}',
         (SELECT "user_id" FROM "access_entry"
           WHERE "entity_type" = '${kind}' AND "entity_id" = ${id} AND "permission" = 'OWNER'),
         json((SELECT json_group_array(json("entry")) FROM (
           SELECT DISTINCT ${entry} AS "entry"
             FROM "access_entry" WHERE "entity_type" = '${kind}' AND "entity_id" = ${id}
               AND "permission" <> 'OWNER' AND ${counts('')} ORDER BY 1))),
         json((SELECT json_group_array("collection_id") FROM (
           SELECT "collection_id" FROM "collection_member"
             WHERE "member_type" = '${kind}' AND "member_id" = ${id} AND "passes" = 1 ORDER BY 1))))`;

/** Looks for an existing context first: computing the key is most of the cost. */
const place = (kind: Kind, id: string): string => `
       UPDATE "${kind}" SET "context" = (SELECT "id" FROM "access_context" WHERE "key" = ${keyOf(kind, id)})
         WHERE "id" = ${id};
       INSERT INTO "access_context" ("kind", "key") SELECT '${kind}', ${keyOf(kind, id)}
         FROM "${kind}" WHERE "id" = ${id} AND "context" IS NULL;
       UPDATE "${kind}" SET "context" = (SELECT "id" FROM "access_context" WHERE "key" = ${keyOf(kind, id)})
         WHERE "id" = ${id} AND "context" IS NULL;`;

const leave = (kind: Kind): string => `
       DELETE FROM "access_context" WHERE "id" = OLD."context"
         AND NOT EXISTS (SELECT 1 FROM "${kind}" WHERE "context" = OLD."context");`;

/** Triggers for a table with the columns `id` and `context`. */
const contextTriggers = (kind: Kind): readonly string[] => [
  `CREATE TRIGGER "access_${kind}_granted" AFTER INSERT ON "access_entry"
       WHEN NEW."entity_type" = '${kind}' AND ${counts('NEW.')} BEGIN${place(kind, 'NEW."entity_id"')}
     END`,
  `CREATE TRIGGER "access_${kind}_regranted" AFTER UPDATE ON "access_entry"
       WHEN NEW."entity_type" = '${kind}' BEGIN${place(kind, 'NEW."entity_id"')}
     END`,
  `CREATE TRIGGER "access_${kind}_revoked" AFTER DELETE ON "access_entry"
       WHEN OLD."entity_type" = '${kind}' AND ${counts('OLD.')} BEGIN${place(kind, 'OLD."entity_id"')}
     END`,
  `CREATE TRIGGER "access_${kind}_joined" AFTER INSERT ON "collection_member"
       WHEN NEW."member_type" = '${kind}' AND NEW."passes" = 1 BEGIN${place(kind, 'NEW."member_id"')}
     END`,
  `CREATE TRIGGER "access_${kind}_left" AFTER DELETE ON "collection_member"
       WHEN OLD."member_type" = '${kind}' AND OLD."passes" = 1 BEGIN${place(kind, 'OLD."member_id"')}
     END`,
  `CREATE TRIGGER "access_${kind}_moved" AFTER UPDATE OF "context" ON "${kind}"
       WHEN OLD."context" IS NOT NULL AND OLD."context" IS NOT NEW."context" BEGIN${leave(kind)}
     END`,
  `CREATE TRIGGER "access_${kind}_gone" AFTER DELETE ON "${kind}" WHEN OLD."context" IS NOT NULL BEGIN${leave(kind)}
     END`,
];

/** Condition: entries of the row reach others below. `row`: alias of a row of `access_entry`. */
const isAbove = (row: string): string =>
  `(${row}.entity_type = 'library' OR (${row}.entity_type = 'collection' AND ${row}.reach > 1
      AND EXISTS (SELECT 1 FROM access_context_parent WHERE collection_id = ${row}.entity_id)))`;

/** Condition: the row of `collection_member` is about a collection with contexts below. */
const isMoved = (row: string): string =>
  `${row}.member_type = 'collection'
      AND EXISTS (SELECT 1 FROM access_context_parent WHERE collection_id = ${row}.member_id)`;

/** Name of the revision in `counter`. */
export const accessCounter = 'access';

const countingOn = (table: string, change: string, when = '1'): string =>
  `CREATE TRIGGER "access_revision_${table}_${change.toLowerCase().replaceAll(' ', '_')}" AFTER ${change} ON "${table}"
       WHEN ${when} BEGIN UPDATE counter SET value = value + 1 WHERE name = '${accessCounter}'; END`;

/** Revision of all that decides about access beside the contexts of entities: see `revisionSchema`. */
export const revisionOfAccess = `(SELECT value FROM counter WHERE name = '${accessCounter}')`;

/**
 * Triggers that count the revision: when entries reach contexts from the collections above, when such collections move,
 * and when the groups or the state of users change. Entries of libraries count always: their items have no context.
 */
const revisionSchema = (): readonly string[] => [
  `INSERT INTO counter (name, value) VALUES ('${accessCounter}', 0)`,
  countingOn('access_entry', 'INSERT', isAbove('NEW')),
  countingOn('access_entry', 'UPDATE', `${isAbove('OLD')} OR ${isAbove('NEW')}`),
  countingOn('access_entry', 'DELETE', isAbove('OLD')),
  countingOn('collection_member', 'INSERT', isMoved('NEW')),
  countingOn('collection_member', 'UPDATE', isMoved('NEW')),
  countingOn('collection_member', 'DELETE', isMoved('OLD')),
  ...['group_user', 'group_group'].flatMap((table) =>
    ['INSERT', 'UPDATE', 'DELETE'].map((change) => countingOn(table, change)),
  ),
  countingOn('group', 'UPDATE OF name'),
  countingOn('group', 'DELETE'),
  countingOn('user', 'UPDATE OF enabled'),
  countingOn('user', 'DELETE'),
];

export const accessSchema = (): readonly string[] => [
  ...revisionSchema(),
  `CREATE VIEW "access_place" ("type", "context", "id") AS ${kinds
    .map((kind) => `SELECT '${kind}', "context", "id" FROM "${kind}"`)
    .join(' UNION ALL ')}`,
  `CREATE TRIGGER "access_context_made" AFTER INSERT ON "access_context" BEGIN
       INSERT INTO "access_context_entry"
         SELECT 'u:' || (NEW."key" ->> 1), NEW."id", -1, 'OWNER', 0, NULL, 0 WHERE (NEW."key" ->> 1) IS NOT NULL;
       INSERT INTO "access_context_entry"
         SELECT each.value ->> 0, NEW."id", each.key, each.value ->> 1, each.value ->> 2, each.value ->> 3,
             COALESCE(each.value ->> 3 = NEW."key" ->> 1, 0)
           FROM json_each(NEW."key", '$[2]') AS each WHERE (each.value ->> 4) IS NULL;
       INSERT INTO "access_context_operation"
         SELECT each.value ->> 0, NEW."id", each.key, each.value ->> 1, each.value ->> 2, each.value ->> 3,
             COALESCE(each.value ->> 3 = NEW."key" ->> 1, 0), each.value ->> 4, each.value ->> 5
           FROM json_each(NEW."key", '$[2]') AS each WHERE (each.value ->> 4) IS NOT NULL;
       INSERT INTO "access_context_parent" SELECT each.value, NEW."id" FROM json_each(NEW."key", '$[3]') AS each;
     END`,
  `CREATE TRIGGER "access_context_unmade" AFTER DELETE ON "access_context" BEGIN
       DELETE FROM "access_context_entry" WHERE "context" = OLD."id";
       DELETE FROM "access_context_operation" WHERE "context" = OLD."id";
       DELETE FROM "access_context_parent" WHERE "context" = OLD."id";
     END`,
  ...kinds.flatMap(contextTriggers),
  `CREATE TRIGGER "access_group_gone" AFTER DELETE ON "group" BEGIN
       DELETE FROM "access_entry" WHERE "group_id" = OLD."id";
     END`,
  `CREATE TRIGGER "import_access_group_gone" AFTER DELETE ON "group" BEGIN
       DELETE FROM "import_access" WHERE "group_id" = OLD."id";
     END`,
];
