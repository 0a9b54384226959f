import { accessListParameters } from '../access/public-reading.ts';
import type { Value } from '../documents/index.ts';
import { documentFrom } from '../http/body.ts';
import { type Call, optionalDocument } from '../http/call.ts';
import type { MediaType } from '../http/negotiation.ts';
import { flag, type QueryOf, text } from '../http/parameters/index.ts';
import { lines, type Reply } from '../http/reply.ts';
import { roleMissing } from '../http/route.ts';
import { subjectOf } from '../security/caller.ts';
import { administrator } from '../security/subject.ts';
import type { Reading } from '../store/reading.ts';
import { type SearchPlan, searchPlanDocument } from './documents/plan.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from './documents/search.ts';
import type { SearchOptions } from './find.ts';
import { remember } from './history/remember.ts';
import type { SearchParts } from './parts.ts';
import type { SearchKind } from './query/ast.ts';
import { type SearchAnswer, type SearchRequest, searchReading } from './reading.ts';
import { askingOf } from './viewer.ts';

/** Query parameters of all searches. */
export const searchParameters = (maxPage: number) => ({
  ...accessListParameters(maxPage),
  fresh: flag('Waits until the index has metadata that items inherit from collections', false),
  explain: flag('Answers how the search was run instead of its result. Only for administrators', false),
  save: flag('Answers the address of the saved search instead of its result', false),
});

/** Query parameter for searches without a body. */
export const searchInQuery = { q: text('An ItemSearchDocument, as XML or as JSON') };

type SearchQuery = QueryOf<ReturnType<typeof searchParameters>>;

/** Search of a request, from the body or the parameter `q`. Without either, it matches everything. */
export async function parseSearch({ limits }: SearchParts, call: Call, q?: string): Promise<ItemSearch> {
  if (q !== undefined) return documentFrom(q, itemSearchDocument, limits, 'q');
  return (await optionalDocument(call, itemSearchDocument, limits)) ?? {};
}

/** Search of a request for entities with one group that meets all criteria. */
export async function parseGroupSearch({ limits }: SearchParts, call: Call): Promise<ItemSearch> {
  return groupSearch(await optionalDocument(call, metadataGroupSearchDocument, limits));
}

function groupSearch(document: Value<typeof metadataGroupSearchDocument> = {}): ItemSearch {
  const { text, field, group, operator, reference, filter, ...others } = document;
  const filters = (filter ?? []).map(({ name: _name, ...each }) => each);
  return {
    ...others,
    group: [{ isAny: true, text, field, group, reference, operator: [...(operator ?? []), ...filters] }],
  };
}

type PageQuery = Pick<SearchQuery, 'first' | 'number' | 'cursor' | 'count'> & Partial<Pick<SearchQuery, 'fresh'>>;

/** Runs the search of a request, restricted to readable entities. */
export async function searchFor(
  parts: SearchParts,
  call: Call,
  kind: SearchKind,
  document: ItemSearch,
  query: PageQuery,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  return runSearch(parts, call, searchReading, await searchRequest(parts, call, kind, document, query, options));
}

/** Input of a reading for a search. */
export async function searchRequest(
  { clock, caughtUp }: SearchParts,
  call: Call,
  kind: SearchKind,
  document: ItemSearch,
  { first, number, cursor, count: counts, fresh }: PageQuery,
  options: SearchOptions,
): Promise<SearchRequest> {
  if (fresh) await caughtUp();
  const asking = await askingOf(call);
  return { asking, kind, document, page: { first, number, cursor, counts, now: clock.now() }, options };
}

/** Runs a search, and answers its plan. As text: the name of the strategy. */
export async function explainSearch(
  parts: SearchParts,
  call: Call,
  type: MediaType,
  kind: SearchKind,
  document: ItemSearch,
  query: PageQuery,
  options: SearchOptions = {},
): Promise<Reply> {
  return answerPlan(parts, call, type, async () => {
    const request = await searchRequest(parts, call, kind, document, query, options);
    return (await parts.perform(call, searchReading, { ...request, explains: true })).plan!;
  });
}

/** Answers the plan of a search that `run` makes. Only for administrators, since it tells of hits that others have. */
export async function answerPlan(
  { clock, render }: SearchParts,
  call: Call,
  type: MediaType,
  run: () => Promise<SearchPlan>,
): Promise<Reply> {
  if (!(await subjectOf(call).has(administrator))) throw roleMissing(administrator);
  const began = clock.now();
  const plan = await run();
  if (type === 'text/plain') return lines([[plan.strategy]]);
  return render(type, searchPlanDocument, { ...plan, milliseconds: clock.now() - began });
}

/** Runs the reading of a search. First pages are added to the history. */
export async function runSearch<In extends SearchRequest, Out>(
  parts: SearchParts,
  call: Call,
  reading: Reading<In, Out>,
  request: In,
): Promise<Out> {
  const answer = await parts.perform(call, reading, request);
  await remember(parts, call, request);
  return answer;
}
