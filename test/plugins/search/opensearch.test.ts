import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../plugins/search/opensearch/big-json.ts';
import { checkSearchEngine, secretText, type TestHost, testHost } from '../../../src/kit/testing/index.ts';
import { everyDocument } from '../../../src/kit/testing/search-engine/check-engine.ts';
import { chanceOf, fields, randomDocument } from '../../../src/kit/testing/search-engine/random-corpus.ts';
import { assemble } from '../../../src/security/ini/assemble.ts';
import type { EngineBatch, EngineCondition, EngineDocument, EngineQuery } from '../../../src/spi/index.ts';
import { explained } from '../../kit/testing/failing.ts';
import { engineAt } from '../../opensearch/host.ts';
import { askWith, outcomesThatDiffer } from '../../opensearch/script.ts';
import { ini, read } from '../../security/ini/try.ts';
import { fakeOpenSearch } from '../../support/opensearch/fake.ts';

const url = 'https://search.example';
const batch = (count: number): EngineBatch => ({
  position: count,
  upserts: Array.from({ length: count }, (_, index) => randomDocument(chanceOf(index), index + 1, index + 1)),
  deletes: [],
});

type Answer = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** An engine before a stand-in, which answers what `instead` leaves to it. */
async function engineBefore(instead: Answer, properties: Readonly<Record<string, unknown>> = {}) {
  const fake = fakeOpenSearch();
  const host: TestHost = testHost({
    backend: async (request) => (await instead(request.clone())) ?? fake.fetch(request),
  });
  const hasty = Object.assign(host, { sleep: (time: number) => host.clock.advance(time) });
  const engine = await engineAt(url, properties, hasty);
  return { engine, host, fake };
}

const json = (status: number, body: unknown) => Response.json(body, { status });

/** Asks the stand-in what `npm run test:opensearch` asks a real engine. */
it('the stand-in of these tests refuses what a real engine refuses', async () => {
  const fake = fakeOpenSearch();
  expect(await outcomesThatDiffer(askWith((request) => fake.fetch(request), url))).toEqual([]);
});

describe('the login', () => {
  const authorizations = async (properties: Readonly<Record<string, unknown>>) => {
    const { engine, host } = await engineBefore(() => undefined, properties);
    await engine.begin();
    return host.requests.map(({ headers }) => headers.get('authorization'))[0];
  };

  it('is one of three kinds, or none', async () => {
    expect(await authorizations({})).toBeNull();
    expect(await authorizations({ user: 'é', password: secretText('b') })).toBe('Basic w6k6Yg==');
    expect(await authorizations({ token: secretText('abc') })).toBe('Bearer abc');
    const keys = { accessKey: 'AKID', secretKey: secretText('s3cret'), region: 'eu-west-1', service: 'aoss' };
    expect(await authorizations(keys)).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/aoss\/aws4_request, SignedHeaders=[^,]*x-amz-content-sha256/,
    );
  });

  it.each([
    [{ user: 'a' }, 'Expected user and password'],
    [{ accessKey: 'a', secretKey: secretText('b') }, 'Expected accessKey, secretKey and region'],
    [{ user: 'a', password: secretText('b'), token: secretText('c') }, 'Expected one login'],
  ])('is whole: %j', async (properties, message) => {
    await expect(engineAt(url, properties, testHost())).rejects.toThrow(message);
  });

  it('is in no error, no log and no state', async () => {
    const secret = 'Secret-of-the-login';
    const echo: Answer = async (request) =>
      json(400, { error: { type: secret, reason: `${request.headers.get('authorization')} ${request.url}` } });
    for (const answer of [echo, () => Promise.reject(new TypeError(`${secret} ${url}`))]) {
      const { engine, host } = await engineBefore(answer, { token: secretText(secret) });
      const outcomes = await Promise.allSettled([
        engine.state(),
        engine.apply(batch(1)),
        engine.search(everyDocument),
        engine.begin(),
      ]);
      const told = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'an answer'));
      expect(told).not.toContain('an answer');
      expect([...told, ...host.logged].join('\n')).not.toMatch(/Secret-of-the-login|search\.example/);
    }
  });
});

describe('a feed', () => {
  const isBulk = (request: Request) => new URL(request.url).pathname === '/_bulk';

  async function started(instead: Answer, properties: Readonly<Record<string, unknown>> = {}) {
    const made = await engineBefore(instead, properties);
    await made.engine.begin();
    await made.engine.finish();
    return made;
  }

  it('sends again only what a busy engine refused', async () => {
    let round = 0;
    const sizes: number[] = [];
    const { engine, fake } = await started(async (request) => {
      if (!isBulk(request)) return undefined;
      const lines = (await request.clone().text()).trimEnd().split('\n');
      sizes.push(lines.length / 2);
      if (round++ > 0) return undefined;
      const answer = await (
        await fake.fetch(new Request(request, { body: `${lines.slice(0, 4).join('\n')}\n` }))
      ).json();
      const busy = { index: { status: 429, error: { type: 'rejected_execution_exception' } } };
      return json(200, {
        errors: true,
        items: [...answer.items, ...lines.slice(4).flatMap((_, at) => (at % 2 ? [] : [busy]))],
      });
    });
    await engine.apply(batch(5));
    expect(sizes).toEqual([5, 3, 1]);
    expect((await engine.state()).documents).toBe(5);
  });

  it('waits for an engine that is away for a moment', async () => {
    let failures = 3;
    const { engine } = await started((request) =>
      isBulk(request) && failures-- > 0
        ? json(503, { error: { type: 'cluster_manager_not_discovered_exception' } })
        : undefined,
    );
    await engine.apply(batch(2));
    expect((await engine.state()).position).toBe(2);
  });

  it('does not store a position over a document that the engine refuses, and does not repeat its metadata', async () => {
    const refusal = { type: 'mapper_parsing_exception', reason: "Preview of field's value: 'private'" };
    const { engine } = await started(async (request) => {
      if (!isBulk(request)) return undefined;
      const { length } = (await request.text()).trimEnd().split('\n');
      return json(200, {
        errors: true,
        items: Array.from({ length: length / 2 }, () => ({ index: { status: 400, error: refusal } })),
      });
    });
    await expect(engine.apply(batch(2))).rejects.toThrow(
      /^Expected a document that fits the mapping of the index, for the document 1: 400 mapper_parsing_exception$/,
    );
    expect((await engine.state()).position).toBe(0);
  });

  it('says that an index is read-only, without asking again', async () => {
    let bulks = 0;
    const { engine, fake } = await started((request) => {
      bulks += Number(isBulk(request));
      return undefined;
    });
    for (const index of fake.indexes.values()) index.isReadOnly = true;
    await expect(engine.apply({ ...batch(0), deletes: [{ id: 1, position: 1 }] })).rejects.toThrow(/read-only.*disk/);
    expect(bulks).toBe(1);
    expect((await engine.state()).says).toContain('read-only');
  });

  it('splits batches by bytes', async () => {
    const sizes: number[] = [];
    const { engine } = await started(
      async (request) => {
        if (isBulk(request)) sizes.push((await request.text()).length);
        return undefined;
      },
      { batchBytes: 10_000 },
    );
    await engine.apply(batch(60));
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10_000);
    expect((await engine.state()).documents).toBe(60);
  });

  it('goes to the indexes as they are after another process has begun or finished one', async () => {
    let isSwapped = false;
    const { engine, host, fake } = await started(async (request) => {
      if (!isBulk(request) || isSwapped) return undefined;
      isSwapped = true;
      const other = await engineAt(
        url,
        {},
        Object.assign(testHost({ backend: (each) => fake.fetch(each) }), { now: () => host.now() + 5 }),
      );
      await other.begin();
      await other.finish();
      return undefined;
    });
    await engine.apply(batch(3));
    expect((await engine.search(everyDocument)).page).toHaveLength(3);
    expect((await engine.state()).position).toBe(3);
  });
});

describe('a page beyond ten thousand hits', () => {
  const total = 10_020;
  const { size: field } = fields;
  const [model] = batch(1).upserts as readonly [EngineDocument];
  const texts = { words: '', fieldWords: '', keys: '' };
  const upserts = Array.from({ length: total }, (_, index): EngineDocument => {
    const value = { field, value: index % 50, spans: 'untimed' } as const;
    const id = index + 1;
    return { ...model, id, position: id, entityId: `VX-${id}`, untimed: texts, inTime: texts, values: [value] };
  });
  const sort = [{ by: field, descending: true } as const, { by: 'id', descending: false } as const];
  const paged = (part: Partial<EngineQuery>): EngineQuery => ({ ...everyDocument, sort, ...part });

  it('is found behind the keys of the hits before it, with the count and facets of all', async () => {
    const { engine, host } = await engineBefore(() => undefined);
    await engine.begin();
    await engine.finish();
    await engine.apply({ position: total, upserts, deletes: [] });
    const ranked = upserts.map(({ id }) => id).toSorted((a, b) => ((b - 1) % 50) - ((a - 1) % 50) || a - b);
    const idsOf = async (part: Partial<EngineQuery>) => (await engine.search(paged(part))).page.map(({ id }) => id);
    const facets = [{ is: 'values', field, least: 1, max: 1 }] as const;
    const before = host.requests.length;
    const { page, hits, facets: counted } = await engine.search(paged({ offset: 10_001, limit: 7, facets }));
    // The position, ten thousand hits, one hit, and the page.
    expect(host.requests.length - before).toBe(4);
    expect(page.map(({ id }) => id)).toEqual(ranked.slice(10_001, 10_008));
    expect([hits, counted]).toEqual([total, [[{ value: 0, count: 201 }]]]);
    expect(await idsOf({ after: [49, 50], offset: 10_000, limit: 7 })).toEqual(ranked.slice(10_001, 10_008));
    expect(await idsOf({ offset: total + 500 })).toEqual([]);
    expect(await idsOf({ where: { is: 'none' }, offset: 20_000 })).toEqual([]);
  });

  it('is refused when a request before it is not whole', async () => {
    const late = (request: Request) =>
      request.url.includes('_search?') ? json(200, { timed_out: true, hits: { hits: [] } }) : undefined;
    const { engine } = await engineBefore(late);
    await engine.begin();
    await engine.finish();
    await expect(engine.search(paged({ offset: 10_000 }))).rejects.toThrow('504');
  });
});

describe('a query that the engine does not answer', () => {
  const where = (condition: EngineCondition): Partial<EngineQuery> => ({ where: condition });
  const nested = (levels: number): EngineCondition =>
    levels === 0 ? { is: 'timed' } : { is: levels % 2 ? 'and' : 'or', of: [nested(levels - 1), { is: 'all' }] };
  const word = { kind: 'word', text: 'a' } as const;
  const phrase = (tokens: Extract<EngineCondition, { is: 'phrase' }>['tokens'], slop?: number): EngineCondition => ({
    ...{ is: 'phrase', in: 'words', spans: 'untimed', tokens },
    ...(slop !== undefined && { slop }),
  });

  it.each<readonly [Partial<EngineQuery>, string]>([
    [{ offset: 99_990, limit: 11 }, 'Expected a page that ends within the first 100000 hits: 100001'],
    [{ limit: 10_001 }, 'Expected a page of at most 10000 hits: 10001'],
    [
      where({ is: 'number', of: 'context', among: Array.from({ length: 65_537 }, (_, id) => id) }),
      'Expected at most 65536 values in a condition: 65537',
    ],
    [where(nested(25)), 'Expected conditions of at most 20 levels: 26'],
    [
      where({ is: 'or', of: Array.from({ length: 1_001 }, () => ({ is: 'timed' }) as const) }),
      'Expected at most 1000 conditions: 1002',
    ],
    [where(phrase([{ kind: 'near', text: 'a', distance: 3 }])), 'Expected an edit distance of at most 2: 3'],
    [where(phrase([word, word], 1_000)), 'Expected tokens with at most 900 words between: 1000'],
    [
      where(phrase([word, word, word, word, word], 1)),
      'Expected at most 4 words in any order if two of them may be the same one: 5',
    ],
    [
      where({ is: 'value', field: fields.title, spans: 'all', test: { is: 'like', pattern: 'é'.repeat(500) } }),
      'Expected texts of at most 900 bytes in patterns and ranges: 1000',
    ],
    [{ boosts: [{ where: { is: 'all' }, by: -1 }] }, 'Expected boosts of at least 0: -1'],
    [
      { facets: [{ is: 'values', field: fields.title, least: 1, max: 10_001 }] },
      'Expected a facet of at most 10000 values: 10001',
    ],
  ])('has a sentence: %#', async (query, sentence) => {
    const engine = await engineAt(url, {}, testHost());
    expect(engine.can({ ...everyDocument, ...query })).toBe(sentence);
  });

  it('is not one with thousands of contexts, or with many levels of one kind', async () => {
    const engine = await engineAt(url, {}, testHost());
    const levels = Array.from({ length: 50 }).reduce<EngineCondition>((of) => ({ is: 'and', of: [of] }), { is: 'all' });
    const contexts: EngineCondition = {
      is: 'number',
      of: 'context',
      among: Array.from({ length: 65_536 }, (_, id) => id),
    };
    expect(engine.can({ ...everyDocument, where: { is: 'and', of: [levels, contexts] } })).toBe(true);
  });
});

describe('JSON with numbers of 64 bits', () => {
  it.each<readonly [string, unknown]>([
    ['[9007199254740993,-9223372036854775808]', [9007199254740993n, -(2n ** 63n)]],
    [
      '{"a":1234567890123456,"b":12345678901234567.5,"c":0.3333333333333333}',
      { a: 1234567890123456, b: 12345678901234568, c: 1 / 3 },
    ],
    [
      '["9007199254740993","a\\"9007199254740993", 9007199254740993]',
      ['9007199254740993', 'a"9007199254740993', 9007199254740993n],
    ],
    ['["int:",1e300, 9007199254740993]', ['int:', 1e300, 9007199254740993n]],
  ])('keeps all digits: %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});

it('the contract notices an engine that answers wrongly', async () => {
  const fake = fakeOpenSearch();
  const results = await checkSearchEngine({
    async make(host) {
      const engine = await engineAt(url, {}, host);
      return { ...engine, search: async (query) => engine.search({ ...query, sort: query.sort.slice(-1) }) };
    },
    backend: (request) => fake.fetch(request),
    queries: 20,
  });
  expect(explained(results).map((text) => text.split('.')[0])).toContain('sorts: by decimals');
});

it('is made by a few lines of security.ini', async () => {
  const lines = [
    'search = portico.OpenSearchEngine',
    'search.url = https://search.example:9200/base/',
    'search.user = a',
  ];
  const { blueprint, findings } = read(ini([...lines, 'search.password = "b c"', 'search.index = archive']));
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { parts } = await assemble(blueprint!, () => testHost());
  expect(parts?.searchEngines?.map(({ name }) => name)).toEqual(['opensearch:archive']);
});

it.each([
  ['search.index = Archive', 'Expected lower-case letters'],
  ['search.shards = 0', 'Expected a whole number from 1 to 100'],
])('refuses %s', (line, message) => {
  const { findings } = read(ini(['search = portico.OpenSearchEngine', 'search.url = https://search.example', line]));
  expect(findings.map((each) => each.message).join()).toContain(message);
});
