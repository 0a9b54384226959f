import { askerOf } from '../../definitions/public-reading.ts';
import { type Call, optionalDocument } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { list, repeated, text } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { jobDocument } from '../../jobs/documents.ts';
import type { JobQuery } from '../../jobs/parameters.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { storageNamed } from '../../media/public.ts';
import { metadataDocument } from '../../metadata/public-reading.ts';
import { addressFrom, addressParameters, importParameters, wishFrom } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { askerMemo } from '../sidecars/apply.ts';
import { type NewItem, prepareImport } from '../starting/new-item.ts';

const { fileId: _file, ...uris } = addressParameters;

/** Imports of files that lie elsewhere. */
export function importRoutes(parts: IngestParts): readonly Route[] {
  const { limits, store } = parts;

  return [
    route({
      method: 'POST',
      path: '/import',
      says: 'Creates an item and a job that imports its file from an address. If the file cannot be read, the job fails.',
      query: {
        ...importParameters,
        ...uris,
        filename: text('File name in the metadata of the item'),
        settings: text('The profile whose access entries the item gets'),
        ids: list(text('External ids of the item')),
        sidecar: repeated('The address or the id of a file with metadata or subtitles'),
      },
      reads: ['nothing', metadataDocument],
      answers: jobDocument,
      access: role('_import'),
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type) {
        const { importTag = ['original'], tag = [], settings, filename, sidecar, ids: externalIds = [] } = call.query;
        const metadata = await optionalDocument(call, metadataDocument, limits);
        const { storageId, ...asked } = wishFrom(call.query);
        const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
        const wish = {
          ...asked,
          ...addressFrom(call.query),
          ...(storage !== undefined && { storageId: storage }),
          ...(filename !== undefined && { filename }),
          ...(sidecar.length > 0 && {
            sidecars: sidecar,
            ...askerMemo(await askerOf(call)),
          }),
        };

        const item = {
          type: 'PLACEHOLDER_IMPORT',
          wish,
          externalIds,
          metadata,
          importTag,
          tags: tag,
          settings,
        } as const;
        return startItem(parts, call, type, item);
      },
    }),
  ];
}

/** Commits a new item with its job, and answers the job. */
async function startItem(parts: IngestParts, call: Call<JobQuery>, type: MediaType, item: NewItem): Promise<Reply> {
  const job = await retryWhenChanged(async () => {
    const { work, document } = await prepareImport(parts, call, item);
    await call.commit(work);
    return document;
  });
  return parts.render(type, jobDocument, job);
}
