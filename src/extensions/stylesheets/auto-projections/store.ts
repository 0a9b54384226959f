import { sql } from 'drizzle-orm';
import { attachment } from '../../../assets/metadata/public.ts';
import { guard } from '../../../core/store/guard.ts';
import { deleteBy, rowBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../../core/store/statement.ts';
import { autoProjectionDue, autoProjectionFailure } from './tables.ts';

/** Switched-on and switched-off rules are different kinds, so that each list is one read. */
export const rulesOwner = { type: 'projection', id: '' } as const;
export const [switchedOn, switchedOff] = ['auto-projection', 'auto-projection-off'] as const;

/** Marks causes that are not change sets. */
export const noChangeSet = '-';

const rules = sql`attachment WHERE owner_type = 'projection' AND owner_id = '' AND kind = 'auto-projection'`;

const shapeOf = sql`CASE given.value ->> 4
    WHEN 'component' THEN (SELECT shape_id FROM component WHERE id = given.value ->> 5) ELSE given.value ->> 5 END`;
/** Touches of bulky metadata carry its owner alone. */
const itemOf = sql`coalesce(given.value ->> 0, (SELECT item_id FROM shape WHERE id = ${shapeOf}))`;

/**
 * Queues items. `causes`: JSON array of arrays: item, cause, target, change set, type and id of the owner of bulky
 * metadata. Inserts nothing while no rule is switched on.
 */
export const makeDue = statement<{ causes: readonly unknown[]; depth: number; now: number }>(
  sql`INSERT INTO ${writes('auto_projection_due')} (item_id, cause, target_id, since, depth, due)
    SELECT ${itemOf}, given.value ->> 1, given.value ->> 2, given.value ->> 3, ${value('depth')}, ${value('now')}
      FROM ${eachOf('causes')} AS given WHERE EXISTS (SELECT 1 FROM ${rules}) AND ${itemOf} IS NOT NULL
    ON CONFLICT (item_id, cause, target_id) DO UPDATE SET depth = max(depth, excluded.depth),
      later = CASE later WHEN '' THEN excluded.since ELSE later END`,
);

export const projectionsDue = sql`SELECT min(due) FROM auto_projection_due`;

/** The item that has waited longest. */
export const nextDueProjection = query((db) =>
  db.select().from(autoProjectionDue).orderBy(autoProjectionDue.due).limit(1),
).first;

export type DueProjection = NonNullable<Awaited<ReturnType<typeof nextDueProjection>>>;

/** Number of due items, up to a limit. */
export const countDueProjections = query(
  sql`SELECT count(*), min(due) FROM (SELECT due FROM auto_projection_due ORDER BY due LIMIT ${value('limit')})`,
  { waiting: sql<number>``, oldest: sql<number | null>`` },
).first;

type Key = { readonly itemId: string; readonly cause: string; readonly targetId: string };
const ofKey = sql`item_id = ${value('itemId')} AND cause = ${value('cause')} AND target_id = ${value('targetId')}`;

/** Guard: the row is as an instance read it, or took it. */
export const dueIsStill = guard<Key & { due: number }>(
  sql`EXISTS (SELECT 1 FROM auto_projection_due WHERE ${ofKey} AND due = ${value('due')})`,
);

/**
 * Takes the lease. All rules see the changes up to now. If some rules already ran, they run again for newer changes.
 */
export const takeDue = statement<Key & { until: number }>(
  sql`UPDATE ${writes('auto_projection_due')} SET due = ${value('until')}, later = CASE done WHEN '' THEN '' ELSE later END
    WHERE ${ofKey}`,
);

export const keepDue = statement<Key & { until: number }>(
  sql`UPDATE ${writes('auto_projection_due')} SET due = ${value('until')} WHERE ${ofKey}`,
);

export const ruleDone = statement<Key & { name: string }>(
  sql`UPDATE ${writes('auto_projection_due')} SET done = ${value('name')} WHERE ${ofKey}`,
);

const forgetDue = statement<Key>(sql`DELETE FROM ${writes('auto_projection_due')} WHERE ${ofKey} AND later = ''`);
const beginAnew = statement<Key & { now: number }>(
  sql`UPDATE ${writes('auto_projection_due')} SET since = later, later = '', done = '', due = ${value('now')} WHERE ${ofKey}`,
);

/** Ends a run after the last rule. Changes made meanwhile make the item due again. */
export const endDue = (key: Key, now: number) => [forgetDue({ ...key }), beginAnew({ ...key, now })];

/** The next switched-on rule by name. */
export const nextRule = query(
  sql`SELECT name, content FROM ${rules} AND name > ${value('behind')} ORDER BY name LIMIT 1`,
  { name: attachment.name, content: attachment.content },
).first;

export const failureOf = rowBy(autoProjectionFailure, 'name');

/** Stores a failure if the rule still exists. */
export const setFailure = statement<{ name: string; now: number; says: string }>(
  sql`INSERT INTO ${writes('auto_projection_failure')} (name, at, says)
    SELECT name, ${value('now')}, ${value('says')} FROM ${rules} AND name = ${value('name')}
    ON CONFLICT (name) DO UPDATE SET at = excluded.at, says = excluded.says`,
);

export const forgetFailure = deleteBy(autoProjectionFailure, 'name');
