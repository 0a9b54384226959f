import { collectionAt, itemAt } from '../../../assets/items/contract/entities.ts';
import { libraryAt } from '../../../assets/items/public.ts';
import { shapesAt } from '../../../assets/shapes/public.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import type { ExportParts } from '../parts.ts';
import { beginExport, type ExportTarget } from './order.ts';
import { itemExport, listExport, shapeExport } from './parameters.ts';

export function exportRoutes(parts: ExportParts): readonly Route[] {
  const { store } = parts;
  const one = { method: 'POST', access: role('_export'), acting: 'allowed', answers: jobDocument } as const;

  const start = (caller: Parameters<typeof beginExport>[1], target: ExportTarget): Promise<Job> =>
    retryWhenChanged(async () => {
      const { work, document } = await beginExport(parts, caller, target);
      await caller.commit(work);
      return document;
    });

  return [
    route({
      ...one,
      path: '/item/:item/export',
      says: 'Copies files of an item to a folder, a storage, a bucket or a web server, as a job.',
      entities: { item: itemAt(store)('READ') },
      query: itemExport,
      handle: (call, { item: { id } }) => start(call, { target: 'item', id, itemId: undefined }),
    }),
    route({
      ...one,
      path: '/item/:item/shape/:shape/export',
      says: 'Copies the files of a shape.',
      entities: shapesAt(store).shape('READ'),
      query: shapeExport,
      handle: (call, { shape: { id, itemId } }) => start(call, { target: 'shape', id, itemId }),
    }),
    route({
      ...one,
      path: '/collection/:collection/export',
      says: 'Copies files of the items of a collection, and of the collections in it.',
      entities: { collection: collectionAt(store)('READ') },
      query: listExport,
      handle: (call, { collection: { id } }) =>
        start({ ...call, query: { ...call.query, ...noPart } }, { target: 'collection', id, itemId: undefined }),
    }),
    route({
      ...one,
      path: '/library/:library/export',
      says: 'Copies files of the items of a library.',
      entities: { library: libraryAt(store)('READ') },
      query: listExport,
      handle: (call, { library: { id } }) =>
        start({ ...call, query: { ...call.query, ...noPart } }, { target: 'library', id, itemId: undefined }),
    }),
  ];
}

const noPart = { start: undefined, end: undefined, allowMissing: true };
