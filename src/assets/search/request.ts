import type { Value } from '../../core/documents/index.ts';
import type { Reading } from '../../core/store/store.ts';
import type { Reply } from '../../http/reply.ts';
import { hook } from '../../room/hook.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { askingOf } from '../access/public-reading.ts';
import type { ItemSearch, metadataGroupSearchDocument, SearchField } from './documents.ts';
import type { SearchOptions, SearchPage } from './find.ts';
import { joinsFor } from './joins.ts';
import type { SearchParts } from './parts.ts';
import type { SearchKind } from './query/ast.ts';
import { type SearchRequest, searchReading } from './reading.ts';

/** Search for entities with one group that meets all criteria. */
export function groupSearch(document: Value<typeof metadataGroupSearchDocument> = {}): ItemSearch {
  const { text, field, group, operator, reference, filter, ...others } = document;
  const filters = (filter ?? []).map(({ name: _name, ...each }) => each);
  return {
    ...others,
    group: [{ isAny: true, text, field, group, reference, operator: [...(operator ?? []), ...filters] }],
  };
}

interface PageQuery extends Pick<SearchPage, 'first' | 'number' | 'cursor'> {
  readonly count: boolean | 'bounded';
  readonly fresh: boolean;
}

/** Matches that a bounded count looks at. */
const maxCounted = 10_000;

/** Input of a reading for a search by a caller. */
export async function searchRequest(
  { clock, hooks, caughtUp }: SearchParts,
  caller: Caller,
  kind: SearchKind,
  document: ItemSearch,
  { first, number, cursor, count, fresh }: PageQuery,
  scope: SearchOptions,
): Promise<SearchRequest> {
  const counts = count === 'bounded' ? maxCounted : count;
  const options = { ...scope, ...joinsFor({ hooks }, document) };
  if (fresh) await caughtUp();
  const asking = await askingOf(caller);
  return { asking, kind, document, page: { first, number, cursor, counts, now: clock.now() }, options };
}

/** Performs the reading of a search that the engine was asked about. */
export const performSearch = <In extends SearchRequest, Out>(
  { perform }: Pick<SearchParts, 'perform'>,
  caller: Caller,
  reading: Reading<In, Out>,
  request: In,
): Promise<Out> | Out => (request.answered ? reading.run(caller.reader, request) : perform(caller, reading, request));

/** Answer with a header for what it may lack. */
export const warned = (reply: Reply, { warning, answered }: SearchRequest): Reply =>
  warning === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, warning: `${answered ? 110 : 199} portico "${warning}"` } };

/** Runs the reading of a search, restricted to readable entities. First pages are added to the history. */
export async function runSearch<In extends SearchRequest, Out>(
  parts: SearchParts,
  caller: Caller,
  reading: Reading<In, Out>,
  request: In,
): Promise<Out> {
  const answer = await performSearch(parts, caller, reading, request);
  await parts.history.add(subjectOf(caller).name, request);
  return answer;
}

/** Finds items for a caller by the values of a field, up to a number, in no certain order. */
type ItemsHaving = (caller: Caller, field: SearchField, max: number) => Promise<readonly string[]>;

export const itemsHaving = hook<ItemsHaving>('search');

export const findItemsHaving =
  (parts: SearchParts): ItemsHaving =>
  async (caller, field, max) => {
    const page = { first: 1, number: max, cursor: undefined, count: false, fresh: false };
    const own = await searchRequest(parts, caller, 'item', { field: [field] }, page, {});
    const request = { ...own, ...(await parts.engines.answer(caller, own)) };
    return (await performSearch(parts, caller, searchReading, request)).ids;
  };
