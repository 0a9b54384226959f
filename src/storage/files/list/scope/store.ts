import { sql } from 'drizzle-orm';
import { rowsAmong } from '../../../../core/store/rows.ts';
import { eachOf, query, value, valuesOf } from '../../../../core/store/statement.ts';
import { fileUsage, storage, storageGroup } from '../../../tables.ts';

const usage = { storageId: storage.id, state: sql<string | null>``, files: sql<number | null>`` };
const isWanted = sql`deleted_at IS NULL AND show_importables >= ${value('importables')}
  AND (${value('groups')} IS NULL OR EXISTS (SELECT 1 FROM storage_group_member
    WHERE storage_id = storage.id AND group_name IN ${valuesOf('groups')}))`;

/** Number of files by state, for storages that are not deleted. Counted by triggers. */
export const usageOfAll = query(
  sql`SELECT storage.id, ${fileUsage.state}, ${fileUsage.files}
    FROM storage LEFT JOIN file_usage ON file_usage.storage_id = storage.id WHERE ${isWanted}`,
  usage,
);

/** Usage rows of the given storages. */
export const usageOfSome = query(
  sql`SELECT storage.id, ${fileUsage.state}, ${fileUsage.files} FROM ${eachOf('ids')} AS given
    CROSS JOIN storage ON storage.id = given.value LEFT JOIN file_usage ON file_usage.storage_id = storage.id
    WHERE ${isWanted}`,
  usage,
);

export type UsageRow = Awaited<ReturnType<typeof usageOfAll>>[number];

export const storageGroupsNamed = rowsAmong(storageGroup, 'name', 'names', 'name');

/** The least folder of these storages from one text up to another. The index gives it without a look at the others. */
const least = sql`(SELECT MIN((SELECT MIN(folder) FROM file
  WHERE storage_id = given.value AND folder >= ${sql.raw('lower_bound')} AND state <> 'TO_BE_DELETED'))
  FROM ${eachOf('ids')} AS given)`;

/** The names behind `below` up to the next slash, and what follows all that such a folder holds. */
const child = sql`${value('below')} || substr(folder, length(${value('below')}) + 1,
  instr(substr(folder, length(${value('below')}) + 1), '/') - 1)`;

/**
 * The folders at the next level below one: each step jumps over all that the folder before holds. `below` ends with a
 * slash, or is empty.
 */
export const foldersBelow = query(
  sql`WITH RECURSIVE found (folder) AS (
      SELECT ${least} FROM (SELECT ${value('below')} || char(1) AS lower_bound)
      UNION ALL
      SELECT (SELECT ${least} FROM (SELECT ${child} || '0' AS lower_bound)) FROM found
        WHERE substr(folder, 1, length(${value('below')})) = ${value('below')}
      LIMIT ${value('most')}
    )
    SELECT ${child} || '/' FROM found
    WHERE substr(folder, 1, length(${value('below')})) = ${value('below')}
    LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  { folder: sql<string>`` },
);
