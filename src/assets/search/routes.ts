import type { Description } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { systemActor } from '../../core/store/contract.ts';
import { locationOf } from '../../http/address.ts';
import { documentFrom } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { flag, flagOr, type ParameterTable, type QueryOf, text } from '../../http/parameters/index.ts';
import type { EntityOf, PathEntities } from '../../http/path-entity.ts';
import { optional } from '../../http/reads.ts';
import { renderLots } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import { type Access, type Route, roleMissing, route, segment } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { accessListParameters } from '../access/public-reading.ts';
import {
  type ItemSearch,
  itemSearchDocument,
  metadataGroupSearchDocument,
  type SearchPlan,
  searchPlanDocument,
} from './documents.ts';
import type { SearchOptions } from './find.ts';
import type { SearchParts } from './parts.ts';
import type { SearchKind } from './query/ast.ts';
import { namesAhead } from './query/names.ts';
import { type SearchAnswer, type SearchRequest, searchReading } from './reading.ts';
import { groupSearch, performSearch, searchRequest, warned } from './request.ts';
import { firstVersionOf, secondSearchDocument } from './second-search.ts';
import { findSaved, sweepSaved, writeSaved } from './store.ts';

const day = 86_400_000;

/** Stores a search for a day. Returns the name of its address. */
async function saveSearch({ store, clock, digest }: SearchParts, document: ItemSearch): Promise<string> {
  const query = JSON.stringify(document);
  const hash = digest(query)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 40);
  const now = clock.now();
  const changes = [writeSaved({ hash, query, expiresAt: now + day }), sweepSaved({ now })];
  await store.commit({ changes, events: [] }, systemActor);
  return hash;
}

/** Finds a stored search; 404 after a day. */
async function findSearch({ store, clock }: SearchParts, hash: string): Promise<ItemSearch> {
  const [row] = await findSaved(store, { hash, now: clock.now() });
  if (row) return JSON.parse(row.query) as ItemSearch;
  throw new ServiceError('no-such-entity', { type: 'Search', id: hash.slice(0, 80) });
}

/** Query parameters of all searches. */
const searchParameters = (maxPage: number) => ({
  ...accessListParameters(maxPage),
  count: flagOr(
    'Whether the answer has the total number of hits. "bounded": up to some thousands, with "moreHits" where there may be more',
    'bounded',
    true,
  ),
  fresh: flag('Waits until the index has metadata that items inherit from collections', false),
  explain: flag('Answers how the search was run instead of its result. Only for administrators', false),
  save: flag('Answers the address of the saved search instead of its result', false),
});

/** Query parameter for searches without a body. */
const searchInQuery = { q: text('An ItemSearchDocument, as XML or as JSON') };

type SearchQuery = QueryOf<ReturnType<typeof searchParameters>>;

type NoParameters = Readonly<Record<never, never>>;

/** Entities that are searched by the routes of one path. */
export interface Searched<
  Q extends ParameterTable = ParameterTable,
  K extends ParameterTable = ParameterTable,
  E extends PathEntities = PathEntities,
> {
  readonly kind: SearchKind;
  readonly path: string;
  readonly entities?: E;
  /** Hits in words. */
  readonly nouns: string;
  /** Sentences of the routes, where they say more than the hits. */
  readonly says: { readonly list: string; readonly search?: string };
  readonly document: Description;
  readonly access: Access;
  /** Access to the list, if it needs less than a search. */
  readonly listAccess?: Access;
  /** Path of its searches of version 2. */
  readonly second?: string;
  /** Routes beside the list and the search: for searches of groups, and for saved searches. */
  readonly has: readonly ('group' | 'saved')[];
  /** Parameters for the content of hits. */
  readonly view: Q;
  /** Parameters that only searches with an `ItemSearchDocument` have. */
  readonly keeping?: K;
  options?(call: SearchCall<Q, K>, entities: { readonly [N in keyof E]: EntityOf<E[N]> }): Maybe<SearchOptions>;
  /** Plan of a search that the planner does not run. */
  plan?(call: SearchCall<Q, K>, request: SearchRequest): Maybe<SearchPlan | undefined>;
  /** Runs a search and answers its hits. */
  answer(call: SearchCall<Q, K>, request: SearchRequest): Promise<Reply>;
}

type SearchCall<Q extends ParameterTable, K extends ParameterTable> = Call<
  Omit<SearchQuery, 'save'> & QueryOf<Q> & Partial<QueryOf<K>>
>;

/** Routes of searches of one kind: the list, the search, searches of groups, and saved searches. */
export function searchRoutes<
  const Q extends ParameterTable,
  const K extends ParameterTable = NoParameters,
  const E extends PathEntities = NoParameters,
>(parts: SearchParts, searched: Searched<Q, K, E>): readonly Route[];
export function searchRoutes(parts: SearchParts, searched: Searched): readonly Route[] {
  const { path, nouns, says, access, listAccess = access, has, entities = {} } = searched;
  const { settings, limits, clock } = parts;
  const hasSaved = has.includes('saved');
  const { save, ...basic } = searchParameters(settings.maxPage);
  const unsaved = { ...basic, ...searched.view };
  const query = hasSaved ? { ...basic, save, ...searched.view } : unsaved;

  async function answer(
    call: Call<Omit<SearchQuery, 'save'> & { readonly save?: boolean }>,
    document: ItemSearch,
    segments: Readonly<Record<string, unknown>>,
  ): Promise<Reply> {
    if (call.query.save) return savedAt(call, await saveSearch(parts, document));
    if (call.query.explain && !(await subjectOf(call).has(administrator))) throw roleMissing(administrator);
    const began = clock.now();
    const options = (await searched.options?.(call, segments)) ?? {};
    const own = await searchRequest(parts, call, searched.kind, document, call.query, options);
    const explained: SearchRequest = call.query.explain ? { ...own, explains: true } : own;
    const request = { ...explained, ...(await parts.engines.answer(call, explained)) };
    if (!call.query.explain) return warned(await searched.answer(call, request), request);
    const plan =
      (await searched.plan?.(call, request)) ?? (await performSearch(parts, call, searchReading, request)).plan!;
    if (call.type === 'text/plain') return lines([[plan.strategy]]);
    return call.render(call.type, searchPlanDocument, { ...plan, milliseconds: clock.now() - began });
  }

  const answers = raw([searched.document, searchPlanDocument, 'text']);
  const common = { entities, answers, ahead: () => namesAhead(parts.store) };
  const searching = { ...common, method: 'PUT', access, acting: 'allowed' } as const;
  const saving = hasSaved ? ({ status: 303 } as const) : {};
  return [
    route({
      ...common,
      ...saving,
      method: 'GET',
      path,
      says: says.list,
      query: { ...query, ...searchInQuery },
      access: listAccess,
      handle(call, segments) {
        const { q } = call.query;
        return answer(call, q === undefined ? {} : documentFrom(q, itemSearchDocument, limits, 'q'), segments);
      },
    }),
    route({
      ...searching,
      ...saving,
      path,
      says: says.search ?? `Searches ${nouns}.`,
      query: { ...query, ...searched.keeping },
      reads: optional(itemSearchDocument),
      handle: (call, segments) => answer(call, call.body ?? {}, segments),
    }),
    ...(searched.second === undefined
      ? []
      : [
          route({
            ...searching,
            path: searched.second,
            says: `Searches ${nouns} as version 2 of the original does: fields name their groups, and timed criteria stand apart.`,
            query: unsaved,
            reads: optional(secondSearchDocument),
            handle: (call, segments) => answer(call, firstVersionOf(call.body ?? {}, searched.kind), segments),
          }),
        ]),
    ...(has.includes('group')
      ? [
          route({
            ...searching,
            path: `${path}/metadata-group`,
            says: `Searches ${nouns} in which one instance of any group matches all criteria.`,
            query: unsaved,
            reads: optional(metadataGroupSearchDocument),
            handle: (call, segments) => answer(call, groupSearch(call.body), segments),
          }),
        ]
      : []),
    ...(hasSaved
      ? [
          route({
            ...common,
            method: 'GET',
            path: `${path}/saved/:hash`,
            says: `The ${nouns} that a saved search finds now.`,
            query,
            access,
            handle: async (call, segments) =>
              answer(call, await findSearch(parts, segment(segments, 'hash')), segments),
          }),
        ]
      : []),
  ];
}

/** Redirection to a saved search, with the other parameters of the request. */
function savedAt(call: Call, hash: string): Reply {
  const parameters = new URLSearchParams(new URL(call.request.url).search);
  parameters.delete('save');
  parameters.delete('q');
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  return { status: 303, headers: { location: locationOf(call, `${call.path}/saved/${hash}${rest}`) } };
}

export interface Lots<L> {
  /** Parts of a page that are loaded one after the other. */
  readonly lots: readonly L[];
  load(lot: L): Promise<readonly unknown[]>;
}

type Listed = Pick<SearchAnswer, 'hits' | 'moreHits' | 'ids' | 'next'>;

/** Answers hits: as text their ids, as a document their content. */
export async function answerHits<K extends string, T extends { readonly [N in K]?: readonly unknown[] | undefined }, L>(
  { render, type }: Pick<Call, 'render' | 'type'>,
  { ids, hits, moreHits, next, extras }: Listed & { readonly extras?: object },
  document: Description<T>,
  list: K,
  content: () => Promise<Lots<L>>,
): Promise<Reply> {
  if (type === 'text/plain') return lines(ids.map((id) => [id]));
  const { lots, load } = await content();
  const value = { hits, moreHits, nextCursor: next, ...extras } as unknown as Omit<T, K>;
  return renderLots(render, type, document, value, list, lots, load);
}
