import { desc, getTableColumns } from 'drizzle-orm';
import type { JoinedRows } from '../../assets/search/public.ts';
import { shape } from '../../assets/shapes/public.ts';
import { guard } from '../../core/store/guard.ts';
import { insertInto } from '../../core/store/rows.ts';
import { query, sql, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { deleted, triggers } from '../../core/store/triggers-sql.ts';
import { approval } from './tables.ts';

const { itemId, essenceVersion, state, comment, at } = getTableColumns(approval);
/** A reviewer has the name of now, if a user of the service. */
const user = sql<string>`coalesce((SELECT name FROM user WHERE user.id = ${approval.userId}), ${approval.user})`;
const columns = { itemId, essenceVersion, state, comment, user, at };

/** States of a version, newest first. */
export const statesOfVersion = query((db) =>
  db
    .select(columns)
    .from(approval)
    .where(sql`item_id = ${value('itemId')} AND essence_version = ${value('version')}`)
    .orderBy(desc(approval.id))
    .limit(value('max')),
);

export type ApprovalRow = Awaited<ReturnType<typeof statesOfVersion>>[number];

/** Reviews that are asked for of the latest versions of some items. */
export const reviewsAsked = query((db) =>
  db
    .select(columns)
    .from(approval)
    .where(
      sql`item_id IN ${valuesOf('itemIds')} AND is_current = 1 AND state = 'in-review' AND NOT EXISTS
        (SELECT 1 FROM ${shape} WHERE shape.item_id = approval.item_id AND shape.essence_version > approval.essence_version)`,
    ),
);

/** Newest state of each version of some items. */
export const currentStates = query((db) =>
  db
    .select({ itemId, essenceVersion, state, at })
    .from(approval)
    .where(sql`item_id IN ${valuesOf('itemIds')} AND is_current = 1`),
);

export const insertApproval = insertInto(
  approval,
  ...(['itemId', 'essenceVersion', 'state', 'comment', 'userId', 'user', 'at', 'isCurrent'] as const),
);

/** The newest state of a version becomes an earlier one. */
export const endCurrentState = statement<{ itemId: string; version: number }>(
  sql`UPDATE ${writes('approval')} SET is_current = 0
    WHERE item_id = ${value('itemId')} AND essence_version = ${value('version')} AND is_current = 1`,
);

/** States of the latest versions of items, as searches of items ask about them. */
export const approvalRows: JoinedRows = {
  table: 'approval',
  fields: {
    state: {
      type: 'text',
      value: `CASE WHEN row.is_current = 1 AND NOT EXISTS (SELECT 1 FROM shape
        WHERE shape.item_id = row.item_id AND shape.essence_version > row.essence_version) THEN row.state END`,
      narrows: '(row.is_current = 1 AND row.state = ?)',
    },
  },
};

/** Guard: the item has a shape of the version. */
export const versionThere = guard<{ itemId: string; version: number }>(
  sql`EXISTS (SELECT 1 FROM ${shape} WHERE item_id = ${value('itemId')} AND essence_version = ${value('version')})`,
);

/** Guard: the version has fewer states than the limit. */
export const statesFit = guard<{ itemId: string; version: number; max: number }>(
  sql`(SELECT count(*) FROM approval WHERE item_id = ${value('itemId')} AND essence_version = ${value('version')})
    < ${value('max')}`,
);

/** States are deleted with the last shape of their version: another version may get its number. */
export const approvalSchema = (): readonly string[] => {
  const isVersion = 'item_id = OLD.item_id AND essence_version = OLD.essence_version';
  const gone = `DELETE FROM approval WHERE ${isVersion} AND NOT EXISTS (SELECT 1 FROM shape WHERE ${isVersion})`;
  return triggers({ approval_version_gone: deleted('shape', gone) });
};
