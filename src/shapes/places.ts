import { mustHaveSome, type RequiredLevel } from '../access/public-reading.ts';
import { noSuchEntity } from '../entities/find.ts';
import type { EntityResource } from '../entities/place.ts';
import { changeInTurn } from '../entities/turns.ts';
import { type Call, onlyReads } from '../http/call.ts';
import { type Params, role, segment } from '../http/route.ts';
import { itemName, itemNamed } from '../items/contract/item/kind.ts';
import type { ItemRow } from '../items/contract/item/store.ts';
import { unlockedFor } from '../items/contract/lock/rules.ts';
import { ServiceError } from '../lib/errors.ts';
import type { MetadataContext } from '../metadata/public.ts';
import type { Caller } from '../security/caller.ts';
import type { CommitPlan, Statement, Touch } from '../store/contract.ts';
import type { Reader } from '../store/statement.ts';
import { mustHaveShapes } from './allowed.ts';
import { loadShapes, type Shape, withTags } from './load.ts';
import { bytesOfItemFit, changeShape, noSuchShape, shapeEvent } from './rules.ts';
import { type ComponentRow, componentsOfShapes, findShape } from './store.ts';

export const read = role('_item_shape_read');
export const write = role('_item_shape_write');

export const shapesPath = '/item/:item/shape';
export const shapePath = `${shapesPath}/:shape`;
export const componentPath = `${shapePath}/component/:component`;

/** The item named by the path. 403 if the caller lacks the level. */
export async function itemFor(reader: Reader, call: Caller, name: string, level: RequiredLevel): Promise<ItemRow> {
  const item = await itemNamed(reader, name);
  await mustHaveSome(reader, call, itemName, item, level, 'SHAPE');
  return item;
}

/** Serialises changes of shapes and metadata of one item. */
export async function inTurnOfItem<T>(
  parts: Pick<MetadataContext, 'store' | 'sharesWork'>,
  name: string,
  decide: () => Promise<T>,
): Promise<T> {
  const { id } = await itemNamed(parts.store, name);
  return changeInTurn(parts, { kind: 'item', id }, decide);
}

export const itemGone = (id: string): ServiceError => noSuchEntity(itemName, id);

/** The shape named by the path. 404 if it belongs to another item. */
export async function shapeFor(reader: Reader, call: Caller, params: Params, level: RequiredLevel): Promise<Shape> {
  const { id: itemId } = await itemFor(reader, call, segment(params, 'item'), level);
  const id = segment(params, 'shape');
  const row = await findShape(reader, { id });
  if (row?.itemId !== itemId) throw noSuchShape(id);
  const [shape] = await withTags(reader, [row]);
  await mustHaveShapes(reader, call, [shape!], level);
  return shape!;
}

/** The shape named by the path with all shapes of the item, for changes that affect the others. */
export async function shapeWithOthers(
  reader: Reader,
  call: Caller,
  { item, shape: id }: { readonly item: string; readonly shape: string },
  level: RequiredLevel,
): Promise<{ readonly shape: Shape; readonly shapes: readonly Shape[] }> {
  const { id: itemId } = await itemFor(reader, call, item, level);
  const shapes = await loadShapes(reader, itemId);
  const shape = shapes.find((each) => each.id === id);
  if (!shape) throw noSuchShape(id);
  await mustHaveShapes(reader, call, [shape], level);
  return { shape, shapes };
}

export interface ShapeWithParts {
  readonly shape: Shape;
  readonly shapes: readonly Shape[];
  /** Components of the shape, by kind and position. */
  readonly components: readonly ComponentRow[];
}

export async function shapeWithParts(
  reader: Reader,
  call: Caller,
  names: { readonly item: string; readonly shape: string },
  level: RequiredLevel,
): Promise<ShapeWithParts> {
  const found = await shapeWithOthers(reader, call, names, level);
  return { ...found, components: await componentsOfShapes(reader, { ids: JSON.stringify([found.shape.id]) }) };
}

export function componentNamed(components: readonly ComponentRow[], id: string): ComponentRow {
  const component = components.find((each) => each.id === id);
  if (component) return component;
  throw noSuchComponent(id);
}

export const noSuchComponent = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'component', id: id.slice(0, 80) });

/** Ids in the parameters of a path. */
export const shapeNames = (params: Params): { readonly item: string; readonly shape: string } => ({
  item: segment(params, 'item'),
  shape: segment(params, 'shape'),
});

const levelOf = (call: Call): RequiredLevel => (onlyReads(call) ? 'READ' : 'WRITE');

/** Shape found by a route, with guards for the commit. */
interface ShapeMatch {
  readonly id: string;
  readonly shape: Shape;
  readonly guards: readonly Statement[];
}

type PlaceParts = Pick<MetadataContext, 'store' | 'clock' | 'settings' | 'sharesWork'>;

/** Guard: no other user has locked the item. */
const unlocked = ({ clock }: PlaceParts, call: Call, { itemId }: Shape): readonly Statement[] =>
  levelOf(call) === 'READ' ? [] : [unlockedFor(call, itemId, clock.now())];

/** Commits key-value metadata of a shape or component as a change of the shape. */
const changedIn =
  ({ settings }: PlaceParts) =>
  ({ shape, guards }: ShapeMatch, changes: readonly Statement[]): CommitPlan => ({
    changes: [...guards, ...changeShape(shape), ...changes, bytesOfItemFit(shape.itemId, settings)],
    events: [shapeEvent('modify', shape)],
    touches: [keysOfShape(shape)],
  });

/** Touch for participants: key-value metadata of a shape or component changed. */
const keysOfShape = ({ id }: Shape): Touch => ({ kind: 'shape', id, aspect: 'keys' });

export const shapePlace = (parts: PlaceParts): EntityResource<ShapeMatch> => ({
  path: shapePath,
  kind: { type: 'shape', noun: 'shape' },
  read,
  write,
  acting: 'allowed',
  async find(params, call) {
    const shape = await shapeFor(parts.store, call, params, levelOf(call));
    return { id: shape.id, shape, guards: unlocked(parts, call, shape) };
  },
  changed: changedIn(parts),
  inTurn: (params, decide) => inTurnOfItem(parts, segment(params, 'item'), decide),
});

export const componentPlace = (parts: PlaceParts): EntityResource<ShapeMatch> => ({
  path: componentPath,
  kind: { type: 'component', noun: 'component' },
  read,
  write,
  acting: 'allowed',
  async find(params, call) {
    const shape = await shapeFor(parts.store, call, params, levelOf(call));
    const rows = await componentsOfShapes(parts.store, { ids: JSON.stringify([shape.id]) });
    const { id } = componentNamed(rows, segment(params, 'component'));
    return { id, shape, guards: unlocked(parts, call, shape) };
  },
  changed: changedIn(parts),
  inTurn: (params, decide) => inTurnOfItem(parts, segment(params, 'item'), decide),
});
