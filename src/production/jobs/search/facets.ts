import {
  type FacetRequest,
  type FacetResult,
  mostFacetValues,
  usualFacetValues,
} from '../../../core/documents/shared-documents.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { jobPriorities } from '../../../room/jobs/job-type.ts';
import { countsBy, type JobQuery } from '../list/store.ts';
import type { JobSearch } from './documents.ts';
import { badPart, meaningOf } from './rules.ts';

/** Facets of a search of jobs, in the order of its document. `filter`: the part that a document does not say. */
export async function facetsOf(
  reader: Reader,
  search: JobSearch,
  filter: (search: JobSearch) => JobQuery,
): Promise<readonly FacetResult[]> {
  const { facet = [], facetFilter = [] } = search;
  const facets: FacetResult[] = [];
  for (const each of facet) {
    const others = facetFilter.filter(({ field }) => !isSame(field, each.field));
    facets.push(await facetOf(reader, filter({ ...search, facetFilter: others }), each));
  }
  return facets;
}

const isSame = (one: string, other: string): boolean =>
  one === other || (meaningOf(one) !== 'data' && meaningOf(one) === meaningOf(other));

async function facetOf(reader: Reader, jobs: JobQuery, request: FacetRequest): Promise<FacetResult> {
  const { field, name, minCount = 1, maxCount = Number.MAX_SAFE_INTEGER, maxResults = usualFacetValues } = request;
  const by = meaningOf(field);
  if (by === 'jobid' || by === 'started' || by === 'finished') {
    throw badPart('facet', field, 'Expected user, state, type, priority, or a key of the data');
  }
  const limit = Math.max(Math.min(maxResults, mostFacetValues), 0);
  const rows = await countsBy(reader, jobs, by, { facetKey: field, minCount, maxCount, limit });
  const shown = (text: string | number) => (by === 'priority' ? jobPriorities[Number(text)]! : String(text));
  return {
    count: rows.map(({ text, count }) => ({ fieldValue: shown(text), value: count, count })),
    field,
    ...(name !== undefined && { name }),
  };
}
