import type { Call } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { flag, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { House } from '../../room/house.ts';
import { jobDocument } from '../documents.ts';
import { jobDocumentOf } from '../list/documents.ts';
import { findJob, type JobRow } from '../running/store.ts';
import { abortJob, noSuchJob } from './rules.ts';

export type EndingParts = Pick<House, 'store' | 'render' | 'commit' | 'jobTypes'>;

const query = {
  reason: text('Why, for the data of the job: abortReason'),
  cleanup: flag('Whether it cleans up. What a job has begun to write goes in any case', true),
};

export function endingRoutes(parts: EndingParts): readonly Route[] {
  const { store, render } = parts;

  const abort = (call: Call, id: string, reason: string | undefined): Promise<JobRow> =>
    retryWhenChanged(async () => {
      const row = await findJob(store, { id });
      if (!row) throw noSuchJob(id);
      const aborted = abortJob(row, reason);
      if (aborted.work.changes.length > 0) await parts.commit(aborted.work, call);
      return aborted.row;
    });

  return [
    route({
      method: 'DELETE',
      path: '/job/:job',
      says: 'Ends a job before its time. It is ABORTED once it has cleaned up.',
      query,
      answers: jobDocument,
      access: role('_job_write'),
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const row = await abort(call, params['job']!, call.query.reason);
        const view = { data: true, keys: undefined, tasks: undefined };
        const kind = parts.jobTypes().find((each) => each.type === row.type);
        return render(type, jobDocument, jobDocumentOf(row, kind, view));
      },
    }),
  ];
}
