import { groupBy } from '../../core/lib/group-by.ts';
import { baseOf } from '../../http/address.ts';
import { answer } from '../../http/answers.ts';
import { raw } from '../../http/forms.ts';
import { renderLots } from '../../http/render-list.ts';
import { type Route, route } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import type { ItemRow } from '../items/contract/store.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { shapesToRead } from './allowed.ts';
import { removeShapes } from './change.ts';
import { shapeDocuments, shapeDocumentsFor, storedShape } from './documents/from-rows.ts';
import {
  type EssenceVersion,
  essenceVersionDocument,
  essenceVersionListDocument,
  type ShapeOf,
  shapeDocument,
} from './documents/shape.ts';
import { latestOf, loadShapes, type Shape } from './load.ts';
import { readShapes, shapeNamed, shapePath, shapesAt, shapesPath, writeShapes } from './places.ts';
import { type Choose, copyShapes, noSuchVersion, versionNumber } from './version-copies.ts';
import { shapeLots } from './weights-sql.ts';

/** Routes for the essence versions of an item. */
export function versionRoutes(parts: MetadataContext): readonly Route[] {
  const { store } = parts;
  const at = shapesAt(store);
  const path = `${shapesPath}/version` as const;

  const ofVersion = (shapes: readonly Shape[], text: string): readonly Shape[] => {
    const matching = shapes.filter(({ essenceVersion }) => String(essenceVersion) === text);
    if (matching.length === 0) throw noSuchVersion(text);
    return matching;
  };
  /** A placeholder cannot be copied, and is left out where others can. */
  const copied = (shapes: readonly Shape[]): readonly Shape[] => {
    const whole = shapes.filter(({ placeholder }) => placeholder === 0);
    return whole.length > 0 ? whole : shapes;
  };
  const createdOf = (shapes: readonly Shape[]): number => Math.min(...shapes.map(({ createdAt }) => createdAt));

  async function copyOne(call: Caller, { id, itemId }: Shape, version?: number): Promise<ShapeOf> {
    const { ids } = await copyShapes(parts, call, itemId, (shapes) => [shapeNamed(shapes, id)], version);
    return storedShape(store, ids[0]!);
  }

  async function copyAll(call: Caller, itemId: string, choose: Choose): Promise<EssenceVersion> {
    const { version } = await copyShapes(parts, call, itemId, choose);
    const shapes = ofVersion(await loadShapes(store, itemId), String(version));
    return { created: createdOf(shapes), shape: await shapeDocuments(store, shapes) };
  }

  const copyingAll = {
    method: 'POST',
    entities: at.item('WRITE'),
    answers: essenceVersionDocument,
    location: ({ shape = [] }: EssenceVersion, { item }: { readonly item: ItemRow }) => {
      const [first] = shape;
      return ['item', item.id, 'shape', 'version', String(first?.essenceVersion)];
    },
    access: writeShapes,
    acting: 'allowed',
  } as const;
  const copyingOne = {
    entities: at.shape('WRITE'),
    answers: shapeDocument,
    location: ({ id = '' }: ShapeOf, { item }: { readonly item: ItemRow }) => ['item', item.id, 'shape', id],
    access: writeShapes,
    acting: 'allowed',
  } as const;

  return [
    route({
      method: 'GET',
      path,
      says: 'The essence versions of an item.',
      entities: at.item('READ'),
      answers: answer(essenceVersionListDocument, { list: 'version' }),
      access: readShapes,
      async handle(call, { item }) {
        const { reader } = call;
        const shapes = await shapesToRead(reader, call, await loadShapes(reader, item.id));
        const versions = groupBy(shapes, ({ essenceVersion }) => essenceVersion);
        const address = `${baseOf(call)}/item/${item.id}/shape/version`;
        const version = [...versions].map(([id, shapes]) => ({
          id,
          uri: `${address}/${id}`,
          created: createdOf(shapes),
        }));
        return { version };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:version`,
      says: 'The shapes of one essence version.',
      entities: at.item('READ'),
      answers: raw(essenceVersionDocument),
      access: readShapes,
      async handle(call, { item, version }) {
        const { render, type } = call;
        const { reader } = call;
        const all = await shapesToRead(reader, call, await loadShapes(reader, item.id));
        const shapes = ofVersion(all, version);
        const lots = await shapeLots(reader, shapes);
        return renderLots(render, type, essenceVersionDocument, { created: createdOf(shapes) }, 'shape', lots, (lot) =>
          shapeDocumentsFor(reader, call, lot),
        );
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:version`,
      says: 'Deletes an essence version with its shapes.',
      entities: at.item('WRITE'),
      access: writeShapes,
      acting: 'allowed',
      async handle(call, { item, version }) {
        await removeShapes(parts, call, item.id, (shapes) => ofVersion(shapes, version), { keepFiles: false });
      },
    }),
    route({
      ...copyingAll,
      path,
      says: 'Copies the shapes of the latest essence version as the next one. Both have the same files.',
      handle: (call, { item }) =>
        copyAll(call, item.id, (shapes) => copied(ofVersion(shapes, String(latestOf(shapes) ?? 0)))),
    }),
    route({
      ...copyingAll,
      path: `${path}/:version`,
      says: 'Copies the shapes of this essence version as the next version, so that it is the latest again.',
      handle: (call, { item, version }) => copyAll(call, item.id, (shapes) => copied(ofVersion(shapes, version))),
    }),
    route({
      ...copyingOne,
      method: 'POST',
      path: `${shapePath}/version`,
      says: 'Copies a shape as the next essence version. Both have the same files.',
      handle: (call, { shape }) => copyOne(call, shape),
    }),
    route({
      ...copyingOne,
      method: 'PUT',
      path: `${shapePath}/version/:version`,
      says: 'Copies a shape as the essence version with this number. Both have the same files.',
      handle: (call, { shape, version }) => copyOne(call, shape, versionNumber(version)),
    }),
  ];
}
