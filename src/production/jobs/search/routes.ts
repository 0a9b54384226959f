import { answer } from '../../../http/answers.ts';
import { flag, page, pageOf } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { jobListDocument } from '../../../room/jobs/documents.ts';
import { jobDocumentOf } from '../list/documents.ts';
import { countJobs, type JobQuery, jobsOf } from '../list/store.ts';
import type { JobRoomParts } from '../parts.ts';
import { type JobSearch, jobSearchDocument } from './documents.ts';
import { facetsOf } from './facets.ts';
import { jobFilterOf } from './rules.ts';

/** Jobs by a document, for clients that search everything alike. */
export function jobSearchRoutes(parts: JobRoomParts): readonly Route[] {
  const { store, settings } = parts;
  return [
    route({
      method: 'PUT',
      path: '/job/search',
      says: 'Jobs of all users that match all fields of the document, the newest first.',
      query: {
        metadata: flag('Adds the data of each job', false),
        ...page(settings.maxPage, Math.min(100, settings.maxPage)),
      },
      reads: jobSearchDocument,
      answers: answer(jobListDocument, { list: 'job' }),
      access: role('_job_read'),
      acting: 'allowed',
      async handle(call) {
        const { metadata } = call.query;
        const jobsFor = (search: JobSearch): JobQuery => ({
          ...jobFilterOf(search),
          user: undefined,
          ownerless: false,
          withData: metadata,
          order: [{ by: 'jobId', desc: true }],
          ...pageOf(call.query),
        });
        const jobs = jobsFor(call.body);
        const { reader } = call;
        const rows = await jobsOf(reader, jobs, settings.maxPageValues);
        const hits = await countJobs(reader, jobs);
        const types = new Map(parts.jobTypes().map((each) => [each.type, each]));
        const view = { data: metadata, keys: undefined, tasks: undefined };
        const job = rows.map((row) => jobDocumentOf(row, types.get(row.type), view));
        const facet = call.body.facet && (await facetsOf(reader, call.body, jobsFor));
        return { hits, job, ...(facet && { facet }) };
      },
    }),
  ];
}
