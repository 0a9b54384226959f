import { metadataDocument } from '../../assets/documents/metadata.ts';
import { adoptFiles } from '../../assets/shapes/adopt.ts';
import { optionalDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, list, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { orderDocument } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { ServiceError } from '../../lib/errors.ts';
import { changedMeanwhile, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { fileAddresses } from '../../media/files/addresses.ts';
import { claim, claimedBy } from '../claims/store.ts';
import { importParameters, wishFrom } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { prepareImport } from '../starting/new-item.ts';

/** Imports of files that lie on storages. */
export function fileImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, limits, render, clock } = parts;
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
            const { guards } = await adoptFiles(store, call, [fileId], 'path', allowReimport);
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
  ];
}

const beingImported = (id: string, jobId: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'file',
    id,
    explanation: `Expected a file that no job imports now, or allowReimport=true [${jobId}]`,
    value: id,
  });
