import { contextWhere, type Viewer } from '../../../assets/access/public-reading.ts';
import type { Reader } from '../../../core/store/statement.ts';

interface ListedItem {
  readonly id: string;
  readonly serial: number;
}

/** The next items that a viewer may read, in the order in which they were made. */
export async function itemsBehind(
  reader: Reader,
  viewer: Viewer,
  after: number,
  limit: number,
): Promise<readonly ListedItem[]> {
  const { text, values } = contextWhere(viewer, 'item', 'item');
  const rows = await reader.read(`SELECT id, serial FROM item WHERE serial > ? AND ${text} ORDER BY serial LIMIT ?`, [
    after,
    ...values,
    limit,
  ]);
  return rows.map(([id, serial]) => ({ id: String(id), serial: Number(serial) }));
}
