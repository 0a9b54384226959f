import type { FoundTimespan } from '../assets/documents/search.ts';
import { listParameters } from '../assets/lists/parameters.ts';
import { documentFrom } from '../http/body.ts';
import { accountOf, type Call, optionalDocument } from '../http/call.ts';
import { flag, type QueryOf, text } from '../http/parameters/index.ts';
import { after } from '../lib/maybe.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from './documents/search.ts';
import { type Entry, type FoundEntries, find, type SearchOptions } from './find.ts';
import { remember } from './history/remember.ts';
import type { SearchParts } from './parts.ts';
import type { Found } from './query/ast.ts';
import { autocompletesOf } from './query/autocomplete.ts';
import { facetsOf } from './query/facets.ts';
import { highlightsOf } from './query/highlight.ts';
import { suggestionsOf } from './query/suggestions.ts';
import { accessOf } from './viewer.ts';

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

/** What an answer says beside the entries. */
export interface Besides {
  readonly facet: Awaited<ReturnType<typeof facetsOf>>;
  readonly suggestion: Awaited<ReturnType<typeof suggestionsOf>>;
  readonly autocomplete: Awaited<ReturnType<typeof autocompletesOf>>;
}

export interface Answered extends Omit<FoundEntries, 'search' | 'resolved'> {
  readonly besides: Besides;
  readonly highlights: ReadonlyMap<Entry, readonly FoundTimespan[]> | undefined;
}

/** Finds what a request asks for, as far as the caller may read it. */
export async function searchFor(
  parts: SearchParts,
  call: Call,
  found: Found,
  document: ItemSearch,
  query: Pick<SearchQuery, 'first' | 'number' | 'cursor' | 'count'>,
  options: SearchOptions = {},
): Promise<Answered> {
  const reader = parts.store.reader(accountOf(call));
  const viewer = await accessOf(reader, call);
  const mergesGroups = () => after(parts.property('metadataGroupSearchStyle'), (style) => style === 1);
  const { first, number, cursor: asked, count: counts } = query;
  const page = { first, number, cursor: asked, counts, now: parts.clock.now() };
  const result = await find(reader, viewer, found, document, page, { ...options, mergesGroups });
  const { search, resolved, hits, ids, next } = result;
  const { facet, suggestion, autocomplete, highlight } = document;
  // Most searches ask for nothing beside what they find.
  const besides = {
    facet: facet ? await facetsOf(reader, search, document, resolved) : [],
    suggestion: suggestion ? await suggestionsOf(reader, viewer, found, search, document) : [],
    autocomplete: autocomplete ? await autocompletesOf(reader, viewer, found, autocomplete) : [],
  };
  const highlights = highlight && (await highlightsOf(reader, viewer, result.entries, search.criteria, highlight));
  const cursor = query.cursor ?? document.cursor;
  const isGroups = document.group?.some(({ isAny }) => isAny) === true;
  if (!isGroups && (cursor === undefined || cursor === '*')) await remember(parts, call, found, document);
  return {
    hits,
    ids,
    get entries() {
      return result.entries;
    },
    next,
    besides,
    highlights,
  };
}
