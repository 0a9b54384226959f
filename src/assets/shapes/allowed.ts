import type { Reader } from '../../core/store/statement.ts';
import type { Caller } from '../../security/caller.ts';
import { askingOf, isAtLeast, lacking, levelsOn, type RequiredLevel } from '../access/public-reading.ts';
import { itemName } from '../items/contract/entities.ts';
import { latestOf, loadShapes, type Shape } from './load.ts';
import { losingTo, original } from './rules.ts';

type AccessAspect = 'SHAPE' | 'URI';

/** Operation for checking a shape: entries for shapes name tags. */
const operationOn = ({ tags }: Shape, type: AccessAspect) => (type === 'SHAPE' ? { type, extradata: tags } : { type });

async function allows(
  reader: Reader,
  call: Caller,
  shapes: readonly Shape[],
  level: RequiredLevel,
  type: AccessAspect,
): Promise<(shape: Shape) => boolean> {
  const ids = [...new Set(shapes.map(({ itemId }) => itemId))];
  const places = ids.map((id) => ({ type: itemName.type, id }));
  const { levelOf } = await levelsOn(reader, await askingOf(call), places);
  return (shape) => isAtLeast(levelOf({ type: itemName.type, id: shape.itemId }, operationOn(shape, type)), level);
}

/** Shapes of a page of items that the caller may read, or whose URIs it may have. */
export async function shapesAllowed(
  reader: Reader,
  call: Caller,
  byItem: ReadonlyMap<string, readonly Shape[]>,
  type: AccessAspect,
): Promise<ReadonlyMap<string, readonly Shape[]>> {
  const isAllowed = await allows(reader, call, [...byItem.values()].flat(), 'READ', type);
  return new Map([...byItem].map(([id, shapes]) => [id, shapes.filter(isAllowed)]));
}

/** Shapes of one item that the caller may read. */
export const shapesToRead = async (reader: Reader, call: Caller, shapes: readonly Shape[]): Promise<readonly Shape[]> =>
  shapes.filter(await allows(reader, call, shapes, 'READ', 'SHAPE'));

/** Refuses callers without the level on any of the shapes. */
export async function mustHaveShapes(
  reader: Reader,
  call: Caller,
  shapes: readonly Shape[],
  level: RequiredLevel,
): Promise<void> {
  const isAllowed = await allows(reader, call, shapes, level, 'SHAPE');
  const missing = shapes.find((shape) => !isAllowed(shape));
  if (missing) throw lacking(itemName, missing.itemId, level, { type: 'SHAPE', extradata: missing.tags });
}

/**
 * Refuses callers who may not give these tags to a shape of an item. Each tag needs WRITE by itself, or who may write one
 * could give all. So do the shapes that lose a tag or their place. `losing`: these shapes, or what the new shape begins:
 * another shape of the latest version, or the next version.
 */
export async function mustHaveTags(
  reader: Reader,
  call: Caller,
  itemId: string,
  tags: readonly string[],
  losing: readonly Shape[] | 'shape' | 'version' = 'shape',
): Promise<void> {
  const place = { type: itemName.type, id: itemId };
  const levels = async () => levelsOn(reader, await askingOf(call), [place]);
  // The two steps begin at once, so that their reads share a call.
  const [{ levelOf }, lost] = await Promise.all([
    levels(),
    typeof losing === 'string' ? losingToNew(reader, itemId, tags, losing) : losing,
  ]);
  const operations = (tags.length === 0 ? [[]] : tags).map((extradata) => ({ type: 'SHAPE', extradata }) as const);
  const missing = operations.find((operation) => !isAtLeast(levelOf(place, operation), 'WRITE'));
  if (missing) throw lacking(itemName, itemId, 'WRITE', missing);
  await mustHaveShapes(reader, call, lost, 'WRITE');
}

async function losingToNew(
  reader: Reader,
  itemId: string,
  tags: readonly string[],
  begins: 'shape' | 'version',
): Promise<readonly Shape[]> {
  if (begins === 'shape' && !tags.includes(original)) return [];
  const shapes = await loadShapes(reader, itemId);
  const essenceVersion = (latestOf(shapes) ?? 0) + (begins === 'version' ? 1 : 0);
  return losingTo(shapes, { id: '', essenceVersion }, tags);
}
