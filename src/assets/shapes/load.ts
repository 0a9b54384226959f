import type { Reader } from '../../core/store/statement.ts';
import { badParameter } from '../../http/parameters/index.ts';
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

function tagged(rows: readonly ShapeRow[], tagRows: Awaited<ReturnType<typeof tagsOfShapes>>): readonly Shape[] {
  const tags = new Map<string, string[]>(rows.map(({ id }) => [id, []]));
  for (const { shapeId, tag } of tagRows) tags.get(shapeId)?.push(tag);
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

/** Selection of essence versions for a list. */
type Versions = 'latest' | 'all' | 'latest-per-shapetag' | number;

export function versionsFrom(text: string): Versions {
  if (text === 'latest' || text === 'all' || text === 'latest-per-shapetag') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badParameter('version', 'Expected latest, all, latest-per-shapetag or the number of a version', text);
}

type Placeholders = 'false' | 'true' | 'all';

interface ShapeFilter {
  readonly versions: Versions;
  /** Shapes with any of the tags. Undefined: any shape. */
  readonly tags: readonly string[] | undefined;
  /** Placeholders: excluded, exclusive or included. */
  readonly placeholders: Placeholders;
}

/** Filters the shapes of an item. `latest` refers to the shapes left after the other filters. */
export function chosenShapes(shapes: readonly Shape[], { versions, tags, placeholders }: ShapeFilter): Shape[] {
  const candidates = shapes.filter(
    ({ placeholder }) => placeholders === 'all' || (placeholder === 1) === (placeholders === 'true'),
  );
  const tagged = candidates.filter((shape) => tags === undefined || shape.tags.some((tag) => tags.includes(tag)));
  if (versions === 'all') return tagged;
  if (versions === 'latest-per-shapetag') {
    const latest = new Map<string, number>();
    for (const shape of candidates) {
      for (const tag of shape.tags) latest.set(tag, Math.max(latest.get(tag) ?? 0, shape.essenceVersion));
    }
    const isLatest = (shape: Shape, tag: string) =>
      latest.get(tag) === shape.essenceVersion && (tags?.includes(tag) ?? true);
    return tagged.filter((shape) => shape.tags.some((tag) => isLatest(shape, tag)));
  }
  const wanted = versions === 'latest' ? candidates.at(-1)?.essenceVersion : versions;
  return tagged.filter(({ essenceVersion }) => essenceVersion === wanted);
}
