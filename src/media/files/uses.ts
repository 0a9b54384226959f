import { after, type Maybe } from '../../lib/maybe.ts';
import type { Reader } from '../../store/statement.ts';
import type { FileUses } from './states.ts';
import { usesOf } from './store.ts';

/** Shapes and items that use the file, as in its events. */
export const usesOfFile = (reader: Reader, id: string): Maybe<FileUses> =>
  after(usesOf(reader, { ids: JSON.stringify([id]) }), (rows) => ({
    shapeId: [...new Set(rows.map(({ shapeId }) => shapeId))],
    itemId: [...new Set(rows.map(({ itemId }) => itemId))],
  }));
