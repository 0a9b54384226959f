import { sql } from 'drizzle-orm';
import type { SqlValue } from '../../core/store/contract.ts';
import { deleteBy } from '../../core/store/rows.ts';
import { lightPage, nearReader, type Reader, statement, value, writes } from '../../core/store/statement.ts';
import type { Contexts } from './contexts.ts';
import { maxUnreadable } from './contexts-sql.ts';
import type { Guarded, RequiredLevel } from './levels.ts';
import { accessEntry } from './tables.ts';

type Accessed = { readonly entityType: string; readonly entityId: string };

interface NewOwner extends Accessed {
  readonly id: string;
  readonly entitySerial: number;
  readonly userId: string | null;
  readonly reach: number;
}

export const insertOwner = statement<NewOwner & Record<string, unknown>>(
  sql`INSERT INTO ${writes('access_entry')}
      (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to, reach)
    VALUES (${value('entityType')}, ${value('entityId')}, ${value('id')}, ${value('entitySerial')}, ${value('userId')},
      'OWNER', 0, '["all"]', ${value('reach')})`,
);

export const removeEntries = deleteBy(accessEntry, 'entityType', 'entityId');

/** Removes a user from entries: the service takes over ownership, and grants to the user are deleted. */
export const forgetGrantee = [
  sql`UPDATE ${writes('access_entry')} SET user_id = NULL WHERE user_id = ${value('userId')} AND permission = 'OWNER'`,
  sql`DELETE FROM ${writes('access_entry')} WHERE user_id = ${value('userId')}`,
  sql`DELETE FROM ${writes('import_access')} WHERE user_id = ${value('userId')}`,
].map((template) => statement<{ userId: string }>(template));

/** Part of a WHERE clause, with the values of its question marks in order. */
export interface Condition {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Viewer whose rights filter a query. */
interface Viewing {
  readonly administrator: boolean;
  readonly contexts: Contexts | undefined;
}

/** Whether no entity of a kind is closed to the viewer, so that nothing has to be checked. */
export const mayHaveAll = (
  { administrator, contexts }: Viewing,
  kind: Guarded,
  level: RequiredLevel = 'READ',
): boolean => administrator || (level === 'READ' && contexts?.unreadable(kind) === '[]');

const unlimited: Condition = { text: '1', values: [] };

/** Condition for rows of the table of a kind on which the viewer has a level. `table`: its alias in the SQL. */
export function contextWhere(viewer: Viewing, kind: Guarded, table: string, level: RequiredLevel = 'READ'): Condition {
  if (mayHaveAll(viewer, kind, level)) return unlimited;
  const contexts = viewer.contexts?.having(level) ?? '[]';
  const alone = kind === 'item' ? viewer.contexts?.alone(level) : undefined;
  const among = (column: string) => `${table}.${column} IN (SELECT value FROM json_each(?))`;
  if (!alone) return { text: among('context'), values: [contexts] };
  return {
    text: `(CASE WHEN ${among('id')} THEN ${among('id')} ELSE ${among('context')} END)`,
    values: [alone.all, alone.having, contexts],
  };
}

/** Condition equal to that of `contextWhere` for rows that something else finds, by the shorter list of contexts. */
export function rowWhere(viewer: Viewing, kind: Guarded, table: string, level: RequiredLevel = 'READ'): Condition {
  if (mayHaveAll(viewer, kind, level)) return unlimited;
  const unreadable = level === 'READ' ? viewer.contexts?.unreadable(kind) : undefined;
  // The plus keeps SQLite from looking up each context of the viewer for each entity.
  if (unreadable === undefined) {
    const { text, values } = contextWhere(viewer, kind, table, level);
    return { text: text.replace(`${table}.context IN`, `+${table}.context IN`), values };
  }
  return { text: `${table}.context NOT IN (SELECT value FROM json_each(?))`, values: [unreadable] };
}

/** Condition for rows of other tables that refer to an entity by id. `column`: SQL text, never input of a caller. */
export function readableWhere(
  viewer: Viewing,
  kind: Guarded,
  column: string,
  level: RequiredLevel = 'READ',
): Condition {
  if (mayHaveAll(viewer, kind, level)) return unlimited;
  const { text, values } = rowWhere(viewer, kind, 'guarded', level);
  return { text: `EXISTS (SELECT 1 FROM ${kind} AS guarded WHERE guarded.id = ${column} AND ${text})`, values };
}

/**
 * Condition for rows that refer to an existing entity by serial. The few entities that the viewer may not read are left
 * out at once: that costs less than a check of each hit. An index on serials includes the context.
 */
export function readableSerial(
  viewer: Viewing,
  kind: Guarded,
  serial: string,
  level: RequiredLevel = 'READ',
): Condition {
  if (mayHaveAll(viewer, kind, level)) return unlimited;
  const { text, values } = rowWhere(viewer, kind, 'guarded', level);
  const each = `EXISTS (SELECT 1 FROM ${kind} AS guarded WHERE guarded.serial = ${serial} AND ${text})`;
  const unreadable = level === 'READ' ? viewer.contexts?.unreadable(kind) : undefined;
  if (unreadable === undefined) return { text: each, values };
  const list = 'SELECT value FROM json_each(?)';
  return {
    text: `CASE WHEN (SELECT total(entities) FROM access_context WHERE id IN (${list})) <= ${maxUnreadable.entities}
      THEN ${serial} NOT IN (SELECT serial FROM ${kind} WHERE context IN (${list})) ELSE ${each} END`,
    values: [unreadable, unreadable, ...values],
  };
}

interface ReadableItems {
  /** To be placed after FROM: an index on contexts has the serials. */
  readonly items: Condition;
  /** Condition on their number, by counters. `max`: SQL text. */
  areAtMost(max: string): Condition;
}

/**
 * All items that the viewer may read. Undefined if more than contexts decides, or if the viewer may read nearly all items.
 */
export function readableItems({ administrator, contexts }: Viewing): ReadableItems | undefined {
  if (administrator || contexts?.alone('READ') || contexts?.unreadable('item') !== undefined) return undefined;
  const readable = contexts?.having('READ') ?? '[]';
  const list = 'SELECT value FROM json_each(?)';
  return {
    items: { text: `item WHERE context IN (${list})`, values: [readable] },
    // Each context has an entity at least, so that many contexts need no look-ups.
    areAtMost: (max) => ({
      text: `(json_array_length(?) <= ${max} AND
        (SELECT total(entities) FROM access_context WHERE kind = 'item' AND id IN (${list})) <= ${max})`,
      values: [readable, readable],
    }),
  };
}

/** Ids of those entities on which the viewer has the level. */
export async function idsAmong(
  reader: Reader,
  viewer: Viewing,
  kind: Guarded,
  ids: readonly string[],
  level: RequiredLevel,
): Promise<ReadonlySet<string>> {
  const { text, values } = rowWhere(viewer, kind, 'guarded', level);
  const rows = await nearReader(reader, ids.length <= lightPage).read(
    `SELECT guarded.id FROM json_each(?) AS given CROSS JOIN ${kind} AS guarded ON guarded.id = given.value WHERE ${text}`,
    [JSON.stringify(ids), ...values],
  );
  return new Set(rows.map(([id]) => String(id)));
}
