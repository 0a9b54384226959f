import {
  defaultFacetValues,
  type FacetRequest,
  type FacetResult,
  maxFacetValues,
} from '../../../core/documents/shared-documents.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import { flag, page, pageOf } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { jobListDocument } from '../../../room/jobs/documents.ts';
import { jobPriorities } from '../../../room/jobs/job-type.ts';
import type { JobRoomParts } from '../parts.ts';
import { jobDocumentOf } from './documents.ts';
import { badPart, type JobSearch, jobFilterOf, jobSearchDocument, meaningOf } from './search.ts';
import { countJobs, countsBy, type JobQuery, jobsOf } from './store.ts';

/** Facets of a search of jobs, in the order of its document. `filter`: the part that a document does not say. */
async function facetsOf(
  reader: Reader,
  search: JobSearch,
  filter: (search: JobSearch) => JobQuery,
): Promise<readonly FacetResult[]> {
  const { facet = [], facetFilter = [] } = search;
  return askEach(facet, (each) => {
    const others = facetFilter.filter(({ field }) => !isSame(field, each.field));
    return facetOf(reader, filter({ ...search, facetFilter: others }), each);
  });
}

const isSame = (one: string, other: string): boolean =>
  one === other || (meaningOf(one) !== 'data' && meaningOf(one) === meaningOf(other));

async function facetOf(reader: Reader, jobs: JobQuery, request: FacetRequest): Promise<FacetResult> {
  const { field, name, minCount = 1, maxCount = Number.MAX_SAFE_INTEGER, maxResults = defaultFacetValues } = request;
  const by = meaningOf(field);
  if (by === 'jobid' || by === 'started' || by === 'finished') {
    throw badPart('facet', field, 'Expected user, state, type, priority, or a key of the data');
  }
  const limit = Math.max(Math.min(maxResults, maxFacetValues), 0);
  const rows = await countsBy(reader, jobs, by, { facetKey: field, minCount, maxCount, limit });
  const shown = (text: string | number) => (by === 'priority' ? jobPriorities[Number(text)]! : String(text));
  return {
    count: rows.map(({ text, count }) => ({ fieldValue: shown(text), value: count, count })),
    field,
    ...(name !== undefined && { name }),
  };
}

/** Jobs by a document, for clients that search everything alike. */
export function jobSearchRoutes(parts: JobRoomParts): readonly Route[] {
  const { settings } = parts;
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
