import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { type Route, route } from '../../../http/route.ts';
import { beginJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import type { FileAddresses } from '../../files/addresses.ts';
import { whenOf } from '../../files/changes/routes.ts';
import { write } from '../../files/kinds.ts';
import { usesOfFile } from '../../files/uses.ts';
import type { FileJobParts } from '../parts.ts';
import { fileDeletionJob, startDeletion } from './order.ts';

export function fileDeletionRoutes(parts: FileJobParts, { paths, fileOf }: FileAddresses): readonly Route[] {
  const { store, services } = parts;
  return paths.map((path) =>
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a file as a job. Its bytes and its entry are removed after the grace time.',
      query: jobParameters,
      answers: jobDocument,
      access: write,
      acting: 'allowed',
      handle: (call, params) =>
        retryWhenChanged(async () => {
          const row = await fileOf(params);
          const uses = await usesOfFile(store, row.id);
          const job = await beginJob(parts, call, fileDeletionJob(row, uses.itemId[0]));
          await call.commit(startDeletion(row, uses, job, services.fileDeletable(row.id), whenOf(parts)));
          return job.document;
        }),
    }),
  );
}
