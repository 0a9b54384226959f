import type { Reader } from '../../core/store/statement.ts';
import type { FileUses } from './rules.ts';
import { usesOf } from './store.ts';

/** Shapes and items that use the file, as in its events. */
export async function usesOfFile(reader: Reader, id: string): Promise<FileUses> {
  const rows = await usesOf(reader, { ids: [id] });
  return {
    shapeId: [...new Set(rows.map(({ shapeId }) => shapeId))],
    itemId: [...new Set(rows.map(({ itemId }) => itemId))],
  };
}
