import { sql } from 'drizzle-orm';
import { dueWhile } from '../../../../core/store/due.ts';
import { guard } from '../../../../core/store/guard.ts';
import { eachOf, query, statement, value, writes } from '../../../../core/store/statement.ts';
import { inheritanceChange } from '../tables.ts';

const { type, id, run, position } = inheritanceChange;

export const changedItems = query((db) =>
  db.select({ id, run }).from(inheritanceChange).where(sql`${type} = 'item'`).orderBy(id).limit(value('limit')),
);

export const changedCollection = query((db) =>
  db.select({ id, run, position }).from(inheritanceChange).where(sql`${type} = 'collection'`).orderBy(id).limit(1),
).first;

/** Deletes processed items, unless they changed again. `rows`: JSON array of ids with runs. */
export const forgetItems = statement<{ rows: readonly unknown[] }>(
  sql`DELETE FROM ${writes('inheritance_change')} WHERE (type, id, run) IN
    (SELECT 'item', value ->> 0, value ->> 1 FROM ${eachOf('rows')})`,
);

type Standing = { readonly id: string; readonly run: number; readonly position: string };

export const changeStands = guard<Standing>(
  sql`EXISTS (SELECT 1 FROM inheritance_change WHERE type = 'collection' AND id = ${value('id')}
    AND run = ${value('run')} AND position = ${value('position')})`,
);

/** The next members after a cursor. */
export const membersBehind = query(
  sql`SELECT member_type, member_id FROM collection_member WHERE collection_id = ${value('id')}
      AND (member_type, member_id) > (${value('type')}, ${value('member')}) AND member_type <> 'library'
    ORDER BY member_type, member_id LIMIT ${value('limit')}`,
  { type: sql<'item' | 'collection'>``, id: sql<string>`` },
);

/** Queues entities. `rows`: JSON array of types and ids. */
export const insertChanges = statement<{ rows: readonly unknown[] }>(
  sql`INSERT INTO ${writes('inheritance_change')} (type, id, run, position)
    SELECT value ->> 0, value ->> 1, 1, '' FROM ${eachOf('rows')} WHERE TRUE
    ON CONFLICT (type, id) DO UPDATE SET run = run + 1, position = ''`,
);

export const advanceChange = statement<{ id: string; position: string }>(
  sql`UPDATE ${writes('inheritance_change')} SET position = ${value('position')} WHERE type = 'collection' AND id = ${value('id')}`,
);

export const forgetCollection = statement<{ id: string }>(
  sql`DELETE FROM ${writes('inheritance_change')} WHERE type = 'collection' AND id = ${value('id')}`,
);

export const changesDue = dueWhile(sql`SELECT 1 FROM inheritance_change`);

/** Number of queued entities, up to a limit. */
export const countChanges = query(
  sql`SELECT count(*) FROM (SELECT 1 FROM inheritance_change LIMIT ${value('limit')})`,
  { count: sql<number>`` },
);
