import type { Migration } from '../../store/migrations/index.ts';
import { countingSchema } from '../counting/triggers-sql.ts';
import { enforcementSchema } from '../enforcement/schema-sql.ts';
import { isOver } from '../rules/over.ts';

/**
 * Rules, and their usage. `marked` counts the changes that the triggers do not follow, `counted` how many of them the
 * usage has seen: where the two are equal, it is exact.
 */
export const quotaMigration: Migration = {
  number: 21,
  name: 'quota',
  statements: [
    `CREATE TABLE "quota_rule" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "description" TEXT,
       "collection_id" TEXT,
       "library_id" TEXT,
       "user_id" TEXT,
       "user" TEXT,
       "group_id" TEXT,
       "group" TEXT,
       "storage_id" TEXT,
       "storage_group" TEXT,
       "tag" TEXT,
       "key" TEXT NOT NULL,
       "item_limit" INTEGER,
       "storage_limit" INTEGER,
       "items" INTEGER NOT NULL DEFAULT 0,
       "bytes" INTEGER NOT NULL DEFAULT 0,
       "marked" INTEGER NOT NULL DEFAULT 1,
       "counted" INTEGER NOT NULL DEFAULT 0,
       "recounts" INTEGER NOT NULL DEFAULT 0,
       "warned" INTEGER NOT NULL DEFAULT 0,
       "enforce" INTEGER NOT NULL DEFAULT 0,
       "update_frequency" INTEGER NOT NULL,
       "last_update" INTEGER,
       "due" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "quota_rule_serial" ON "quota_rule" ("serial")`,
    `CREATE INDEX "quota_rule_key" ON "quota_rule" ("key")`,
    ...['collection_id', 'group_id', 'storage_group'].map(
      (column) => `CREATE INDEX "quota_rule_${column}" ON "quota_rule" ("${column}") WHERE "${column}" IS NOT NULL`,
    ),
    `CREATE INDEX "quota_rule_due" ON "quota_rule" ("due")`,
    `CREATE INDEX "quota_rule_marked" ON "quota_rule" ("id") WHERE "marked" <> "counted"`,
    `CREATE INDEX "quota_rule_crossed" ON "quota_rule" ("id") WHERE ${isOver} <> "warned"`,
    `CREATE INDEX "quota_rule_enforced" ON "quota_rule" ("id") WHERE enforce = 1`,
    ...enforcementSchema,
    `CREATE TABLE "quota_point" (
       "rule_id" TEXT NOT NULL,
       "day" INTEGER NOT NULL,
       "items" INTEGER NOT NULL,
       "bytes" INTEGER NOT NULL,
       PRIMARY KEY ("rule_id", "day")
     ) WITHOUT ROWID`,
    ...countingSchema,
  ],
};
