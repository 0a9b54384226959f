import { listParameters } from '../assets/lists/parameters.ts';
import { documentFrom } from '../http/body.ts';
import { type Call, optionalDocument } from '../http/call.ts';
import { flag, type QueryOf, text } from '../http/parameters/index.ts';
import type { Reading } from '../store/reading.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from './documents/search.ts';
import type { SearchOptions } from './find.ts';
import { remember } from './history/remember.ts';
import type { SearchParts } from './parts.ts';
import type { Found } from './query/ast.ts';
import { type SearchFound, type SearchGiven, searchReading } from './reading.ts';
import { askingOf } from './viewer.ts';

/** What every search is asked for besides its document. */
export const searchParameters = (maxPage: number) => ({
  ...listParameters(maxPage),
  save: flag('Answers the address of the search instead of what it finds', false),
});

/** The document of a search that is sent without a body. */
export const searchInQuery = { q: text('An ItemSearchDocument, as XML or as JSON') };

export type SearchQuery = QueryOf<ReturnType<typeof searchParameters>>;

/** The search document of a request: its body, or the parameter `q`. Without one, everything is found. */
export async function searchIn({ limits }: SearchParts, call: Call, q?: string): Promise<ItemSearch> {
  if (q !== undefined) return documentFrom(q, itemSearchDocument, limits, 'q');
  return (await optionalDocument(call, itemSearchDocument, limits)) ?? {};
}

/** The same for a search of groups: what has a group that meets all criteria by itself. No history keeps it. */
export async function groupSearchIn({ limits }: SearchParts, call: Call): Promise<ItemSearch> {
  const { text, field, group, operator, reference, filter, ...others } =
    (await optionalDocument(call, metadataGroupSearchDocument, limits)) ?? {};
  const filters = (filter ?? []).map(({ name: _name, ...each }) => each);
  return {
    ...others,
    group: [{ isAny: true, text, field, group, reference, operator: [...(operator ?? []), ...filters] }],
  };
}

type Asked = Pick<SearchQuery, 'first' | 'number' | 'cursor' | 'count'>;

/** Finds what a request asks for, as far as the caller may read it. */
export async function searchFor(
  parts: SearchParts,
  call: Call,
  found: Found,
  document: ItemSearch,
  query: Asked,
  options: SearchOptions = {},
): Promise<SearchFound> {
  const given = await givenFor(parts, call, found, document, query, options);
  return readRemembered(parts, call, searchReading, given);
}

/** What a reading is told of a search. */
export async function givenFor(
  { clock }: SearchParts,
  call: Call,
  found: Found,
  document: ItemSearch,
  { first, number, cursor, count: counts }: Asked,
  options: SearchOptions,
): Promise<SearchGiven> {
  const asking = await askingOf(call);
  return { asking, found, document, page: { first, number, cursor, counts, now: clock.now() }, options };
}

/** Does the reading of a search. Where it begins one, the history keeps it. */
export async function readRemembered<In extends SearchGiven, Out>(
  parts: SearchParts,
  call: Call,
  reading: Reading<In, Out>,
  given: In,
): Promise<Out> {
  const answer = await parts.perform(call, reading, given);
  const { found, document, page } = given;
  const cursor = page.cursor ?? document.cursor;
  const isGroups = document.group?.some(({ isAny }) => isAny) === true;
  if (!isGroups && (cursor === undefined || cursor === '*')) await remember(parts, call, found, document);
  return answer;
}
