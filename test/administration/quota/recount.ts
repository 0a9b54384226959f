/**
 * Counts of rules, in SQL that shares nothing with the service: all items, files and uses are asked by all criteria. As
 * the last statement of a commit it judges that commit, whatever others do at the same time.
 */

const gone = `('LOST', 'MISSING', 'TO_BE_DELETED')`;

const recount = `WITH RECURSIVE
  group_in (inner_id, outer_id) AS (
    SELECT id, id FROM "group"
    UNION SELECT group_in.inner_id, parent_id FROM group_in JOIN group_group ON child_id = group_in.outer_id),
  collection_in (inner_id, outer_id) AS (
    SELECT id, id FROM collection
    UNION SELECT collection_in.inner_id, collection_id FROM collection_in
      JOIN collection_member ON member_type = 'collection' AND member_id = collection_in.outer_id),
  owned (item_id, user_id) AS (
    SELECT entity_id, user_id FROM access_entry WHERE entity_type = 'item' AND permission = 'OWNER'),
  named (item_id) AS (SELECT id FROM item UNION SELECT item_id FROM file_use),
  right_item (rule_id, item_id) AS (
    SELECT rule.id, named.item_id FROM quota_rule AS rule CROSS JOIN named
    WHERE (rule.user_id IS NULL OR (named.item_id, rule.user_id) IN (SELECT item_id, user_id FROM owned))
      AND (rule.group_id IS NULL OR (named.item_id, rule.group_id) IN (
        SELECT owned.item_id, group_in.outer_id FROM owned JOIN group_user USING (user_id)
          JOIN group_in ON group_in.inner_id = group_user.group_id))
      AND (rule.collection_id IS NULL OR (named.item_id, rule.collection_id) IN (
        SELECT member_id, outer_id FROM collection_member JOIN collection_in ON inner_id = collection_id
        WHERE member_type = 'item'))
      AND (rule.library_id IS NULL OR (named.item_id, rule.library_id) IN (SELECT item_id, library_id FROM library_item))),
  right_file (rule_id, file_id, size) AS (
    SELECT rule.id, file.id, coalesce(file.size, 0) FROM quota_rule AS rule CROSS JOIN file
    WHERE file.state NOT IN ${gone}
      AND (rule.storage_id IS NULL OR file.storage_id = rule.storage_id)
      AND (rule.storage_group IS NULL OR (file.storage_id, rule.storage_group) IN (
        SELECT storage_id, group_name FROM storage_group_member))),
  right_use (rule_id, item_id, file_id) AS (
    SELECT rule.id, item_id, file_id FROM quota_rule AS rule CROSS JOIN file_use
    WHERE (rule.id, file_id) IN (SELECT rule_id, file_id FROM right_file)
      AND (rule.tag IS NULL OR (shape_id, rule.tag) IN (SELECT shape_id, tag FROM shape_tagged))),
  counts (id, says_items, says_bytes, items, bytes) AS (
    SELECT rule.id, rule.items, rule.bytes,
      (SELECT count(*) FROM item WHERE (rule.id, item.id) IN (SELECT rule_id, item_id FROM right_item)
        AND CASE WHEN rule.storage_id IS NOT NULL OR rule.storage_group IS NOT NULL
          THEN (rule.id, item.id) IN (SELECT rule_id, item_id FROM right_use)
          ELSE rule.tag IS NULL OR (item.id, rule.tag) IN (SELECT item_id, tag FROM shape_tagged) END),
      (SELECT coalesce(sum(size), 0) FROM right_file WHERE rule_id = rule.id
        AND (coalesce(rule.user_id, rule.group_id, rule.collection_id, rule.library_id, rule.tag) IS NULL
          OR (rule.id, file_id) IN (
            SELECT right_use.rule_id, right_use.file_id FROM right_use JOIN right_item USING (rule_id, item_id))))
    FROM quota_rule AS rule WHERE marked = counted)
SELECT id, says_items, items, says_bytes, bytes FROM counts`;

/** The tables of the judgement: who has committed, and which rules were wrong behind which commit. */
export const judgeTables = [
  'CREATE TABLE judged (instance TEXT NOT NULL, turn INTEGER NOT NULL, rules INTEGER NOT NULL)',
  `CREATE TABLE wrong (turn TEXT NOT NULL, rule_id TEXT NOT NULL, says_items INTEGER, items INTEGER, says_bytes INTEGER,
     bytes INTEGER)`,
];

/** Statements that record wrong usage of unmarked rules. Marked rules have no usage until somebody counts them. */
export const judge = (instance: string, turn: number) => [
  {
    sql: `INSERT INTO wrong SELECT ? AS turn, * FROM (${recount}) WHERE says_items <> items OR says_bytes <> bytes`,
    args: [`${instance} ${turn}`],
  },
  {
    sql: 'INSERT INTO judged SELECT ?, ?, count(*) FROM quota_rule WHERE marked = counted',
    args: [instance, turn],
  },
];
