import { parseJson } from '../../../plugins/search/opensearch/big-json.ts';
import { FakeIndex } from './index.ts';
import { illegal, type Json, malformed, noIndex, onlyEntry, onlyThese, Refused } from './refusals.ts';
import { search } from './search.ts';

export interface FakeEngineOptions {
  /** Value of the header that each request must have. */
  readonly authorization?: string;
}

interface Came {
  readonly method: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly text: string;
}

/** Documents of a request. */
const mostBytes = 100 * 1024 * 1024;

export type FakeEngine = ReturnType<typeof fakeOpenSearch>;

/**
 * OpenSearch in memory, with the requests that the plugin makes and no others. `test/opensearch/script.ts` says what it
 * refuses, and `npm run test:opensearch` asks the real one the same.
 */
export function fakeOpenSearch({ authorization }: FakeEngineOptions = {}) {
  const indexes = new Map<string, FakeIndex>();

  /** Indexes of a name: its own, or those with the alias. */
  function named(name: string): readonly (readonly [string, FakeIndex])[] {
    const own = indexes.get(name);
    const list = own ? [[name, own] as const] : [...indexes].filter(([, { aliases }]) => aliases.has(name));
    if (list.length === 0) throw noIndex(name);
    return list;
  }

  const only = (name: string) => named(name)[0]!;

  function answer({ method, parts, query, text }: Came): Json {
    const [first = '', second = '', third = ''] = parts;
    const route = `${method} ${first.startsWith('_') ? `/${first}` : first === '' ? '/' : '/index'}${second && (first.startsWith('_') ? '/*' : `/${second}`)}`;
    switch (route) {
      case 'GET /':
        return { version: { distribution: 'opensearch', number: '2.19.6' } };
      case 'PUT /index':
        return create(first, json(text));
      case 'DELETE /index':
        if (!indexes.delete(first)) throw noIndex(first);
        return { acknowledged: true };
      case 'GET /index/_alias':
        return aliasesOf(first);
      case 'PUT /index/_mapping':
        return map(first, json(text));
      case 'POST /index/_refresh':
        for (const [, index] of named(first)) index.refresh();
        return { _shards: { failed: 0 } };
      case 'GET /index/_count': {
        const [, { visible }] = only(first);
        return { count: visible.size };
      }
      case 'GET /index/_settings': {
        const [name, { isReadOnly }] = only(first);
        return { [name]: { settings: isReadOnly ? { 'index.blocks.read_only_allow_delete': 'true' } : {} } };
      }
      case 'PUT /index/_settings': {
        const value = json(text)['index.blocks.read_only_allow_delete'];
        for (const [, index] of named(first)) index.isReadOnly = value === true;
        return { acknowledged: true };
      }
      case 'GET /index/_doc':
        return read(first, third, query);
      case 'POST /index/_search': {
        const [name, index] = only(first);
        return search(index, json(text), name);
      }
      case 'POST /index/_msearch':
        return several(first, text);
      case 'POST /_aliases':
        return change(json(text));
      case 'POST /_bulk':
        return bulk(text, query.get('refresh') === 'true');
      case 'GET /_cluster/*':
        named(third);
        return { status: 'green', active_shards: 1, unassigned_shards: 0, number_of_nodes: 1 };
      default:
        throw illegal(`no handler found for uri [/${parts.join('/')}] and method [${method}]`);
    }
  }

  function create(name: string, body: Json): Json {
    if (indexes.has(name)) throw new Refused(400, 'resource_already_exists_exception');
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(name)) throw new Refused(400, 'invalid_index_name_exception');
    indexes.set(name, new FakeIndex(body));
    return { acknowledged: true, index: name };
  }

  function aliasesOf(pattern: string): Json {
    const start = pattern.replace(/\*$/, '');
    const matching = [...indexes].filter(([name]) => (start === pattern ? name === start : name.startsWith(start)));
    if (matching.length === 0 && start === pattern) throw noIndex(pattern);
    return Object.fromEntries(
      matching.map(([name, { aliases }]) => [
        name,
        { aliases: Object.fromEntries([...aliases].map((each) => [each, {}])) },
      ]),
    );
  }

  function map(name: string, body: Json): Json {
    onlyThese(body, 'mapping', ['properties']);
    for (const [, index] of named(name)) {
      if (index.isReadOnly) throw new Refused(429, 'cluster_block_exception');
      index.map(body.properties);
    }
    return { acknowledged: true };
  }

  function read(name: string, id: string, query: URLSearchParams): Json {
    const [own, { live, visible }] = only(name);
    const stored = (query.get('realtime') === 'false' ? visible : live).get(id);
    if (!stored) throw new NotFound({ _index: own, _id: id, found: false });
    return { _index: own, _id: id, _version: stored.version, found: true };
  }

  function several(name: string, text: string): Json {
    const lines = linesOf(text);
    const responses = lines.flatMap((line, index) => {
      if (index % 2 === 0) return [];
      onlyThese(json(lines[index - 1]!), 'msearch', ['allow_partial_search_results', 'preference']);
      try {
        const [own, each] = only(name);
        return [{ ...search(each, json(line), own), status: 200 }];
      } catch (error) {
        // A malformed query is an error of the whole request.
        if (!(error instanceof Refused) || error.type === 'parsing_exception') throw error;
        return [error.body];
      }
    });
    return { responses };
  }

  function change({ actions }: Json): Json {
    const changes = actions.map((action: Json) => {
      const [kind, { index: name, alias }] = onlyEntry(action, 'actions');
      const index = indexes.get(name);
      if (!index) throw noIndex(name);
      if (kind !== 'add' && kind !== 'remove') throw malformed(`[aliases] unknown field [${kind}]`);
      if (kind === 'remove' && !index.aliases.has(alias)) throw new Refused(404, 'aliases_not_found_exception');
      return () => void (kind === 'add' ? index.aliases.add(alias) : index.aliases.delete(alias));
    });
    for (const apply of changes) apply();
    return { acknowledged: true };
  }

  function bulk(text: string, refreshes: boolean): Json {
    const lines = linesOf(text);
    const items: Json[] = [];
    for (let at = 0; at < lines.length; at++) {
      const [action, head] = onlyEntry(json(lines[at]!), 'bulk');
      if (action !== 'index' && action !== 'delete') throw illegal(`Malformed action, found [${action}]`);
      const source = action === 'index' ? json(lines[++at]!) : undefined;
      items.push({ [action]: outcome(head, source) });
      if (refreshes) for (const [, index] of named(head._index)) index.refresh();
    }
    return { errors: items.some((item) => Object.values<Json>(item)[0].error !== undefined), items };
  }

  function outcome({ _index: name, _id: id, version, version_type: kind, require_alias: isAlias }: Json, source: Json) {
    try {
      const [own, index] = only(name);
      if (isAlias && own === name) throw noIndex(name);
      if (kind !== 'external_gte') throw illegal('this stand-in has external versions only');
      return { _id: id, status: source === undefined ? index.delete(id, version) : index.put(id, version, source) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { _id: id, status: error.status, error: { type: error.type, reason: error.message } };
    }
  }

  return {
    indexes,

    copy: (): ReadonlyMap<string, FakeIndex> => new Map(Array.from(indexes, ([name, index]) => [name, index.copy()])),

    restore(kept: ReadonlyMap<string, FakeIndex>): void {
      indexes.clear();
      for (const [name, index] of kept) indexes.set(name, index.copy());
    },

    async fetch(request: Request): Promise<Response> {
      const { pathname, searchParams } = new URL(request.url);
      const text = await request.text();
      const came = {
        ...{ method: request.method, query: searchParams, text },
        parts: pathname.split('/').slice(1).map(decodeURIComponent),
      };
      try {
        if (authorization !== undefined && request.headers.get('authorization') !== authorization)
          throw new Refused(401, 'security_exception');
        if (text.length > mostBytes) throw new Refused(413, 'content_too_long_exception');
        return reply(200, answer(came));
      } catch (error) {
        if (error instanceof NotFound) return reply(404, error.document);
        if (!(error instanceof Refused)) throw error;
        return reply(error.status, error.body);
      }
    },
  };
}

class NotFound extends Error {
  readonly document: Json;

  constructor(document: Json) {
    super('not found');
    this.document = document;
  }
}

function json(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new Refused(400, 'parse_exception', 'request body is not JSON');
  }
}

function linesOf(text: string): readonly string[] {
  if (!text.endsWith('\n')) throw illegal('The bulk request must be terminated by a newline [\\n]');
  return text.slice(0, -1).split('\n');
}

/** JSON in which whole numbers beyond 53 bits keep their digits. */
function reply(status: number, document: Json): Response {
  const text = JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? `int:${value}` : value)) as string;
  const body = text.replaceAll(/"int:(-?\d+)"/g, '$1');
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}
