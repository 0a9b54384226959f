/** Before the first change of a commit: what an enforced rule counted until then. */
export const enforcementSchema: readonly string[] = [
  `CREATE TRIGGER "quota_rule_began" BEFORE UPDATE OF "items", "bytes" ON "quota_rule" WHEN OLD."enforce" = 1 BEGIN
       INSERT INTO "quota_began" ("rule_id", "items", "bytes") SELECT OLD."id", OLD."items", OLD."bytes"
         WHERE NOT EXISTS (SELECT 1 FROM "quota_began" WHERE "rule_id" = OLD."id");
     END`,
];
