import { changing, together } from '../../../../core/store/commit-plan.ts';
import { type Route, route } from '../../../../http/route.ts';
import { beginJob } from '../../../../room/jobs/contract.ts';
import { jobDocument } from '../../../../room/jobs/documents.ts';
import { jobParameters } from '../../../../room/jobs/parameters.ts';
import { askerOf } from '../../../definitions/public-reading.ts';
import { libraryAt, writeLibraries as write } from '../../../items/public.ts';
import { checkedWish, wishOf } from '../../../metadata/public.ts';
import { emptyState, isKept, metadataDocument } from '../../../metadata/public-reading.ts';
import type { LibraryParts } from '../parts.ts';
import { itemMetadataJob } from './job.ts';
import { insertMetadataJob } from './store.ts';

export function itemMetadataRoutes(parts: LibraryParts): readonly Route[] {
  const { store } = parts;
  return [
    route({
      method: 'PUT',
      path: '/library/:library/item-metadata',
      says: 'Merges a document into the metadata of all items of a library, as a job. Items that the caller may not change are skipped.',
      entities: { library: libraryAt(store)('READ') },
      query: jobParameters,
      reads: metadataDocument,
      answers: jobDocument,
      access: write,
      acting: 'allowed',
      async handle(call, { library: { id } }) {
        const document = call.body;
        // Refuses documents that no item could accept.
        const wish = wishOf(document, { isIgnored: isKept });
        await checkedWish({ store }, emptyState(), wish, undefined, await askerOf(call));
        const job = await beginJob(parts, call, { job: itemMetadataJob, memo: { libraryId: id } });
        const values = { jobId: job.jobId, libraryId: id, document: JSON.stringify(document) };
        await call.commit(together(changing(insertMetadataJob(values)), job.work));
        return job.document;
      },
    }),
  ];
}
