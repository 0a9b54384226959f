import { optionalDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { text } from '../../http/parameters/index.ts';
import { notStored } from '../../http/reply.ts';
import { anybody, type Route, role, route } from '../../http/route.ts';
import { wakeJob } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { storageNamed } from '../../media/public.ts';
import { metadataDocument } from '../../metadata/public-reading.ts';
import { subjectOf } from '../../security/caller.ts';
import { changing, together } from '../../store/commit-plan.ts';
import { wishFrom } from '../parameters.ts';
import type { IngestParts } from '../parts.ts';
import { receiveImport, type UploadPlace, uploadParameters } from '../raw/receive.ts';
import { itemParameters, jobReply } from '../raw/routes.ts';
import { prepareImport } from '../starting/new-item.ts';
import { type KeptPlace, newPasskey, refusedKey, usablePasskey } from './keys.ts';
import { passkeyUnused, usePasskey } from './store.ts';

const passkey = text('Passkey from the answer of POST /import/raw-passkey or a similar route');

/** Routes for uploads by passkey, for an import that a caller has begun. */
export function passkeyRoutes(parts: IngestParts): readonly Route[] {
  const { store, limits, render } = parts;

  return [
    route({
      method: 'POST',
      path: '/import/raw-passkey',
      says: 'Creates an item, a job that waits for its file, and a passkey that lets anybody upload the file once.',
      query: itemParameters,
      reads: ['nothing', metadataDocument],
      answers: jobDocument,
      access: role('_import'),
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type) {
        const { importTag = ['original'], tag = [], ids = [], settings, filename } = call.query;
        const metadata = await optionalDocument(call, metadataDocument, limits);
        const { storageId, ...asked } = wishFrom(call.query);
        const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
        const wish = { ...asked, awaitsUpload: true, ...(filename !== undefined && { filename }) };
        const place: UploadPlace = { storageId: storage, tags: importTag, filename };
        const { document, key } = await retryWhenChanged(async () => {
          const made = newPasskey(parts, subjectOf(call).name, place);
          const { work, document } = await prepareImport(parts, call, {
            type: 'RAW_IMPORT',
            ...{ wish, externalIds: ids, metadata, importTag, tags: tag, settings },
            also: (job) => [made.forJob(job)],
          });
          await call.commit(work);
          return { document, key: made.key };
        });
        const data = [{ key: 'passkey', value: key }];
        return notStored(render(type, jobDocument, { ...document, data }));
      },
    }),
    ...['/APInoauth/import/raw', '/APInoauth/import/placeholder/:item/:component/raw'].map((path) =>
      route({
        method: 'POST',
        path,
        says: 'Uploads the file of an import with its passkey, whole or in parts. Answers the job. A complete upload invalidates the passkey.',
        query: { passkey, ...uploadParameters },
        reads: 'bytes',
        answers: [jobDocument, 'nothing'],
        access: anybody,
        acting: 'allowed',
        produces: documentTypes,
        async handle(call, type) {
          const row = await usablePasskey(parts, call.query.passkey);
          const { hash, jobId, user } = row;
          const { job, ...place } = JSON.parse(row.place) as KeptPlace;
          const upload = { ...place, target: `passkey ${jobId}`, owner: user };
          // Parts that come again find their upload, another file does not.
          if (row.fileId !== null && call.query.transferId === undefined) throw refusedKey;
          const answer = await receiveImport(parts, call, upload, async (fileId) => ({
            work: together(changing(passkeyUnused({ hash }, refusedKey), usePasskey({ hash, fileId })), wakeJob(jobId)),
            document: job,
          }));
          return jobReply(parts, type, answer);
        },
      }),
    ),
  ];
}
