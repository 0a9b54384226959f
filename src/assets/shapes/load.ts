import type { Reader } from '../../core/store/statement.ts';
import { type ShapeRow, shapesOfItem, shapesOfItems, tagsOfItem, tagsOfShapes } from './store.ts';

/** A shape with its tags, in the order in which they were added. */
export interface Shape extends ShapeRow {
  readonly tags: readonly string[];
}

export const idsOf = (entities: readonly { readonly id: string }[]): { readonly ids: readonly string[] } => ({
  ids: entities.map(({ id }) => id),
});

export const withTags = async (reader: Reader, rows: readonly ShapeRow[]): Promise<readonly Shape[]> =>
  rows.length === 0 ? [] : tagged(rows, await tagsOfShapes(reader, idsOf(rows)));

function tagged(rows: readonly ShapeRow[], found: Awaited<ReturnType<typeof tagsOfShapes>>): readonly Shape[] {
  const tags = new Map<string, string[]>(rows.map(({ id }) => [id, []]));
  for (const { shapeId, tag } of found) tags.get(shapeId)?.push(tag);
  return rows.map((row) => ({ tags: tags.get(row.id)!, ...row }));
}

/** Shapes of an item by version, and then oldest first. Both reads share a call. */
export async function loadShapes(reader: Reader, itemId: string): Promise<readonly Shape[]> {
  const [rows, tags] = await Promise.all([shapesOfItem(reader, { itemId }), tagsOfItem(reader, { itemId })]);
  return tagged(rows, tags);
}

/** Shapes of a page of items by version, and then oldest first. */
export const loadShapesOf = async (reader: Reader, itemIds: readonly string[]): Promise<readonly Shape[]> =>
  withTags(reader, await shapesOfItems(reader, { ids: itemIds }));

/** Latest essence version. Undefined: no shapes. */
export const latestOf = (shapes: readonly Shape[]): number | undefined => shapes.at(-1)?.essenceVersion;

/** Shapes of the latest essence version: those that lists show, unless they are asked for others. */
export const latestShapes = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter(({ essenceVersion }) => essenceVersion === latestOf(shapes));
