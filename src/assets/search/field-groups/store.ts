import { sql } from 'drizzle-orm';
import { query, type Reader } from '../../../core/store/statement.ts';
import type { OwnerKind } from '../../metadata/public-reading.ts';
import { readableWhere, type Viewer } from '../viewer.ts';

export const groupNames = query(sql`SELECT name FROM metadata_field_group`, { name: sql<string>`` });

/** Entities with any of the groups, newest first, as far as the viewer may read them. */
export async function* ownersWithGroups(
  reader: Reader,
  viewer: Viewer,
  kind: OwnerKind,
  names: readonly string[],
  slice: number,
): AsyncGenerator<readonly string[], void> {
  const isGuarded = kind === 'item' || kind === 'collection';
  const { text, values } = isGuarded ? readableWhere(viewer, kind, 'used.owner_id') : { text: '1', values: [] };
  let last: readonly [serial: number, id: string] = [Number.MAX_SAFE_INTEGER, ''];
  for (;;) {
    const rows = await reader.read(
      `SELECT DISTINCT owner_serial, owner_id FROM metadata_group_use AS used WHERE owner_type = ?
          AND (owner_serial, owner_id) < (?, ?) AND name IN (SELECT value FROM json_each(?)) AND ${text}
        ORDER BY owner_serial DESC, owner_id DESC LIMIT ?`,
      [kind, ...last, JSON.stringify(names), ...values, slice],
    );
    if (rows.length > 0) yield rows.map(([, id]) => String(id));
    if (rows.length < slice) return;
    const [serial, id] = rows.at(-1)!;
    last = [Number(serial), String(id)];
  }
}
