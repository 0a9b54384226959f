import { listParameters } from '../assets/lists/parameters.ts';
import type { TellUnknown } from '../documents/index.ts';
import { documentFrom, isShortBody } from '../http/body.ts';
import { type Call, optionalDocument } from '../http/call.ts';
import { nameIgnored, passOnIgnored } from '../http/ignored.ts';
import { flag, type QueryOf, text } from '../http/parameters/index.ts';
import { sentDocument } from '../http/sent-document.ts';
import type { Reading } from '../store/reading.ts';
import { type ItemSearch, itemSearchDocument, metadataGroupSearchDocument } from './documents/search.ts';
import type { SearchOptions } from './find.ts';
import { remember } from './history/remember.ts';
import type { SearchParts } from './parts.ts';
import type { SearchKind } from './query/ast.ts';
import { type SearchAnswer, type SearchRequest, searchReading } from './reading.ts';
import { type Asked, groupSearch, readSought, type Sought } from './sought.ts';
import { askingOf } from './viewer.ts';

/** Query parameters of all searches. */
export const searchParameters = (maxPage: number) => ({
  ...listParameters(maxPage),
  fresh: flag('Waits until the index has metadata that items inherit from collections', false),
  save: flag('Answers the address of the saved search instead of its result', false),
});

/** Query parameter for searches without a body. */
export const searchInQuery = { q: text('An ItemSearchDocument, as XML or as JSON') };

type SearchQuery = QueryOf<ReturnType<typeof searchParameters>>;

/**
 * Search of a request, from the body or the parameter `q`. Short bodies are parsed later, by the reader of the search.
 */
export async function searchIn({ limits }: SearchParts, call: Call, q?: string): Promise<Sought> {
  if (q !== undefined) return { document: documentFrom(q, itemSearchDocument, limits, 'q') };
  if (!isShortBody(call.request)) return { document: (await optionalDocument(call, itemSearchDocument, limits)) ?? {} };
  return { sent: await sentDocument(call, limits), by: 'entities' };
}

/** Search of a request for groups. */
export async function groupSearchIn({ limits }: SearchParts, call: Call): Promise<Sought> {
  if (!isShortBody(call.request))
    return { document: groupSearch(await optionalDocument(call, metadataGroupSearchDocument, limits)) };
  return { sent: await sentDocument(call, limits), by: 'groups' };
}

/** Parses the search, for callers that need the document. */
export const documentOf = ({ trace }: Call, sought: Sought): Promise<ItemSearch> =>
  readSought(sought, (name) => nameIgnored(trace, name));

type PageQuery = Pick<SearchQuery, 'first' | 'number' | 'cursor' | 'count'> & Partial<Pick<SearchQuery, 'fresh'>>;

/** Runs the search of a request, restricted to readable entities. */
export async function searchFor(
  parts: SearchParts,
  call: Call,
  kind: SearchKind,
  sought: Sought,
  query: PageQuery,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  const given = await givenFor(parts, call, kind, sought, query, options);
  return readRemembered(parts, call, searchReading, given);
}

/** Input of a reading for a search. */
export async function givenFor(
  { clock, caughtUp }: SearchParts,
  call: Call,
  kind: SearchKind,
  sought: Sought,
  { first, number, cursor, count: counts, fresh }: PageQuery,
  options: SearchOptions,
): Promise<SearchRequest> {
  if (fresh) await caughtUp();
  const asking = await askingOf(call);
  return { asking, kind, sought, page: { first, number, cursor, counts, now: clock.now() }, options };
}

/** Runs the reading of a search. First pages are added to the history. */
export async function readRemembered<In extends SearchRequest, Out extends { readonly asked: Asked }>(
  parts: SearchParts,
  call: Call,
  reading: Reading<In, Out>,
  given: In,
): Promise<Out> {
  const answer = await readTold(parts, call, reading, given, (tell) => readSought(given.sought, tell));
  const { kept } = answer.asked;
  if (kept) await remember(parts, call, kept);
  return answer;
}

/** Runs a reading that parses the body. `readAgain`: reports unknown names if the reading fails. */
export async function readTold<In, Out extends { readonly asked: Pick<Asked, 'ignored'> }>(
  { perform }: SearchParts,
  call: Call,
  reading: Reading<In, Out>,
  given: In,
  readAgain: (tell: TellUnknown) => Promise<unknown>,
): Promise<Out> {
  try {
    const answer = await perform(call, reading, given);
    for (const name of answer.asked.ignored ?? []) passOnIgnored(call.trace, name);
    return answer;
  } catch (error) {
    await readAgain((name) => nameIgnored(call.trace, name));
    throw error;
  }
}
