import { counting } from '../../core/store/revision.ts';
import { deleted, everyChange, goesWith, inserted, triggers, updated } from '../../core/store/triggers-sql.ts';

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
const place = (kind: Kind, id: string): readonly string[] => {
  const toContext = `UPDATE "${kind}" SET "context" = (SELECT "id" FROM "access_context" WHERE "key" = ${keyOf(kind, id)})
    WHERE "id" = ${id}`;
  return [
    toContext,
    `INSERT INTO "access_context" ("kind", "key") SELECT '${kind}', ${keyOf(kind, id)}
         FROM "${kind}" WHERE "id" = ${id} AND "context" IS NULL`,
    `${toContext} AND "context" IS NULL`,
  ];
};

/** Triggers for a table with the columns `id` and `context`. */
function contextTriggers(kind: Kind): readonly string[] {
  const ofEntry = (row: string) => place(kind, `${row}.entity_id`);
  const isEntry = (row: string) => `${row}.entity_type = '${kind}' AND ${counts(`${row}.`)}`;
  const ofMember = (row: string) => place(kind, `${row}.member_id`);
  const isHeir = (row: string) => `${row}.member_type = '${kind}' AND ${row}.passes = 1`;
  const leave = `DELETE FROM access_context WHERE id = OLD.context
    AND NOT EXISTS (SELECT 1 FROM "${kind}" WHERE context = OLD.context)`;
  return triggers({
    [`access_${kind}_granted`]: inserted('access_entry', ofEntry, isEntry),
    [`access_${kind}_regranted`]: updated('access_entry', '', ofEntry, `NEW.entity_type = '${kind}'`),
    [`access_${kind}_revoked`]: deleted('access_entry', ofEntry, isEntry),
    [`access_${kind}_joined`]: inserted('collection_member', ofMember, isHeir),
    [`access_${kind}_left`]: deleted('collection_member', ofMember, isHeir),
    [`access_${kind}_moved`]: updated(
      kind,
      'context',
      leave,
      'OLD.context IS NOT NULL AND OLD.context IS NOT NEW.context',
    ),
    [`access_${kind}_gone`]: deleted(kind, leave, 'OLD.context IS NOT NULL'),
  });
}

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

const revised = () => counting(`'${accessCounter}'`);

/** Revision of all that decides about access beside the contexts of entities: see `revisionSchema`. */
export const revisionOfAccess = `(SELECT value FROM counter WHERE name = '${accessCounter}')`;

/**
 * Triggers that count the revision: when entries reach contexts from the collections above, when such collections move,
 * and when the groups or the state of users change. Entries of libraries count always: their items have no context.
 */
const revisionSchema = (): readonly string[] => [
  `INSERT INTO counter (name, value) VALUES ('${accessCounter}', 0)`,
  ...triggers({
    access_revision_access_entry_insert: inserted('access_entry', revised, isAbove),
    access_revision_access_entry_update: updated('access_entry', '', revised, `${isAbove('OLD')} OR ${isAbove('NEW')}`),
    access_revision_access_entry_delete: deleted('access_entry', revised, isAbove),
    ...everyChange('access_revision_collection_member', 'collection_member', revised, isMoved),
    ...everyChange('access_revision_group_user', 'group_user', revised, '1'),
    ...everyChange('access_revision_group_group', 'group_group', revised, '1'),
    access_revision_group_update_of_name: updated('group', 'name', revised, '1'),
    access_revision_group_delete: deleted('group', revised, '1'),
    access_revision_user_update_of_enabled: updated('user', 'enabled', revised, '1'),
    access_revision_user_delete: deleted('user', revised, '1'),
  }),
];

export const accessSchema = (): readonly string[] => [
  ...revisionSchema(),
  `CREATE VIEW "access_place" ("type", "context", "id") AS ${kinds
    .map((kind) => `SELECT '${kind}', "context", "id" FROM "${kind}"`)
    .join(' UNION ALL ')}`,
  ...triggers({
    access_context_made: inserted('access_context', [
      `INSERT INTO access_context_entry
         SELECT 'u:' || (NEW.key ->> 1), NEW.id, -1, 'OWNER', 0, NULL, 0 WHERE (NEW.key ->> 1) IS NOT NULL`,
      `INSERT INTO access_context_entry
         SELECT each.value ->> 0, NEW.id, each.key, each.value ->> 1, each.value ->> 2, each.value ->> 3,
             COALESCE(each.value ->> 3 = NEW.key ->> 1, 0)
           FROM json_each(NEW.key, '$[2]') AS each WHERE (each.value ->> 4) IS NULL`,
      `INSERT INTO access_context_operation
         SELECT each.value ->> 0, NEW.id, each.key, each.value ->> 1, each.value ->> 2, each.value ->> 3,
             COALESCE(each.value ->> 3 = NEW.key ->> 1, 0), each.value ->> 4, each.value ->> 5
           FROM json_each(NEW.key, '$[2]') AS each WHERE (each.value ->> 4) IS NOT NULL`,
      `INSERT INTO access_context_parent SELECT each.value, NEW.id FROM json_each(NEW.key, '$[3]') AS each`,
    ]),
    access_context_unmade: deleted(
      'access_context',
      goesWith({
        access_context_entry: 'context',
        access_context_operation: 'context',
        access_context_parent: 'context',
      }),
    ),
  }),
  ...kinds.flatMap(contextTriggers),
  ...triggers({
    access_group_gone: deleted('group', goesWith({ access_entry: 'group_id' })),
    import_access_group_gone: deleted('group', goesWith({ import_access: 'group_id' })),
  }),
];
