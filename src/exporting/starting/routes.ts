import { mustHave } from '../../access/public-reading.ts';
import { noSuchEntity } from '../../entities/find.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { collectionKind, collectionName, collectionNamed } from '../../items/contract/collection/kind.ts';
import { itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { itemMustExist } from '../../items/contract/item/store.ts';
import { libraryKind, libraryName, libraryNamed } from '../../items/public.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { noSuchShape, shapeFor, shapeThere } from '../../shapes/public.ts';
import { changing, together } from '../../store/commit-plan.ts';
import type { Statement } from '../../store/contract.ts';
import type { ExportParts } from '../parts.ts';
import { beginExport, type ExportTarget } from './order.ts';
import { itemExport, listExport, shapeExport } from './parameters.ts';

/** Exported entity, with the guards for the commit that starts the job. */
interface GuardedTarget extends ExportTarget {
  readonly guards: readonly Statement[];
}

const one = { access: role('_export'), acting: 'allowed', answers: jobDocument, produces: documentTypes } as const;

export function exportRoutes(parts: ExportParts): readonly Route[] {
  const { store, render } = parts;

  async function start(
    call: Parameters<typeof beginExport>[1],
    type: MediaType,
    find: () => Promise<GuardedTarget>,
  ): Promise<Reply> {
    const job = await retryWhenChanged(async () => {
      const { guards, ...target } = await find();
      const { work, document } = await beginExport(parts, call, target);
      await call.commit(together(changing(...guards), work));
      return document;
    });
    return render(type, jobDocument, job);
  }

  async function item(call: Call, name: string): Promise<GuardedTarget> {
    const { id } = await itemNamed(store, name);
    await mustHave(store, call, itemName, { id }, 'READ');
    return { target: 'item', id, itemId: undefined, guards: [itemMustExist(id, noSuchEntity(itemName, id))] };
  }

  return [
    route({
      ...one,
      method: 'POST',
      path: '/item/:item/export',
      says: 'Copies files of an item to a folder, a storage, a bucket or a web server, as a job.',
      query: itemExport,
      handle: (call, type, params) => start(call, type, () => item(call, params.item)),
    }),
    route({
      ...one,
      method: 'POST',
      path: '/item/:item/shape/:shape/export',
      says: 'Copies the files of a shape.',
      query: shapeExport,
      handle: (call, type, params) =>
        start(call, type, async () => {
          const { id, itemId } = await shapeFor(store, call, params, 'READ');
          return { target: 'shape', id, itemId, guards: [shapeThere({ id }, noSuchShape(id))] };
        }),
    }),
    route({
      ...one,
      method: 'POST',
      path: '/collection/:collection/export',
      says: 'Copies files of the items of a collection, and of the collections in it.',
      query: listExport,
      handle: (call, type, params) =>
        start({ ...call, query: { ...call.query, ...noPart } }, type, async () => {
          const { id } = await collectionNamed(store, params.collection);
          await mustHave(store, call, collectionName, { id }, 'READ');
          const guards = [collectionKind(store).mustExist(id, noSuchEntity(collectionName, id))];
          return { target: 'collection', id, itemId: undefined, guards };
        }),
    }),
    route({
      ...one,
      method: 'POST',
      path: '/library/:library/export',
      says: 'Copies files of the items of a library.',
      query: listExport,
      handle: (call, type, params) =>
        start({ ...call, query: { ...call.query, ...noPart } }, type, async () => {
          const { id } = await libraryNamed(store, params.library);
          await mustHave(store, call, libraryName, { id }, 'READ');
          const guards = [libraryKind(store).mustExist(id, noSuchEntity(libraryName, id))];
          return { target: 'library', id, itemId: undefined, guards };
        }),
    }),
  ];
}

const noPart = { start: undefined, end: undefined, allowMissing: true };
