import { metadataDocument } from '../../../assets/metadata/public-reading.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { sentBytesOf } from '../../../http/form-body.ts';
import { raw } from '../../../http/forms.ts';
import { text } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { anybody, type Route, role, route } from '../../../http/route.ts';
import { wakeJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { subjectOf } from '../../../security/caller.ts';
import { storageNamed } from '../../../storage/public.ts';
import { prepareImport } from '../new-imports.ts';
import { importRequestFrom } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { uploadKeyUnused, useUploadKey } from '../store.ts';
import { receiveImport, type UploadPlace, uploadParameters } from './receive.ts';
import { itemParameters, startedJob } from './routes.ts';
import { type KeptPlace, newUploadKey, refusedKey, usableUploadKey } from './upload-keys.ts';

const passkey = text('Passkey from the answer of POST /import/raw-passkey or a similar route');

/** Routes for uploads by an upload key, for an import that a caller has begun. */
export function uploadKeyRoutes(parts: IngestParts): readonly Route[] {
  const { store } = parts;

  return [
    route({
      method: 'POST',
      path: '/import/raw-passkey',
      says: 'Creates an item, a job that waits for its file, and a passkey that lets anybody upload the file once.',
      query: itemParameters,
      reads: optional(metadataDocument),
      answers: jobDocument,
      noStore: true,
      access: role('_import'),
      acting: 'refused',
      async handle(call) {
        const { importTag = ['original'], tag = [], ids = [], settings, filename } = call.query;
        const { storageId, ...source } = importRequestFrom(call.query);
        const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
        const request = { ...source, awaitsUpload: true, ...(filename !== undefined && { filename }) };
        const place: UploadPlace = { storageId: storage, tags: importTag, filename };
        const { document, key } = await call.change(async () => {
          const newKey = newUploadKey(parts, subjectOf(call), place);
          const { work, document } = await prepareImport(parts, call, {
            type: 'RAW_IMPORT',
            ...{ request, externalIds: ids, metadata: call.body, importTag, tags: tag, settings },
            also: (job) => [newKey.forJob(job)],
          });
          return { document, key: newKey.key, ...work };
        });
        return { ...document, data: [{ key: 'passkey', value: key }] };
      },
    }),
    ...['/APInoauth/import/raw', '/APInoauth/import/placeholder/:item/:component/raw'].map((path) =>
      route({
        method: 'POST',
        path,
        says: 'Uploads the file of an import with its passkey, whole or in parts. Answers the job. A complete upload invalidates the passkey.',
        query: { passkey, ...uploadParameters },
        reads: raw('bytes'),
        answers: startedJob,
        access: anybody,
        acting: 'allowed',
        async handle(call) {
          const row = await usableUploadKey(parts, call.query.passkey);
          const { hash, jobId, user } = row;
          const { job, ...place } = JSON.parse(row.place) as KeptPlace;
          const upload = { ...place, target: `passkey ${jobId}`, owner: user };
          // Parts that come again find their upload, another file does not.
          if (row.fileId !== null && call.query.transferId === undefined) throw refusedKey;
          return receiveImport(parts, call, sentBytesOf(call), upload, {
            take: async (fileId) => ({
              work: together(
                changing(uploadKeyUnused({ hash }, refusedKey), useUploadKey({ hash, fileId })),
                wakeJob(jobId),
              ),
              document: job,
            }),
          });
        },
      }),
    ),
  ];
}
