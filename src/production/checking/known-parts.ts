import { componentsOfShapes, filesOfShapes } from '../../assets/shapes/public.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';

/** The components of a shape as they are stored, the ids of the files of each, and all files, the oldest first. */
export async function knownParts(reader: Reader, shapeId: string) {
  const ids = JSON.stringify([shapeId]);
  const rows = await componentsOfShapes(reader, { ids });
  const uses = await filesOfShapes(reader, { ids });
  const byComponent = [...groupBy(uses, ({ componentId }) => componentId)];
  const usedBy = new Map(byComponent.map(([id, files]) => [id, files.map(({ fileId }) => fileId)]));
  return { rows, usedBy, fileIds: [...new Set(uses.map(({ fileId }) => fileId))] };
}
