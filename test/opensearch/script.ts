/**
 * Requests with the outcome that a real OpenSearch gives: what the plugin relies on, and what it must not ask. `npm test`
 * asks the stand-in, and `npm run test:opensearch` the real one.
 */

export type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the engine
  readonly body: any;
}

const name = 'portico-script';

const mapping = {
  settings: {
    index: { number_of_shards: 1, number_of_replicas: 0 },
    analysis: {
      tokenizer: { blanks: { type: 'whitespace' } },
      analyzer: { tokens: { type: 'custom', tokenizer: 'blanks' } },
    },
  },
  mappings: {
    dynamic: false,
    _source: { enabled: false },
    properties: {
      words: { type: 'text', analyzer: 'tokens', position_increment_gap: 1000 },
      key: { type: 'keyword', doc_values: false },
      name: { type: 'keyword' },
      size: { type: 'long' },
      ratio: { type: 'double' },
    },
  },
  aliases: { [`${name}-alias`]: {} },
};

const line = (action: string, id: string, version: number, index = `${name}-alias`) =>
  JSON.stringify({ [action]: { _index: index, _id: id, version, version_type: 'external_gte', require_alias: true } });

const documents = [
  line('index', '1', 5),
  '{"words":["red reed","rod"],"key":["a","b"],"name":"A","size":9007199254740993,"ratio":0.3333333333333333}',
  line('index', '2', 6),
  '{"words":"reed red","name":["B","C"],"size":[-5,7]}',
  line('index', '3', 7),
  '{"words":[],"name":"A"}',
  '',
].join('\n');

const of = (query: unknown) => ({
  query,
  sort: [{ size: { order: 'asc', missing: '_last' } }],
  track_total_hits: true,
});
const terms = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const should = (count: number, start = '') => ({
  bool: { should: terms(count).map((term) => ({ term: { key: start + term } })) },
});
const sorted = (clause: unknown) => ({ sort: [clause] });
const facet = (options: object) => ({ size: 0, aggs: { f: { terms: options } } });
const countAndKey = [{ _count: 'desc' }, { _key: 'asc' }];

/** Bodies of searches, with the status and type of the refusal, or what they find. */
const searches: Readonly<Record<string, readonly [body: unknown, outcome: string]>> = {
  'all, with missing numbers last': [of({ match_all: {} }), '200 2[-5] 1[9007199254740992] 3[9223372036854775807]'],
  'a phrase': [of({ match_phrase: { words: { query: 'red reed' } } }), '200 1[9007199254740992]'],
  'no phrase over two values': [of({ match_phrase: { words: { query: 'reed rod' } } }), '200'],
  'one word for two tokens of unordered spans': [
    of({
      span_near: {
        clauses: [{ span_term: { words: 'rod' } }, { span_term: { words: 'rod' } }],
        slop: 0,
        in_order: false,
      },
    }),
    '200 1[9007199254740992]',
  ],
  'a near word in spans': [
    of({
      span_near: {
        clauses: [
          {
            span_multi: {
              match: {
                fuzzy: { words: { value: 'rxd', fuzziness: 1, transpositions: false, rewrite: 'scoring_boolean' } },
              },
            },
          },
          { span_multi: { match: { prefix: { words: { value: 're' } } } } },
        ],
        slop: 0,
        in_order: true,
      },
    }),
    '200 1[9007199254740992]',
  ],
  'an edit distance of three, which becomes two': [
    of({ fuzzy: { words: { value: 'rxd', fuzziness: 3, transpositions: false } } }),
    '200 2[-5] 1[9007199254740992]',
  ],
  'an unknown query': [of({ equals: { key: 'a' } }), '400 parsing_exception'],
  'an unknown part of a search': [{ nonsense: 1 }, '400 parsing_exception'],
  'an unknown field of a term': [of({ term: { nobody: 'a' } }), '200'],
  'a field that exists nowhere': [of({ exists: { field: 'nobody' } }), '200'],
  'an unknown field of a sort': [sorted({ nobody: { order: 'asc' } }), '400 query_shard_exception'],
  'an unknown field of a sort with a type': [
    { ...of({ term: { key: 'a' } }), ...sorted({ nobody: { order: 'asc', unmapped_type: 'keyword' } }) },
    '200 1[null]',
  ],
  'a sort by tokens': [sorted({ words: { order: 'asc' } }), '400 illegal_argument_exception'],
  'a sort by a field without a column': [sorted({ key: { order: 'asc' } }), '400 illegal_argument_exception'],
  '65,536 terms': [of({ terms: { key: terms(65_536) } }), '200'],
  '65,537 terms': [of({ terms: { key: terms(65_537) } }), '400 query_shard_exception'],
  '1,025 clauses': [of(should(1_025)), '400 query_shard_exception'],
  '1,200 clauses in two levels': [
    of({ bool: { filter: [should(600, 'x'), should(600, 'y')] } }),
    '500 too_many_nested_clauses',
  ],
  'a page beyond the window': [{ from: 9_999, size: 2 }, '400 illegal_argument_exception'],
  'an offset behind keys': [
    { ...sorted({ size: { order: 'asc' } }), from: 1, search_after: [1] },
    '500 search_exception',
  ],
  'too few keys': [
    { sort: [{ size: { order: 'asc' } }, { name: { order: 'asc' } }], search_after: [1] },
    '400 illegal_argument_exception',
  ],
  'keys of all digits': [
    { ...of({ match_all: {} }), search_after: ['9007199254740993'] },
    '200 3[9223372036854775807]',
  ],
  'a number beyond 64 bits': [of({ range: { size: { gte: '9223372036854775808' } } }), '400 query_shard_exception'],
  'a negative boost': [
    of({ constant_score: { filter: { match_all: {} }, boost: -1 } }),
    '400 illegal_argument_exception',
  ],
  'a facet': [facet({ field: 'name', order: countAndKey }), '200 A:2 B:1 C:1'],
  'a facet of values with a beginning': [facet({ field: 'name', include: 'B.*', order: countAndKey }), '200 B:1'],
  'a facet of whole numbers': [facet({ field: 'size', order: countAndKey }), '200 -5:1 7:1 9007199254740992:1'],
  'a facet of an unknown field': [facet({ field: 'nobody', order: countAndKey }), '200'],
  'a facet of no value': [facet({ field: 'name', size: 0, order: countAndKey }), '400 x_content_parse_exception'],
  'a facet of tokens': [facet({ field: 'words', order: countAndKey }), '400 illegal_argument_exception'],
};

/** Last word of the cause of a refusal, or the hits and buckets. */
function outcomeOf({ status, body }: Reply): string {
  const { error } = body;
  if (error) return `${status} ${error.root_cause?.[0]?.type ?? error.type}`;
  const hits = (body.hits?.hits ?? []).map(({ _id, sort }: { _id: string; sort?: unknown[] }) => {
    const keys = sort
      ? `[${sort.map((key) => (key === 9223372036854776000 ? '9223372036854775807' : String(key)))}]`
      : '';
    return `${_id}${keys}`;
  });
  const buckets = (body.aggregations?.f?.buckets ?? []).map(
    ({ key, doc_count }: { key: unknown; doc_count: number }) => `${key}:${doc_count}`,
  );
  return [status, ...hits, ...buckets].join(' ');
}

const itemsOf = ({ status, body }: Reply): string =>
  [
    status,
    ...body.items.map((item: Record<string, { status: number; error?: { type: string } }>) => {
      const [outcome] = Object.values(item);
      return [outcome!.status, ...(outcome!.error ? [outcome!.error.type] : [])].join(' ');
    }),
  ].join(', ');

/** Differences between the outcomes of an engine and those of this list. */
export async function outcomesThatDiffer(ask: Ask): Promise<readonly string[]> {
  const differences: string[] = [];
  const expect = (what: string, actual: string, expected: string) => {
    if (actual !== expected) differences.push(`${what}: ${actual}, not ${expected}`);
  };
  const outcome = async (what: string, expected: string, ...request: Parameters<Ask>) =>
    expect(what, outcomeOf(await ask(...request)), expected);
  const bulk = async (what: string, expected: string, lines: string) =>
    expect(what, itemsOf(await ask('POST', '/_bulk', lines)), expected);

  await ask('DELETE', `/${name}`);
  await outcome('a search without an index', '404 index_not_found_exception', 'POST', `/${name}/_search`, {});
  await outcome('a document without an index', '404 index_not_found_exception', 'GET', `/${name}/_doc/1`);
  await outcome('a mapping without an index', '404 index_not_found_exception', 'PUT', `/${name}/_mapping`, {
    properties: {},
  });
  await outcome('a new index', '200', 'PUT', `/${name}`, mapping);
  await outcome('a second of that name', '400 resource_already_exists_exception', 'PUT', `/${name}`, mapping);
  await outcome('another type of a field', '400 illegal_argument_exception', 'PUT', `/${name}/_mapping`, {
    properties: { size: { type: 'keyword' } },
  });
  await bulk('documents', '200, 201, 201, 201', documents);
  await outcome('a document before a refresh', '404', 'GET', `/${name}/_doc/1?realtime=false`);
  await outcome('a refresh', '200', 'POST', `/${name}/_refresh`);
  await outcome('a document', '200', 'GET', `/${name}/_doc/1?realtime=false`);
  for (const [what, [body, expected]] of Object.entries(searches))
    await outcome(what, expected, 'POST', `/${name}/_search`, body);
  await bulk('an older version', '200, 409 version_conflict_engine_exception', `${line('index', '2', 5)}\n{}\n`);
  await bulk('the same version', '200, 200', `${line('index', '3', 7)}\n{}\n`);
  await bulk('a deletion', '200, 200', `${line('delete', '3', 9)}\n`);
  await bulk('a deletion of nothing', '200, 404', `${line('delete', '88', 9)}\n`);
  await bulk('what was deleted, older', '200, 409 version_conflict_engine_exception', `${line('index', '3', 8)}\n{}\n`);
  await bulk('a number that is none', '200, 400 mapper_parsing_exception', `${line('index', '4', 8)}\n{"size":"x"}\n`);
  await bulk('no alias', '200, 404 index_not_found_exception', `${line('index', '4', 8, name)}\n{}\n`);
  await ask('PUT', `/${name}/_settings`, { 'index.blocks.read_only_allow_delete': true });
  await bulk('a read-only index', '200, 429 cluster_block_exception', `${line('index', '4', 8)}\n{}\n`);
  await outcome('a field of a read-only index', '429 cluster_block_exception', 'PUT', `/${name}/_mapping`, {
    properties: { other: { type: 'long' } },
  });
  await ask('PUT', `/${name}/_settings`, { 'index.blocks.read_only_allow_delete': null });
  await outcome('a removed index', '200', 'DELETE', `/${name}`);
  await outcome('a removed index, again', '404 index_not_found_exception', 'DELETE', `/${name}`);
  return differences;
}

/** Asks over `fetch`, with lines for texts and JSON for others. */
export function askWith(send: (request: Request) => Promise<Response>, url: string): Ask {
  return async (method, path, body) => {
    const isText = typeof body === 'string';
    const response = await send(
      new Request(url + path, {
        method,
        ...(body !== undefined && {
          body: isText ? body : JSON.stringify(body),
          headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
        }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
}
