import { keyValuesOf } from '../../../entities/key-values/store.ts';
import { baseOf } from '../../../http/address.ts';
import { accountOf, type Call } from '../../../http/call.ts';
import { documentTypes, type MediaType } from '../../../http/negotiation.ts';
import { renderList, renderLots } from '../../../http/render-list.ts';
import { done, located, type Reply } from '../../../http/reply.ts';
import type { Params, Route } from '../../../http/route.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { changedMeanwhile } from '../../../lib/retry-when-changed.ts';
import { plainView } from '../../../media/files/view.ts';
import { essenceVersionDocument, essenceVersionListDocument, shapeDocument } from '../../documents/shape.ts';
import type { AssetParts } from '../../parts.ts';
import { shapesToRead } from '../allowed.ts';
import { removeShapes } from '../change.ts';
import { commitShapes } from '../commit.ts';
import { newShape } from '../create.ts';
import { shapeDocuments } from '../documents.ts';
import { fieldsFollowing, originalOf } from '../essence.ts';
import { idsOf, latestOf, loadShapes, type Shape } from '../load.ts';
import {
  inTurnOfItem,
  itemFor,
  namesIn,
  read,
  shapeFor,
  shapePath,
  shapesPath,
  shapeWithParts,
  write,
} from '../places.ts';
import { original, sameShape } from '../rules.ts';
import { filesOfShapes, versionFree } from '../store.ts';
import { shapeLots } from '../weights/store.ts';
import { noSuchVersion, taggedAlike, versionNumber, versionOf, versionTaken } from './rules.ts';

/** The versions that the essence of an item had. */
export function versionRoutes(parts: AssetParts): readonly Route[] {
  const { store, render } = parts;
  const path = `${shapesPath}/version`;
  const view = { includePlaceholder: false, files: plainView };

  const ofVersion = (shapes: readonly Shape[], text: string): readonly Shape[] => {
    const found = shapes.filter(({ essenceVersion }) => String(essenceVersion) === text);
    if (found.length === 0) throw noSuchVersion(text);
    return found;
  };
  const createdOf = (shapes: readonly Shape[]): number => Math.min(...shapes.map(({ createdAt }) => createdAt));

  async function copy(call: Call, type: MediaType, params: Params, wanted: number | undefined): Promise<Reply> {
    const made = await inTurnOfItem(parts, namesIn(params).item, async () => {
      const found = await shapeWithParts(store, call, namesIn(params), 'WRITE');
      const { shape, shapes, components } = found;
      const version = wanted ?? (latestOf(shapes) ?? 0) + 1;
      const other = taggedAlike(shapes, shape, version);
      if (other) throw versionTaken(other, version);
      const files = await filesOfShapes(store, idsOf([shape]));
      const ids = components.map(({ id }) => id);
      const metadata = await keyValuesOf(store, 'shape', [shape.id]);
      const componentMetadata = await keyValuesOf(store, 'component', ids);
      const wish = versionOf({ ...found, files, metadata, componentMetadata }, version);
      const { id, changes, events } = await newShape(parts, wish);
      const { itemId, tags } = shape;
      const changed = changedMeanwhile('Shape', shape.id);
      const free = versionFree({ itemId, version, tags: JSON.stringify(tags) }, changed);
      const work = { changes: [...sameShape(shape), free, ...changes], events };
      const before = originalOf(shapes);
      // A copy of the shape that the metadata describes says the same.
      const isOther = before && before.id !== shape.id && version > before.essenceVersion && tags.includes(original);
      const fields = isOther ? await fieldsFollowing(parts, itemId, [before], shape) : {};
      await commitShapes(parts, call, itemId, shapes, work, { grows: true, fields });
      return id;
    });
    const shape = await shapeFor(store, call, { ...params, shape: made }, 'READ');
    const [document] = await shapeDocuments(store, [shape], view);
    return located(render(type, shapeDocument, document!), call, 'item', shape.itemId, 'shape', made);
  }

  return [
    {
      method: 'GET',
      path,
      says: 'The essence versions of an item.',
      answers: essenceVersionListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const reader = store.reader(accountOf(call));
        const { id: itemId } = await itemFor(reader, call, params['item']!, 'READ');
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
    },
    {
      method: 'GET',
      path: `${path}/:version`,
      says: 'The shapes of one essence version.',
      answers: essenceVersionDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const reader = store.reader(accountOf(call));
        const { id: itemId } = await itemFor(reader, call, params['item']!, 'READ');
        const all = await shapesToRead(reader, call, await loadShapes(reader, itemId));
        const shapes = ofVersion(all, params['version']!);
        const lots = await shapeLots(reader, shapes);
        return renderLots(render, type, essenceVersionDocument, { created: createdOf(shapes) }, 'shape', lots, (lot) =>
          shapeDocuments(reader, lot, view),
        );
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:version`,
      says: 'Deletes an essence version with its shapes.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { item = '', version = '' } = params;
        await removeShapes(parts, call, item, (shapes) => ofVersion(shapes, version), { keepFiles: false });
        return done;
      },
    },
    {
      method: 'POST',
      path: `${shapePath}/version`,
      says: 'Copies a shape as the next essence version. Both have the same files.',
      answers: shapeDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      handle: (call, type, params) => copy(call, type, params, undefined),
    },
    {
      method: 'PUT',
      path: `${shapePath}/version/:version`,
      says: 'Copies a shape as the essence version with this number. Both have the same files.',
      answers: shapeDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        return copy(call, type, params, versionNumber(params['version']!));
      },
    },
  ];
}
