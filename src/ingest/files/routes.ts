import { metadataDocument } from '../../assets/documents/metadata.ts';
import { itemNamed } from '../../assets/items/kinds.ts';
import { mustHave } from '../../assets/access/viewer.ts';
import { itemName } from '../../assets/items/kinds.ts';
import { requireTags } from '../../assets/shape-tags/known.ts';
import { adoptFiles } from '../../assets/shapes/adopt.ts';
import { optionalDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, list, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { orderDocument } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { ServiceError } from '../../lib/errors.ts';
import { changedMeanwhile, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { storageDocument } from '../../media/documents/storage.ts';
import { fileAddresses } from '../../media/files/addresses.ts';
import { chooseStorage } from '../../media/rules/choose.ts';
import { storageFrom } from '../../media/storages/documents.ts';
import { loadStorage } from '../../media/storages/load.ts';
import { claim, claimedBy } from '../claims/store.ts';
import { importParameters, wishFrom } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { prepareImport } from '../starting/new-item.ts';

/** Imports of files that lie on storages, and the storage that imports would use. */
export function fileImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, limits, render, clock, offices } = parts;
  const { paths, fileOf } = fileAddresses(store);

  return [
    ...paths.map((path) =>
      route({
        method: 'POST',
        path: `${path}/import`,
        says: 'Makes an item of a file that lies on a storage, as a job. The file stays where it is.',
        query: {
          ...importParameters,
          id: list(text('External ids of the item')),
          filename: text('The name of the file as the item tells it'),
          allowReimport: flag('Also a file that a component has', false),
          settings: text('The profile whose access entries the item gets'),
        },
        reads: ['nothing', metadataDocument],
        answers: jobDocument,
        access: role('_import'),
        acting: 'allowed',
        produces: documentTypes,
        async handle(call, type, params) {
          const { importTag = ['original'], tag = [], id: externalIds = [], settings } = call.query;
          const { filename, allowReimport } = call.query;
          const metadata = await optionalDocument(call, metadataDocument, limits);
          const { storageId: _storage, ...asked } = wishFrom(call.query);
          const started = clock.now();
          const order = await retryWhenChanged(async () => {
            const { id: fileId } = await fileOf(params);
            const { guards } = await adoptFiles(store, [fileId], 'path', allowReimport);
            const other = allowReimport ? undefined : await claimedBy(store, { type: 'file', id: fileId });
            if (other) throw beingImported(fileId, other.jobId);
            const changed = changedMeanwhile('File', fileId);
            const wish = { ...asked, fileId, allowReimport, ...(filename !== undefined && { filename }) };
            const { work, order } = await prepareImport(parts, call, {
              type: 'AUTO_IMPORT',
              ...{ wish, externalIds, metadata, importTag, tags: tag, settings },
              also: ({ jobId }) => [
                ...guards,
                ...(allowReimport ? [] : [claim({ type: 'file', id: fileId, jobId }, changed)]),
              ],
            });
            await parts.commit(work, call);
            return order;
          });
          return render(type, jobDocument, orderDocument(order, started));
        },
      }),
    ),
    route({
      method: 'GET',
      path: '/import/storage',
      says: 'The storage that takes the file of an import now, as the storage rules say.',
      query: {
        tag: list(text('Tags of the shape')),
        item: text('The item; a new one without it'),
      },
      answers: storageDocument,
      access: role('_import'),
      produces: documentTypes,
      async handle(call, type) {
        const { tag = [], item } = call.query;
        await requireTags(store, tag);
        const found = item === undefined ? undefined : await itemNamed(store, item);
        if (found) await mustHave(store, call, itemName, found, 'READ');
        const about = found
          ? await offices.ruledBy(store, { item: found.id })
          : { items: [], collections: [], tags: [] };
        const id = await chooseStorage(store, { ...about, tags: [...new Set([...about.tags, ...tag])] });
        if (id === undefined) throw noStorage;
        return render(type, storageDocument, storageFrom(await loadStorage(store, id)));
      },
    }),
  ];
}

const beingImported = (id: string, jobId: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'file',
    id,
    explanation: `Expected a file that no job imports now, or allowReimport=true [${jobId}]`,
    value: id,
  });

const noStorage = new ServiceError('no-such-entity', { type: 'Storage', id: '' });
