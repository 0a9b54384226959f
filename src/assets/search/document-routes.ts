import { yieldTurn } from '../../core/lib/turn.ts';
import type { LimitedReader } from '../../core/store/statement.ts';
import { answer } from '../../http/answers.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { accessOf, type Viewer } from '../access/public-reading.ts';
import { loadFields } from '../definitions/public-reading.ts';
import { documentPage, readDocuments as read } from '../metadata/public.ts';
import { loadAll, namesIn } from '../metadata/public-reading.ts';
import { type ItemSearch, itemSearchDocument, searchResultDocument } from './documents.ts';
import type { SearchParts } from './parts.ts';
import { and, type Node, partsOf } from './query/ast.ts';
import { EvaluatedEntity } from './query/evaluate.ts';
import { loadNames, namesOf } from './query/names.ts';
import { CriteriaReader } from './query/read.ts';
import { badSearch } from './query/refusals.ts';

/** Maximum documents that one search reads, since they are not indexed. */
const maxDocuments = 10_000;
/** Documents per tick of the event loop. */
const slice = 50;

/** Hit: a document or a timespan of it that meets all criteria. */
interface DocumentHit {
  readonly name: string;
  readonly start: string;
  readonly end: string;
}

interface DocumentHits {
  readonly hits: number;
  readonly page: readonly DocumentHit[];
}

/** Matching documents, sorted by name. */
async function findDocuments(
  reader: LimitedReader,
  viewer: Viewer,
  search: ItemSearch,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<DocumentHits> {
  const node = await criteriaOf(reader, viewer, search);
  const { intervals = 'all' } = search;
  const page: DocumentHit[] = [];
  let hits = 0;
  for (let from = 0; ; from += slice) {
    const names = (await documentPage(reader, { offset: from, limit: slice })).map(({ id }) => id);
    if (from + names.length > maxDocuments) {
      throw badSearch('document', `Expected at most ${maxDocuments} documents to look through`);
    }
    const loaded = await loadAll(reader, 'document', names);
    const states = [...loaded.values()].map(({ state }) => state);
    const fields = await loadFields(reader, [...new Set(states.flatMap((state) => [...namesIn(state)]))]);
    for (const name of names) {
      const one = new EvaluatedEntity(0, loaded.get(name)!.state, { fields, mergesGroups: false, facts: new Map() });
      const isWhole = intervals !== 'timed' && one.isGenericMatch(node);
      const spans = isWhole
        ? [{ start: '-INF', end: '+INF' }]
        : intervals === 'generic'
          ? []
          : one.spans(node, intervals === 'timed');
      for (const span of spans) {
        if (hits >= offset && page.length < limit) page.push({ name, ...span });
        hits++;
      }
    }
    if (names.length < slice) return { hits, page };
    await yieldTurn();
  }
}

async function criteriaOf(reader: LimitedReader, viewer: Viewer, search: ItemSearch): Promise<Node> {
  const unable = search.acl
    ? 'acl'
    : (['facet', 'facetFilter', 'sort', 'autocomplete'] as const).find((part) => (search[part]?.length ?? 0) > 0);
  if (unable) throw badSearch(unable, 'Expected none: documents are found by criteria, in the order of their names');
  const criteria = new CriteriaReader(await loadNames(reader, viewer, namesOf(search)), 'item');
  const node = and([criteria.criteria(search), ...criteria.filters(search).map((each) => each.node)]);
  for (const { is } of partsOf(node)) {
    if (is !== 'linked' && is !== 'fact') continue;
    throw badSearch('field', 'Expected criteria of the metadata of documents, and of nothing else');
  }
  return node;
}

/** As text the names of the documents. */
const results = answer(searchResultDocument, {
  list: 'entry',
  text: ({ entry = [] }) => linesOf(entry.map(({ id = '' }) => [id])),
});

/** Routes that search documents by reading their metadata, since they are not indexed. */
export const documentSearchRoutes = ({ settings }: Pick<SearchParts, 'settings'>): readonly Route[] => [
  route({
    method: 'PUT',
    path: '/document',
    says: 'Searches documents by their metadata.',
    query: { ...page(settings.maxPage, 100), count: flag('Adds the total number', true) },
    reads: optional(itemSearchDocument),
    answers: results,
    access: read,
    acting: 'allowed',
    async handle(call) {
      const { query, body = {} } = call;
      const { reader } = call;
      const documents = await findDocuments(reader, await accessOf(reader, call), body, pageOf(query));
      const entry = documents.page.map(({ name: id, ...span }) => ({
        timespan: [{ field: [], ...span }],
        ...span,
        type: 'Document',
        id,
      }));
      return { hits: query.count ? documents.hits : undefined, entry };
    },
  }),
];
