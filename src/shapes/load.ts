import type { Reader } from '../store/statement.ts';
import { type ShapeRow, shapesOfItem, shapesOfItems, tagsOfShapes } from './store.ts';

/** A shape with its tags, in the order in which they were added. */
export interface Shape extends ShapeRow {
  readonly tags: readonly string[];
}

export const idsOf = (entities: readonly { readonly id: string }[]): { readonly ids: string } => ({
  ids: JSON.stringify(entities.map(({ id }) => id)),
});

export async function withTags(reader: Reader, rows: readonly ShapeRow[]): Promise<readonly Shape[]> {
  if (rows.length === 0) return [];
  const tags = new Map<string, string[]>(rows.map(({ id }) => [id, []]));
  for (const { shapeId, tag } of await tagsOfShapes(reader, idsOf(rows))) tags.get(shapeId)?.push(tag);
  return rows.map((row) => ({ ...row, tags: tags.get(row.id)! }));
}

/** Shapes of an item by version, and then oldest first. */
export const loadShapes = async (reader: Reader, itemId: string): Promise<readonly Shape[]> =>
  withTags(reader, await shapesOfItem(reader, { itemId }));

/** Shapes of a page of items by version, and then oldest first. */
export const loadShapesOf = async (reader: Reader, itemIds: readonly string[]): Promise<readonly Shape[]> =>
  withTags(reader, await shapesOfItems(reader, { ids: JSON.stringify(itemIds) }));

/** Latest essence version. Undefined: no shapes. */
export const latestOf = (shapes: readonly Shape[]): number | undefined => shapes.at(-1)?.essenceVersion;

/** Shapes of the latest essence version: those that lists show, unless they are asked for others. */
export const latestShapes = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter(({ essenceVersion }) => essenceVersion === latestOf(shapes));
