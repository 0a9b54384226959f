import { sql } from 'drizzle-orm';
import { dueWhile } from '../../../store/due.ts';
import { prepareGuard } from '../../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../../store/statement.ts';
import { inheritanceChange } from '../tables.ts';

const value = sql.placeholder;

const { type, id, run, position } = inheritanceChange;

export const changedItems = prepareQuery((db) =>
  db.select({ id, run }).from(inheritanceChange).where(sql`${type} = 'item'`).orderBy(id).limit(value('limit')),
);

export const changedCollection = prepareLookup((db) =>
  db.select({ id, run, position }).from(inheritanceChange).where(sql`${type} = 'collection'`).orderBy(id).limit(1),
);

/** Deletes processed items, unless they changed again. `rows`: JSON array of ids with runs. */
export const forgetItems = prepareStatement<{ rows: string }>(
  sql`DELETE FROM inheritance_change WHERE (type, id, run) IN
    (SELECT 'item', value ->> 0, value ->> 1 FROM json_each(${value('rows')}))`,
);

type Standing = { readonly id: string; readonly run: number; readonly position: string };

export const changeStands = prepareGuard<Standing>(
  sql`EXISTS (SELECT 1 FROM inheritance_change WHERE type = 'collection' AND id = ${value('id')}
    AND run = ${value('run')} AND position = ${value('position')})`,
);

/** The next members after a cursor. */
export const membersBehind = prepareQuery(
  sql`SELECT member_type, member_id FROM collection_member WHERE collection_id = ${value('id')}
      AND (member_type, member_id) > (${value('type')}, ${value('member')}) AND member_type <> 'library'
    ORDER BY member_type, member_id LIMIT ${value('limit')}`,
  { type: sql<'item' | 'collection'>``, id: sql<string>`` },
);

/** Queues entities. `rows`: JSON array of types and ids. */
export const insertChanges = prepareStatement<{ rows: string }>(
  sql`INSERT INTO inheritance_change (type, id, run, position)
    SELECT value ->> 0, value ->> 1, 1, '' FROM json_each(${value('rows')}) WHERE TRUE
    ON CONFLICT (type, id) DO UPDATE SET run = run + 1, position = ''`,
);

export const advanceChange = prepareStatement<{ id: string; position: string }>(
  sql`UPDATE inheritance_change SET position = ${value('position')} WHERE type = 'collection' AND id = ${value('id')}`,
);

export const forgetCollection = prepareStatement<{ id: string }>(
  sql`DELETE FROM inheritance_change WHERE type = 'collection' AND id = ${value('id')}`,
);

export const changesDue = dueWhile(sql`SELECT 1 FROM inheritance_change`);

/** Number of queued entities, up to a limit. */
export const countChanges = prepareQuery(
  sql`SELECT count(*) FROM (SELECT 1 FROM inheritance_change LIMIT ${value('limit')})`,
  { count: sql<number>`` },
);
