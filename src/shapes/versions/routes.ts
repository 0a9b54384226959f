import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { renderList, renderLots } from '../../http/render-list.ts';
import { located, type Reply } from '../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import { groupBy } from '../../lib/group-by.ts';
import { plainFileView } from '../../media/public.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { accountOf } from '../../security/caller.ts';
import { shapesToRead } from '../allowed.ts';
import { removeShapes } from '../change.ts';
import { shapeDocuments } from '../documents/from-rows.ts';
import { essenceVersionDocument, essenceVersionListDocument, shapeDocument } from '../documents/shape.ts';
import { latestOf, loadShapes, type Shape } from '../load.ts';
import { itemFor, read, shapeFor, shapeNames, shapePath, shapesPath, write } from '../places.ts';
import { noSuchShape } from '../rules.ts';
import { shapeLots } from '../weights/store.ts';
import { type Choose, copyShapes } from './copying.ts';
import { noSuchVersion, versionNumber } from './rules.ts';

/** Routes for the essence versions of an item. */
export function versionRoutes(parts: MetadataContext): readonly Route[] {
  const { store, render } = parts;
  const path = `${shapesPath}/version`;
  const view = { includePlaceholder: false, files: plainFileView };

  const ofVersion = (shapes: readonly Shape[], text: string): readonly Shape[] => {
    const found = shapes.filter(({ essenceVersion }) => String(essenceVersion) === text);
    if (found.length === 0) throw noSuchVersion(text);
    return found;
  };
  /** A placeholder cannot be copied, and is left out where others can. */
  const copied = (shapes: readonly Shape[]): readonly Shape[] => {
    const whole = shapes.filter(({ placeholder }) => placeholder === 0);
    return whole.length > 0 ? whole : shapes;
  };
  const createdOf = (shapes: readonly Shape[]): number => Math.min(...shapes.map(({ createdAt }) => createdAt));

  const shapeNamed =
    (named: string): Choose =>
    (shapes) => {
      const shape = shapes.find(({ id }) => id === named);
      if (!shape) throw noSuchShape(named);
      return [shape];
    };

  async function copyOne(call: Call, type: MediaType, params: Params, version?: number): Promise<Reply> {
    const { item, shape: named } = shapeNames(params);
    const { ids } = await copyShapes(parts, call, item, shapeNamed(named), version);
    const shape = await shapeFor(store, call, { ...params, shape: ids[0]! }, 'READ');
    const [document] = await shapeDocuments(store, [shape], view);
    return located(render(type, shapeDocument, document!), call, 'item', shape.itemId, 'shape', shape.id);
  }

  async function copyAll(call: Call, type: MediaType, params: Params, choose: Choose): Promise<Reply> {
    const { itemId, version } = await copyShapes(parts, call, segment(params, 'item'), choose);
    const shapes = ofVersion(await loadShapes(store, itemId), String(version));
    const shape = await shapeDocuments(store, shapes, view);
    const answer = render(type, essenceVersionDocument, { created: createdOf(shapes), shape });
    return located(answer, call, 'item', itemId, 'shape', 'version', String(version));
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The essence versions of an item.',
      answers: essenceVersionListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const reader = store.reader(accountOf(call));
        const { id: itemId } = await itemFor(reader, call, params.item, 'READ');
        const versions = groupBy(
          await shapesToRead(reader, call, await loadShapes(reader, itemId)),
          ({ essenceVersion }) => essenceVersion,
        );
        const address = `${baseOf(call)}/item/${itemId}/shape/version`;
        const version = [...versions].map(([id, shapes]) => ({
          id,
          uri: `${address}/${id}`,
          created: createdOf(shapes),
        }));
        return renderList(render, type, essenceVersionListDocument, { version }, 'version');
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:version`,
      says: 'The shapes of one essence version.',
      answers: essenceVersionDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const reader = store.reader(accountOf(call));
        const { id: itemId } = await itemFor(reader, call, params.item, 'READ');
        const all = await shapesToRead(reader, call, await loadShapes(reader, itemId));
        const shapes = ofVersion(all, params.version);
        const lots = await shapeLots(reader, shapes);
        return renderLots(render, type, essenceVersionDocument, { created: createdOf(shapes) }, 'shape', lots, (lot) =>
          shapeDocuments(reader, lot, view),
        );
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:version`,
      says: 'Deletes an essence version with its shapes.',
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { item = '', version = '' } = params;
        await removeShapes(parts, call, item, (shapes) => ofVersion(shapes, version), { keepFiles: false });
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Copies the shapes of the latest essence version as the next one. Both have the same files.',
      answers: essenceVersionDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      handle: (call, type, params) =>
        copyAll(call, type, params, (shapes) => copied(ofVersion(shapes, String(latestOf(shapes) ?? 0)))),
    }),
    route({
      method: 'POST',
      path: `${path}/:version`,
      says: 'Copies the shapes of this essence version as the next version, so that it is the latest again.',
      answers: essenceVersionDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      handle: (call, type, params) =>
        copyAll(call, type, params, (shapes) => copied(ofVersion(shapes, params.version))),
    }),
    route({
      method: 'POST',
      path: `${shapePath}/version`,
      says: 'Copies a shape as the next essence version. Both have the same files.',
      answers: shapeDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      handle: (call, type, params) => copyOne(call, type, params),
    }),
    route({
      method: 'PUT',
      path: `${shapePath}/version/:version`,
      says: 'Copies a shape as the essence version with this number. Both have the same files.',
      answers: shapeDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        return copyOne(call, type, params, versionNumber(params.version));
      },
    }),
  ];
}
