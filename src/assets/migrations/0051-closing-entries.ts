import type { Migration } from '../../store/migrations/index.ts';
import { type ContextEntries, contextTriggers, entryOfContext, type GuardedTable } from './0017-access.ts';

/** Entries for fields and shapes, too: searches ask for what they close. Nothing that is searched depends on addresses. */
const entries: ContextEntries = {
  entry: `CASE WHEN "operation" IS NULL THEN ${entryOfContext}
               ELSE json_insert(${entryOfContext}, '$[4]', "operation", '$[5]', "extradata") END`,
  counts: (row) => `(${row}"operation" IS NULL OR ${row}"operation" <> 'URI') AND ${row}"reach" & 1`,
};

const kinds: readonly GuardedTable[] = ['item', 'collection', 'library'];
const names = ['granted', 'regranted', 'revoked', 'joined', 'left', 'moved', 'gone'];

/** The entries for fields and shapes become parts of contexts. */
export const closingEntriesMigration: Migration = {
  number: 51,
  name: 'closing-entries',
  statements: [
    `CREATE TABLE "access_context_operation" (
       "principal" TEXT NOT NULL,
       "context" INTEGER NOT NULL,
       "position" INTEGER NOT NULL,
       "permission" TEXT NOT NULL,
       "priority" INTEGER NOT NULL,
       "grantor_id" TEXT,
       "by_owner" INTEGER NOT NULL,
       "operation" TEXT NOT NULL,
       "extradata" TEXT,
       PRIMARY KEY ("principal", "context", "position")
     ) WITHOUT ROWID`,
    `CREATE INDEX "access_context_operation_of" ON "access_context_operation" ("context")`,
    `CREATE INDEX "access_entry_closing" ON "access_entry" ("operation", "user_id", "group_id")
       WHERE permission = 'NONE' AND operation IS NOT NULL`,
    'DROP TRIGGER "access_context_made"',
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
    'DROP TRIGGER "access_context_unmade"',
    `CREATE TRIGGER "access_context_unmade" AFTER DELETE ON "access_context" BEGIN
       DELETE FROM "access_context_entry" WHERE "context" = OLD."id";
       DELETE FROM "access_context_operation" WHERE "context" = OLD."id";
       DELETE FROM "access_context_parent" WHERE "context" = OLD."id";
     END`,
    ...kinds.flatMap((kind) => [
      ...names.map((name) => `DROP TRIGGER "access_${kind}_${name}"`),
      ...contextTriggers(kind, entries),
    ]),
    // Finds a context, by the triggers, for each entity that has such entries.
    `UPDATE "access_entry" SET "reach" = "reach" WHERE "operation" IN ('METADATA', 'SHAPE')`,
  ],
};
