import { type SQL, sql } from 'drizzle-orm';
import { guard } from '../../core/store/guard.ts';
import { statement, value, writes } from '../../core/store/statement.ts';
import { before, triggers, updated } from '../../core/store/triggers-sql.ts';
import { groupsBelow } from './counting/criteria-sql.ts';

/** A new commit begins. */
export const clearBegan = statement(sql`DELETE FROM ${writes('quota_began')}`);

const counts = sql`quota_began AS began CROSS JOIN quota_rule AS rule ON rule.id = began.rule_id AND rule.enforce = 1`;

/** More than before, and more than the limit: what makes less of it is no refusal. */
const moreItems = sql`(rule.items > rule.item_limit AND rule.items > began.items)`;
const moreBytes = sql`(rule.bytes > rule.storage_limit AND rule.bytes > began.bytes)`;

const isUncounted = sql`rule.marked <> rule.counted`;

/** The usage of each rule is known, so that the limits can be judged. */
export const allExact = guard(sql`NOT EXISTS (SELECT 1 FROM ${counts} WHERE ${isUncounted})`);

/** No rule is exceeded, and all are counted: one statement, because each commit of a request has it. */
const allFit = (exceeds: SQL) => guard(sql`NOT EXISTS (SELECT 1 FROM ${counts} WHERE ${isUncounted} OR ${exceeds})`);

const oneFits = (exceeds: SQL) =>
  guard<{ id: string }>(sql`NOT EXISTS (SELECT 1 FROM ${counts} WHERE rule.id = ${value('id')} AND ${exceeds})`);

/** Limits of items that a commit must not exceed. */
export const itemsFit = { all: allFit(moreItems), one: oneFits(moreItems) };
/** Limits of items or bytes for all rules, and those of bytes for one. */
export const bytesFit = { all: allFit(sql`(${moreItems} OR ${moreBytes})`), one: oneFits(moreBytes) };

/** Criteria that a file without an item can satisfy. `storage`: SQL. */
const fitsStorage = (storage: SQL) => sql`(rule.storage_id IS NULL OR rule.storage_id = ${storage})
  AND (rule.storage_group IS NULL OR rule.storage_group IN
    (SELECT group_name FROM storage_group_member WHERE storage_id = ${storage}))`;

/** Criteria by the owner of an item. `id`: SQL, the id of a user. */
const fitsOwner = (id: SQL) => sql`(rule.user_id IS NULL OR rule.user_id = ${id})
  AND (rule.group_id IS NULL OR ${id} IN (SELECT member.user_id FROM group_user AS member
    WHERE member.group_id IN (${sql.raw(groupsBelow('rule.group_id'))})))`;

/** A file counts for the rule even if it has no item. */
const isOfFiles = sql`coalesce(rule.collection_id, rule.library_id, rule.user_id, rule.group_id, rule.tag) IS NULL`;

/** A file of an item that is yet to come can count for the rule: what it will be in beside its owner is not known. */
const isOfOwners = sql`coalesce(rule.collection_id, rule.library_id, rule.tag) IS NULL`;

/** Owner of the item that gets the file. */
const owned = sql`EXISTS (SELECT 1 FROM user AS owner WHERE ${fitsOwner(sql`owner.id`)} AND (owner.name = ${value('user')}
  OR owner.id IN (SELECT entry.user_id FROM access_entry AS entry WHERE entry.entity_type = 'item'
    AND entry.entity_id = ${value('item')} AND entry.permission = 'OWNER')))`;

const countedSize = sql`(SELECT counted.size FROM quota_counted_file AS counted
  WHERE counted.rule_id = rule.id AND counted.file_id = ${value('file')})`;

/** Begins at the name, since there are more users than open uploads and jobs. `name`: SQL. */
const isOwnerOfRule = (name: SQL) =>
  sql`EXISTS (SELECT 1 FROM user AS owner WHERE owner.name = ${name} AND ${fitsOwner(sql`owner.id`)})`;

/** Bytes reserved by open uploads. */
const reserved = sql`(SELECT coalesce(sum(transfer.size), 0) FROM transfer
  WHERE transfer.state IN ('TRANSFERRING', 'WAITING') AND ${fitsStorage(sql`transfer.storage_id`)}
    AND (${isOfFiles} OR ${isOwnerOfRule(sql`transfer.owner`)}))`;

/** Bytes that are there, and whose job has not given them to their item yet. */
const awaitingItem = sql`(SELECT coalesce(sum(awaiting.size), 0) FROM job
  CROSS JOIN file_job AS named ON named.job_id = job.id AND named.reads = 0
  CROSS JOIN file AS awaiting ON awaiting.id = named.file_id
  WHERE job.finished_at IS NULL AND ${isOwnerOfRule(sql`job.user`)} AND ${fitsStorage(sql`awaiting.storage_id`)}
    AND NOT EXISTS (SELECT 1 FROM file_use WHERE file_use.file_id = awaiting.id))`;

/** Guards that a file may take more bytes, beside those of begun uploads. */
export const quotaBytesFit = guard<{
  id: string;
  storage: string;
  file: string | null;
  bytes: number;
  item: string | null;
  user: string | null;
}>(
  sql`NOT EXISTS (SELECT 1 FROM quota_rule AS rule WHERE rule.id = ${value('id')} AND rule.enforce = 1
    AND ${value('bytes')} > coalesce(${countedSize}, 0)
    AND (${countedSize} IS NOT NULL
      OR ((${isOfFiles} OR (${isOfOwners} AND ${owned})) AND ${fitsStorage(sql`${value('storage')}`)}))
    AND rule.bytes - coalesce(${countedSize}, 0) + ${value('bytes')} + CASE WHEN ${isOfFiles} THEN ${reserved}
      WHEN ${isOfOwners} THEN ${reserved} + ${awaitingItem} ELSE 0 END
      > rule.storage_limit)`,
);

/** Before the first change of a commit: what an enforced rule counted until then. */
export const enforcementSchema = (): readonly string[] => {
  const begins = `INSERT INTO quota_began (rule_id, items, bytes) SELECT OLD.id, OLD.items, OLD.bytes
    WHERE NOT EXISTS (SELECT 1 FROM quota_began WHERE rule_id = OLD.id)`;
  return triggers({ quota_rule_began: before(updated('quota_rule', 'items, bytes', begins, 'OLD.enforce = 1')) });
};
