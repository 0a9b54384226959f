import { sql } from 'drizzle-orm';
import type { Value } from '../../store/contract.ts';
import { prepareSqlStatement, type Reader } from '../../store/statement.ts';
import type { Contexts } from './contexts.ts';
import type { Guarded, Wanted } from './levels.ts';

const value = sql.placeholder;

export type Accessed = { readonly entityType: string; readonly entityId: string };

interface NewOwner extends Accessed {
  readonly id: string;
  readonly entitySerial: number;
  readonly userId: string | null;
  readonly reach: number;
}

export const insertOwner = prepareSqlStatement<NewOwner & Record<string, unknown>>(
  sql`INSERT INTO access_entry
      (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to, reach)
    VALUES (${value('entityType')}, ${value('entityId')}, ${value('id')}, ${value('entitySerial')}, ${value('userId')},
      'OWNER', 0, '["all"]', ${value('reach')})`,
);

export const removeEntries = prepareSqlStatement<Accessed>(
  sql`DELETE FROM access_entry WHERE entity_type = ${value('entityType')} AND entity_id = ${value('entityId')}`,
);

/** What the user owned is of the service from then on; what was granted to the user is no more. */
export const forgetGrantee = [
  sql`UPDATE access_entry SET user_id = NULL WHERE user_id = ${value('userId')} AND permission = 'OWNER'`,
  sql`DELETE FROM access_entry WHERE user_id = ${value('userId')}`,
  sql`DELETE FROM import_access WHERE user_id = ${value('userId')}`,
].map((statement) => prepareSqlStatement<{ userId: string }>(statement));

/** A part of a WHERE clause, with the values of its question marks in order. */
export interface Condition {
  readonly text: string;
  readonly values: readonly Value[];
}

/** Whose rights count. */
interface Viewing {
  readonly administrator: boolean;
  readonly contexts: Contexts | undefined;
}

/** Which rows of the table of a kind the viewer has a level on. `table`: what SQL calls it. */
export function contextWhere(viewer: Viewing, kind: Guarded, table: string, level: Wanted = 'READ'): Condition {
  if (viewer.administrator) return { text: '1', values: [] };
  const contexts = viewer.contexts?.having(level) ?? '[]';
  const alone = kind === 'item' ? viewer.contexts?.alone(level) : undefined;
  const among = (column: string) => `${table}.${column} IN (SELECT value FROM json_each(?))`;
  if (!alone) return { text: among('context'), values: [contexts] };
  return {
    text: `(CASE WHEN ${among('id')} THEN ${among('id')} ELSE ${among('context')} END)`,
    values: [alone.all, alone.having, contexts],
  };
}

/** The same for rows of other tables, which name an entity. `column`: SQL, never text of a caller. */
export function readableWhere(viewer: Viewing, kind: Guarded, column: string, level: Wanted = 'READ'): Condition {
  if (viewer.administrator) return { text: '1', values: [] };
  const { text, values } = contextWhere(viewer, kind, 'guarded', level);
  return { text: `EXISTS (SELECT 1 FROM ${kind} AS guarded WHERE guarded.id = ${column} AND ${text})`, values };
}

/** The same where rows have the number of the entity: an index of numbers has its context. */
export function readableSerial(viewer: Viewing, kind: Guarded, serial: string, level: Wanted = 'READ'): Condition {
  if (viewer.administrator) return { text: '1', values: [] };
  const { text, values } = contextWhere(viewer, kind, 'guarded', level);
  // With a plus in front, SQLite does not look up each context of the viewer for each entity.
  const context = text.replace('guarded.context IN', '+guarded.context IN');
  return { text: `EXISTS (SELECT 1 FROM ${kind} AS guarded WHERE guarded.serial = ${serial} AND ${context})`, values };
}

/**
 * All items that the viewer may read, behind FROM: an index of contexts has their numbers. Undefined where more than
 * contexts decide.
 */
export function readableItems({ administrator, contexts }: Viewing): Condition | undefined {
  if (administrator || contexts?.alone('READ')) return undefined;
  return {
    text: 'item WHERE context IN (SELECT value FROM json_each(?))',
    values: [contexts?.having('READ') ?? '[]'],
  };
}

/** Which of the entities the viewer has a level on. */
export async function idsAmong(
  reader: Reader,
  viewer: Viewing,
  kind: Guarded,
  ids: readonly string[],
  level: Wanted,
): Promise<ReadonlySet<string>> {
  const { text, values } = contextWhere(viewer, kind, 'guarded', level);
  const rows = await reader.read(
    `SELECT guarded.id FROM json_each(?) AS given CROSS JOIN ${kind} AS guarded ON guarded.id = given.value WHERE ${text}`,
    [JSON.stringify(ids), ...values],
  );
  return new Set(rows.map(([id]) => String(id)));
}
