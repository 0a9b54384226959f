import type { Reader } from '../../store/statement.ts';

export async function itemsOfShapes(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read('SELECT id, item_id FROM shape WHERE id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(ids),
  ]);
  return new Map(rows.map(([id, item]) => [String(id), String(item)]));
}
