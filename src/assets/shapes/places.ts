import { ServiceError } from '../../core/lib/errors.ts';
import type { Touch } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { PathEntities, PathEntity } from '../../http/path-entity.ts';
import { role } from '../../http/route.ts';
import { changeInTurn } from '../../room/entities/changes.ts';
import { findEntity, noSuchEntity } from '../../room/entities/find.ts';
import type { EntityResource, Use } from '../../room/entities/place.ts';
import type { EntityKind } from '../../room/entity.ts';
import type { Caller } from '../../security/caller.ts';
import { type RequiredLevel as Level, mustHaveSome } from '../access/public-reading.ts';
import { itemAt, itemName, itemNamed } from '../items/contract/entities.ts';
import { unlockedFor } from '../items/contract/item-locks.ts';
import type { ItemRow } from '../items/contract/store.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { mustHaveShapes } from './allowed.ts';
import { idsOf, loadShapes, type Shape, withTags } from './load.ts';
import { bytesOfItemFit, changeShape, noSuchShape, shapeEvent, shapeName } from './rules.ts';
import { type ComponentRow, componentsOfShapes, findShape, type ShapeRow, shapeThere, tagsOfShapes } from './store.ts';

export const readShapes = role('_item_shape_read');
export const writeShapes = role('_item_shape_write');

export const shapesPath = '/item/:item/shape';
export const shapePath = `${shapesPath}/:shape`;
export const componentPath = `${shapePath}/component/:component`;

export const shapeKind = (reader: Reader): EntityKind<ShapeRow> => ({
  ...shapeName,
  find: (id) => findShape(reader, { id }),
  mustExist: (id, refusal) => shapeThere({ id }, refusal),
});

/** Entities of paths to shapes: `entities: shapesAt(store).shape('READ')`. All have the level for at least one shape. */
export function shapesAt(reader: Reader) {
  const onItem = itemAt(reader);
  const item = (level: Level) => onItem(level, 'SHAPE');
  const shape = (level: Level, itemSegment = 'item'): PathEntity<Shape> => ({
    kind: 'shape',
    ahead: (id) => Promise.all([findShape(reader, { id }), tagsOfShapes(reader, idsOf([{ id }]))]),
    find: (id, call, segments) => shapeOf(reader, call, segments[itemSegment] as ItemRow, id, level),
    stays: ({ id }) => shapeThere({ id }, noSuchShape(id)),
  });
  const component: PathEntity<ComponentRow> = {
    kind: 'component',
    async find(id, _call, segments) {
      const { id: shapeId } = segments['shape'] as Shape;
      return componentNamed(await componentsOfShapes(reader, { ids: [shapeId] }), id);
    },
  };
  return {
    item: (level: Level) => ({ item: item(level) }),
    shape: (level: Level) => ({ item: item(level), shape: shape(level) }),
    component: (level: Level) => ({ item: item(level), shape: shape(level), component }),
    /** The shape that a component is copied or moved to. */
    target: (level: Level) => ({ toItem: item(level), toShape: shape(level, 'toItem') }),
  };
}

/** The shape of an item. 404 if it belongs to another item. */
async function shapeOf(
  reader: Reader,
  call: Caller,
  { id: itemId }: ItemRow,
  name: string,
  level: Level,
): Promise<Shape> {
  const row = await findEntity(reader, shapeKind(reader), name);
  if (row?.itemId !== itemId) throw noSuchShape(name);
  const [shape] = await withTags(reader, [row]);
  await mustHaveShapes(reader, call, [shape!], level);
  return shape!;
}

/** The item named by the path. 403 if the caller lacks the level. */
export async function itemFor(reader: Reader, call: Caller, name: string, level: Level): Promise<ItemRow> {
  const item = await itemNamed(reader, name);
  await mustHaveSome(reader, call, itemName, item, level, 'SHAPE', name);
  return item;
}

/** Serialises changes of shapes and metadata of one item. */
export const inTurnOfItem = <T>(
  parts: Pick<MetadataContext, 'store' | 'sharesWork'>,
  id: string,
  decide: () => Promise<T>,
): Promise<T> => changeInTurn(parts, { kind: 'item', id }, decide);

export const itemGone = (id: string): ServiceError => noSuchEntity(itemName, id);

/** A shape by its names. 404 if it belongs to another item. */
export async function shapeFor(
  reader: Reader,
  caller: Caller,
  { item: name, shape }: { readonly item: string; readonly shape: string },
  level: Level,
): Promise<Shape> {
  return shapeOf(reader, caller, await itemFor(reader, caller, name, level), shape, level);
}

/** Names of a shape and its item. */
type ShapeKey = Pick<Shape, 'id' | 'itemId'>;

/** A shape with all shapes of its item, as they are now: for changes that affect the others. */
export async function shapeWithOthers(
  reader: Reader,
  { id, itemId }: ShapeKey,
): Promise<{ readonly shape: Shape; readonly shapes: readonly Shape[] }> {
  const shapes = await loadShapes(reader, itemId);
  return { shape: shapeNamed(shapes, id), shapes };
}

export interface ShapeWithParts {
  readonly shape: Shape;
  readonly shapes: readonly Shape[];
  /** Components of the shape, by kind and position. */
  readonly components: readonly ComponentRow[];
}

export async function shapeWithParts(reader: Reader, key: ShapeKey): Promise<ShapeWithParts> {
  const withOthers = await shapeWithOthers(reader, key);
  return { ...withOthers, components: await componentsOfShapes(reader, { ids: [key.id] }) };
}

export function shapeNamed(shapes: readonly Shape[], id: string): Shape {
  const shape = shapes.find((each) => each.id === id);
  if (shape) return shape;
  throw noSuchShape(id);
}

/** The shape of a list that has the id or the external id. */
export async function shapeAmong(reader: Reader, shapes: readonly Shape[], name: string): Promise<Shape | undefined> {
  const row = await findEntity(reader, shapeKind(reader), name);
  return shapes.find(({ id }) => id === row?.id);
}

export function componentNamed(components: readonly ComponentRow[], id: string): ComponentRow {
  const component = components.find((each) => each.id === id);
  if (component) return component;
  throw noSuchComponent(id);
}

export const noSuchComponent = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'component', id: id.slice(0, 80) });

/** Shape found by a route. `id`: of the shape, or of its component. */
interface ShapeMatch {
  readonly id: string;
  readonly shape: Shape;
  /** In whose name the shape is changed: no other user may have locked the item. */
  readonly caller: Caller;
}

type PlaceParts = Pick<MetadataContext, 'store' | 'clock' | 'settings' | 'sharesWork'>;

/** Key-value metadata of a shape or component, which counts as a change of the shape. */
function placeIn(parts: PlaceParts, kind: 'shape' | 'component', path: string): EntityResource<ShapeMatch> {
  const { store, clock, settings } = parts;
  const at = shapesAt(store);

  function entities(use: Use): PathEntities {
    const all: PathEntities = at[kind](use === 'read' ? 'READ' : 'WRITE') as PathEntities;
    const last = all[kind]!;
    return {
      ...all,
      [kind]: {
        ...last,
        async find(name, caller, segments): Promise<ShapeMatch> {
          const entity = (await last.find(name, caller, segments)) as { readonly id: string };
          return { id: entity.id, shape: (kind === 'shape' ? entity : segments['shape']) as Shape, caller };
        },
      },
    };
  }

  return {
    path,
    kind: { type: kind, noun: kind },
    read: readShapes,
    write: writeShapes,
    acting: 'allowed',
    entities,
    async current(match) {
      const { shape } = await shapeWithOthers(store, match.shape);
      return { ...match, shape };
    },
    changed: ({ shape, caller }, changes) => ({
      changes: [
        unlockedFor(caller, shape.itemId, clock.now()),
        ...changeShape(shape),
        ...changes,
        bytesOfItemFit(shape.itemId, settings),
      ],
      events: [shapeEvent('modify', shape)],
      touches: [keysOfShape(shape)],
    }),
    inTurn: ({ shape }, decide) => inTurnOfItem(parts, shape.itemId, decide),
  };
}

/** Touch for participants: key-value metadata of a shape or component changed. */
const keysOfShape = ({ id }: Shape): Touch => ({ kind: 'shape', id, aspect: 'keys' });

export const shapePlace = (parts: PlaceParts) => placeIn(parts, 'shape', shapePath);
export const componentPlace = (parts: PlaceParts) => placeIn(parts, 'component', componentPath);
