import { collectionAt, itemAt, itemName } from '../../assets/items/contract/entities.ts';
import { type ItemRow, itemMustExist } from '../../assets/items/contract/store.ts';
import { libraryAt } from '../../assets/items/public.ts';
import { shapesAt } from '../../assets/shapes/public.ts';
import { mediaOfItem, mustBeUsable } from '../../assets/usage/public.ts';
import { changing, nothing } from '../../core/store/commit-plan.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { choice, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import { done } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { commitJob, startJob } from '../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../room/jobs/documents.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import {
  latestPictured,
  noSuchPicture,
  type PictureKind,
  pictureAt,
  pictureKinds,
  timeIn,
} from '../transcoding/public.ts';
import { exportUri } from './destination-uri.ts';
import { beginExport, type ExportTarget, itemExport, listExport, shapeExport } from './order.ts';
import type { ExportParts } from './parts.ts';
import { exportJob } from './running/export-job.ts';

export function exportRoutes(parts: ExportParts): readonly Route[] {
  const { store } = parts;
  const one = { method: 'POST', access: role('_export'), acting: 'allowed', answers: jobDocument } as const;

  const start = (caller: Parameters<typeof beginExport>[1], target: ExportTarget): Promise<Job> =>
    commitJob(caller, () => beginExport(parts, caller, target));

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

const types: Readonly<Record<string, string>> = { jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png' };

const parameters = {
  uri: text('Destination of the picture. A slash at its end makes it a folder', {
    required: true,
    expected: 'Expected an address such as file:///srv/exports/',
  }),
  version: whole('The essence version. Default: the latest with pictures', {}),
  format: choice('Image format. A transcoder converts to other formats', Object.keys(types), {}),
  ...jobParameters,
};

/** Exports of thumbnails and posters. */
export const pictureExportRoutes = (parts: ExportParts): readonly Route[] =>
  pictureKinds.flatMap((kind) => routesOf(parts, kind));

function routesOf(parts: ExportParts, kind: PictureKind): readonly Route[] {
  const { store } = parts;
  const start = async (
    call: Call<QueryOf<typeof parameters>>,
    { item: { id }, time: timeText }: { readonly item: ItemRow; readonly time: string },
    guards = nothing,
  ): Promise<Job> => {
    const { query } = call;
    const uri = exportUri(query.uri);
    await mustBeUsable(store, call, mediaOfItem(id), parts.clock.now());
    const { instant, text: time } = timeIn('path', timeText);
    const version = query.version ?? (await latestPictured(store, { itemId: id, kind }))[0]?.version ?? 0;
    const [picture] = await pictureAt(store, { itemId: id, kind, version, instant });
    if (!picture) throw noSuchPicture(kind, time);
    const type = query.format === undefined ? picture.type : types[query.format]!;
    const memo = {
      ...{ target: kind, id, itemId: id, destinationUri: uri, version: 'latest', track: '*' },
      ...{ pictured: version, instant, type },
    };
    return startJob(parts, call, { job: exportJob, memo }, guards);
  };
  const shared = {
    path: `/${kind}/:place/:item/:time/export`,
    says: `Copies one of the ${kind}s of an item to a folder, a storage, a bucket or a web server, as a job.`,
    entities: { item: itemAt(store)('READ') },
    query: parameters,
    access: role('_export'),
    acting: 'allowed',
  } as const;
  return [
    route({ ...shared, method: 'POST', answers: jobDocument, handle: (call, segments) => start(call, segments) }),
    // Clients of the original start it by GET. HEAD starts nothing.
    route({
      ...shared,
      method: 'GET',
      answers: raw(jobDocument),
      async handle(call, segments) {
        if (call.method === 'HEAD') return done;
        const { id } = segments.item;
        const itemGuard = changing(itemMustExist(id, noSuchEntity(itemName, id)));
        return call.render(call.type, jobDocument, await start(call, segments, itemGuard));
      },
    }),
  ];
}
