import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import { type RuleRow, rulesAmong, type StoredRule, winnerOf } from '../../storage/public.ts';
import { tagsOfShapes } from '../shapes/public.ts';
import type { Copy } from './rules.ts';
import { collectionsOfItems, copiesOf, locksAmong, placesOf, ruledLibraries, startedFor } from './store.ts';

interface ExistingCopy extends Copy {
  /** True: must stay for now, since a job, a caller or a deletion lock holds the file. */
  readonly isHeld: boolean;
}

type Started = Awaited<ReturnType<typeof startedFor>>[number];

/** A component with its copies and the storage rules for it. */
export interface PlacedFile {
  readonly componentId: string;
  readonly itemId: string;
  /** Undefined: no rule applies. */
  readonly rule: StoredRule | undefined;
  readonly copies: readonly ExistingCopy[];
  readonly started: readonly Started[];
  /** Collections of its item, and those above them. */
  readonly collections: readonly string[];
}

const distinct = (values: Iterable<string>): readonly string[] => [...new Set(values)];
const json = (values: Iterable<string>): string => JSON.stringify(distinct(values));

/** Collections of items, including those above, and whether the item is a direct member. */
const collectionsOf = async (reader: Reader, items: readonly string[]) =>
  groupBy(await collectionsOfItems(reader, { items: distinct(items) }), ({ itemId }) => itemId);

/** Libraries of items, if rules refer to them. */
const librariesOf = async (reader: Reader, items: readonly string[]) =>
  groupBy(await ruledLibraries(reader, { items: distinct(items) }), ({ itemId }) => itemId);

interface Ruled {
  readonly shapeId: string;
  readonly itemId: string;
  readonly tags: readonly string[];
  readonly collections: readonly string[];
  readonly libraries: readonly string[];
}

/** Rules that apply to a shape, unordered. */
function rulesAbout(rows: readonly RuleRow[], ruled: Ruled): readonly RuleRow[] {
  const { shapeId, itemId, tags, collections, libraries } = ruled;
  return rows.filter(
    ({ entityType, entityId, tag }) =>
      (tag === '' || tags.includes(tag)) &&
      (entityType === 'GENERIC' ||
        (entityType === 'SHAPE' && entityId === shapeId) ||
        (entityType === 'ITEM' && entityId === itemId) ||
        (entityType === 'LIBRARY' && libraries.includes(entityId)) ||
        (entityType === 'COLLECTION' && collections.includes(entityId))),
  );
}

/** Rules that apply to one shape, unordered. `direct`: collections that contain the item directly. */
export async function rulesOfShape(
  reader: Reader,
  { id, itemId, tags }: { readonly id: string; readonly itemId: string; readonly tags: readonly string[] },
): Promise<{ readonly rules: readonly RuleRow[]; readonly direct: ReadonlySet<string> }> {
  const above = (await collectionsOf(reader, [itemId])).get(itemId) ?? [];
  const collections = above.map(({ collectionId }) => collectionId);
  const libraries = ((await librariesOf(reader, [itemId])).get(itemId) ?? []).map(({ libraryId }) => libraryId);
  const rules = await rulesAmong(reader, {
    shapes: json([id]),
    items: json([itemId]),
    collections: json(collections),
    libraries: json(libraries),
    tags: json(tags),
  });
  const direct = above.filter(({ isDirect }) => isDirect === 1).map(({ collectionId }) => collectionId);
  return { rules, direct: new Set(direct) };
}

/** Current state of components, without deleted ones. */
export async function loadPlaced(
  reader: Reader,
  componentIds: readonly string[],
  now: number,
): Promise<readonly PlacedFile[]> {
  const ids = distinct(componentIds);
  const places = await placesOf(reader, { ids });
  if (places.length === 0) return [];
  const tags = groupBy(
    await tagsOfShapes(reader, { ids: distinct(places.map(({ shapeId }) => shapeId)) }),
    (row) => row.shapeId,
  );
  const items = places.map(({ itemId }) => itemId);
  const above = await collectionsOf(reader, items);
  const collections = [...above.values()].flat().map(({ collectionId }) => collectionId);
  const libraries = await librariesOf(reader, items);
  const rules = await rulesAmong(reader, {
    shapes: json(places.map(({ shapeId }) => shapeId)),
    items: json(items),
    collections: json(collections),
    libraries: json([...libraries.values()].flat().map(({ libraryId }) => libraryId)),
    tags: json([...tags.values()].flat().map(({ tag }) => tag)),
  });
  const copies = groupBy(await copiesOf(reader, { ids }), ({ componentId }) => componentId);
  const files = [...copies.values()].flat().map(({ fileId }) => fileId);
  const locks = await locksAmong(reader, {
    now,
    items: distinct(items),
    collections: distinct(collections),
    files: distinct(files),
  });
  const locked = new Set(locks.map(({ type, id }) => `${type} ${id}`));
  const started = await startedFor(reader, { ids });

  return places.map(({ componentId, shapeId, itemId }) => {
    const ofItem = (above.get(itemId) ?? []).map(({ collectionId }) => collectionId);
    const ownCopies = copies.get(componentId) ?? [];
    const own = new Set(ownCopies.map(({ fileId }) => fileId));
    const isLocked = locked.has(`item ${itemId}`) || ofItem.some((id) => locked.has(`collection ${id}`));
    const about = {
      shapeId,
      itemId,
      tags: (tags.get(shapeId) ?? []).map(({ tag }) => tag),
      collections: ofItem,
      libraries: (libraries.get(itemId) ?? []).map(({ libraryId }) => libraryId),
    };
    return {
      componentId,
      itemId,
      rule: winnerOf(rulesAbout(rules, about)),
      copies: ownCopies.map(({ fileId, storageId, size, hash, isArchived, isInJob, restUntil, isMoving }) => ({
        fileId,
        storageId,
        size,
        hash,
        isHeld: isLocked || isInJob === 1 || (restUntil ?? 0) > now || locked.has(`file ${fileId}`),
        isMoving: isMoving === 1,
        isArchived: isArchived === 1,
      })),
      started: started.filter((row) => row.componentId === componentId || own.has(row.fileId)),
      collections: ofItem,
    };
  });
}
