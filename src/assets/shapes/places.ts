import { noSuchEntity } from '../../entities/find.ts';
import type { EntityPlace } from '../../entities/place.ts';
import type { Call } from '../../http/call.ts';
import { type Params, role } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Reader } from '../../store/statement.ts';
import { type Level, requireAccess } from '../access/access.ts';
import { itemName, itemNamed } from '../items/kinds.ts';
import type { ItemRow } from '../items/store.ts';
import { loadShapes, type Shape, withTags } from './load.ts';
import { changeShape, noSuchShape, shapeEvent } from './rules.ts';
import { type ComponentRow, componentsOfShapes, findShape } from './store.ts';

export const read = role('_item_shape_read');
export const write = role('_item_shape_write');

export const shapesPath = '/item/:item/shape';
export const shapePath = `${shapesPath}/:shape`;
export const componentPath = `${shapePath}/component/:component`;

/** The item that a path names, where the caller may do this with it. */
export async function itemFor(reader: Reader, call: Call, name: string, level: Level): Promise<ItemRow> {
  const item = await itemNamed(reader, name);
  await requireAccess(reader, call, itemName, item, level);
  return item;
}

export const itemGone = (id: string): ServiceError => noSuchEntity(itemName, id);

/** The shape that a path names. Below another item there is none of that id. */
export async function shapeFor(reader: Reader, call: Call, params: Params, level: Level): Promise<Shape> {
  const { id: itemId } = await itemFor(reader, call, params['item']!, level);
  const id = params['shape']!;
  const row = await findShape(reader, { id });
  if (row?.itemId !== itemId) throw noSuchShape(id);
  return (await withTags(reader, [row]))[0]!;
}

/** The same for a change, with all shapes of the item: what it does to one may concern the others. */
export async function shapeWithOthers(
  reader: Reader,
  call: Call,
  { item, shape: id }: { readonly item: string; readonly shape: string },
  level: Level,
): Promise<{ readonly shape: Shape; readonly shapes: readonly Shape[] }> {
  const { id: itemId } = await itemFor(reader, call, item, level);
  const shapes = await loadShapes(reader, itemId);
  const shape = shapes.find((each) => each.id === id);
  if (shape) return { shape, shapes };
  throw noSuchShape(id);
}

export interface ShapeWithParts {
  readonly shape: Shape;
  readonly shapes: readonly Shape[];
  /** Of the shape, in the order of their kinds and positions. */
  readonly components: readonly ComponentRow[];
}

export async function shapeWithParts(
  reader: Reader,
  call: Call,
  names: { readonly item: string; readonly shape: string },
  level: Level,
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

/** What the parameters of a path name. */
export const namesIn = (params: Params): { readonly item: string; readonly shape: string } => ({
  item: params['item']!,
  shape: params['shape']!,
});

const levelOf = ({ method }: Call): Level => (method === 'GET' || method === 'HEAD' ? 'READ' : 'WRITE');

/** For the key-value metadata of shapes. A change of it is one of the shape. */
export const shapePlace = (reader: Reader): EntityPlace<Shape> => ({
  path: shapePath,
  kind: { type: 'shape', noun: 'shape' },
  read,
  write,
  acting: 'allowed',
  find: (params, call) => shapeFor(reader, call, params, levelOf(call)),
  changed: (shape, changes) => ({
    changes: [...changeShape(shape), ...changes],
    events: [shapeEvent('modify', shape)],
  }),
});

interface FoundComponent {
  readonly id: string;
  readonly shape: Shape;
}

export const componentPlace = (reader: Reader): EntityPlace<FoundComponent> => ({
  path: componentPath,
  kind: { type: 'component', noun: 'component' },
  read,
  write,
  acting: 'allowed',
  async find(params, call) {
    const shape = await shapeFor(reader, call, params, levelOf(call));
    const rows = await componentsOfShapes(reader, { ids: JSON.stringify([shape.id]) });
    return { id: componentNamed(rows, params['component']!).id, shape };
  },
  changed: ({ shape }, changes) => ({
    changes: [...changeShape(shape), ...changes],
    events: [shapeEvent('modify', shape)],
  }),
});
