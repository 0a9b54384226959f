import { metadataDocument } from '../../../assets/metadata/public-reading.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { list, repeated, text } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { storageNamed } from '../../../storage/public.ts';
import { addressFrom, addressParameters, importParameters, wishFrom } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { prepareImport } from '../starting/new-item.ts';

const { fileId: _file, ...uris } = addressParameters;

/** Imports of files that lie elsewhere. */
export function importRoutes(parts: IngestParts): readonly Route[] {
  const { store } = parts;

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
      reads: optional(metadataDocument),
      answers: jobDocument,
      access: role('_import'),
      acting: 'allowed',
      async handle(call) {
        const { importTag = ['original'], tag = [], settings, filename, sidecar, ids: externalIds = [] } = call.query;
        const { storageId, ...source } = wishFrom(call.query);
        const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
        const wish = {
          ...source,
          ...addressFrom(call.query),
          ...(storage !== undefined && { storageId: storage }),
          ...(filename !== undefined && { filename }),
          ...(sidecar.length > 0 && { sidecars: sidecar }),
        };

        const item = {
          type: 'PLACEHOLDER_IMPORT',
          wish,
          externalIds,
          metadata: call.body,
          importTag,
          tags: tag,
          settings,
        } as const;
        return retryWhenChanged(async () => {
          const { work, document } = await prepareImport(parts, call, item);
          await call.commit(work);
          return document;
        });
      },
    }),
  ];
}
