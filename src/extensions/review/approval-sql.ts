import type { JoinedRows } from '../../assets/search/public.ts';
import { shape } from '../../assets/shapes/public.ts';
import { guard } from '../../core/store/guard.ts';
import { insertInto } from '../../core/store/rows.ts';
import { query, sql, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { approval } from './tables.ts';

const columns = {
  itemId: approval.itemId,
  essenceVersion: approval.essenceVersion,
  state: approval.state,
  comment: approval.comment,
  user: approval.user,
  at: approval.at,
};

/** States of a version, newest first. A reviewer has the name of now, if a user of the service. */
export const statesOfVersion = query(
  sql`SELECT item_id, essence_version, state, comment, coalesce(reviewer.name, approval.user), at
    FROM approval LEFT JOIN user AS reviewer ON reviewer.id = user_id
    WHERE item_id = ${value('itemId')} AND essence_version = ${value('version')}
    ORDER BY approval.id DESC LIMIT ${value('max')}`,
  columns,
);

export type ApprovalRow = Awaited<ReturnType<typeof statesOfVersion>>[number];

/** Reviews that are asked for of the latest versions of some items. */
export const reviewsAsked = query(
  sql`SELECT item_id, essence_version, state, comment, coalesce(reviewer.name, approval.user), at
    FROM approval LEFT JOIN user AS reviewer ON reviewer.id = user_id
    WHERE item_id IN ${valuesOf('itemIds')} AND is_current = 1 AND state = 'in-review' AND NOT EXISTS
      (SELECT 1 FROM ${shape} WHERE shape.item_id = approval.item_id AND shape.essence_version > approval.essence_version)`,
  columns,
);

/** Newest state of each version of some items. */
export const currentStates = query(
  sql`SELECT item_id, essence_version, state, at FROM approval
    WHERE item_id IN ${valuesOf('itemIds')} AND is_current = 1`,
  { itemId: approval.itemId, essenceVersion: approval.essenceVersion, state: approval.state, at: approval.at },
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
export const approvalSchema = (): readonly string[] => [
  `CREATE TRIGGER "approval_version_gone" AFTER DELETE ON "shape" BEGIN
       DELETE FROM "approval" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version"
         AND NOT EXISTS (SELECT 1 FROM "shape" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version");
     END`,
];
