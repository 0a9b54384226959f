import type { EngineBatch, EngineDocument, EngineQuery, Host, SearchEngine } from '../../../spi/index.ts';
import { type Backend, testHost } from '../host.ts';
import { broken, type CheckResult, inspect, type Promises } from '../result.ts';
import { virtualTimeHost } from '../virtual-time-host.ts';
import { compareAnswers, written } from './compared.ts';
import { kindsOfConditions, kindsOfFacets, kindsOfSorts } from './kinds.ts';
import { memorySearchEngine } from './memory-engine.ts';
import { chanceOf, fields, randomDocument, randomQuery } from './random-corpus.ts';

export interface SearchEngineUnderTest {
  make(host: Host): Promise<SearchEngine> | SearchEngine;
  /** Normal answers of the engine to `host.call` and `host.fetch`. All engines of the test share it. */
  readonly backend?: Backend | undefined;
  /** Number of random queries. Default: 200. */
  readonly queries?: number | undefined;
  /** Seed of documents and queries. Default: 1. */
  readonly seed?: number | undefined;
}

/** Base of queries: all documents, the newest first. */
export const everyDocument: EngineQuery = {
  where: { is: 'all' },
  boosts: [],
  sort: [{ by: 'id', descending: true }],
  offset: 0,
  limit: 100,
  counts: true,
  facets: [],
};

const batchOf = (position: number, upserts: readonly EngineDocument[], ...deleted: number[]): EngineBatch => ({
  position,
  upserts,
  deletes: deleted.map((id) => ({ id, position })),
});

/** The contract of a search engine. Documents that it has before the test are dropped. */
export async function checkSearchEngine(subject: SearchEngineUnderTest): Promise<CheckResult[]> {
  let hosts = 0;
  const makeEngine = async () => subject.make(virtualTimeHost({ backend: subject.backend, seed: ++hosts }));
  const empty = async (): Promise<SearchEngine> => {
    const engine = await makeEngine();
    await engine.begin();
    await engine.finish();
    return engine;
  };
  return inspect({ ...ofChanges(empty, makeEngine), ...ofIndexes(empty, makeEngine), ...ofSearches(empty, subject) });
}

type NewEngine = () => Promise<SearchEngine>;

async function idsOf(engine: SearchEngine, query: Partial<EngineQuery> = {}): Promise<string> {
  const { page } = await engine.search({ ...everyDocument, ...query });
  return page.map(({ id }) => id).join(' ');
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (written(actual) !== written(expected)) broken(`${what} ${written(expected)}`, written(actual));
}

const document = (id: number, position: number, created = 0): EngineDocument => ({
  ...randomDocument(chanceOf(id), id, position),
  created,
});

function ofChanges(empty: NewEngine, makeEngine: NewEngine): Promises {
  return {
    'shows a batch to searches when it has been applied': async () => {
      const engine = await empty();
      expectEqual('hits of an empty index', await idsOf(engine), '');
      await engine.apply(batchOf(5, [document(1, 4), document(2, 5)]));
      expectEqual('hits', await idsOf(engine), '2 1');
      const { position, documents, isBuilding } = await engine.state();
      expectEqual('state', { position, documents, isBuilding }, { position: 5, documents: 2, isBuilding: false });
      expectEqual('position of an answer', (await engine.search(everyDocument)).position, 5);
    },

    'applies a batch once, however often and in whatever parts it comes': async () => {
      const engine = await empty();
      const documents = [document(1, 7), document(2, 8), document(3, 9)];
      await engine.apply(batchOf(9, documents.slice(1, 2)));
      for (const _ of [1, 2]) await engine.apply(batchOf(9, documents, 77));
      expectEqual('hits', await idsOf(engine), '3 2 1');
      expectEqual('documents', (await engine.state()).documents, 3);
    },

    'takes the newest document, in whatever order they come': async () => {
      const engine = await empty();
      await engine.apply(batchOf(20, [document(1, 20, 2_000), document(2, 15, 1_500)]));
      await engine.apply(batchOf(10, [document(1, 10, 1_000), document(2, 9, 900), document(3, 8, 800)]));
      const { page } = await engine.search({ ...everyDocument, sort: [{ by: 'created', descending: true }] });
      expectEqual('times', page.map(({ keys }) => keys).join(' '), '2000 1500 800');
      expectEqual('position', (await engine.state()).position, 20);
      await engine.apply(batchOf(21, [document(1, 21, 2_100)]));
      expectEqual('position', (await engine.state()).position, 21);
    },

    'deletes documents, and does not bring them back for an older one': async () => {
      const engine = await empty();
      await engine.apply(batchOf(3, [document(1, 1), document(2, 2), document(3, 3)]));
      await engine.apply(batchOf(6, [], 1, 3, 99));
      expectEqual('hits', await idsOf(engine), '2');
      await engine.apply(batchOf(4, [document(1, 4), document(99, 4)]));
      expectEqual('hits after an older document', await idsOf(engine), '2');
      await engine.apply({ position: 7, upserts: [document(3, 7)], deletes: [{ id: 2, position: 1 }] });
      expectEqual('hits after an older deletion', await idsOf(engine), '3 2');
    },

    'applies an empty batch: its position alone': async () => {
      const engine = await empty();
      await engine.apply(batchOf(2 ** 40, []));
      const { position, documents } = await engine.state();
      expectEqual('state', { position, documents }, { position: 2 ** 40, documents: 0 });
    },

    'shows changes of one process to another': async () => {
      const [engine, other] = [await empty(), await makeEngine()];
      await engine.apply(batchOf(1, [document(1, 1)]));
      expectEqual('hits of the other', await idsOf(other), '1');
      expectEqual('name of the other', other.name, engine.name);
      await other.apply(batchOf(2, [document(2, 2)]));
      expectEqual('hits', await idsOf(engine), '2 1');
    },
  };
}

function ofIndexes(empty: NewEngine, makeEngine: NewEngine): Promises {
  return {
    'builds a second index while searches see the first, and swaps them': async () => {
      const engine = await empty();
      await engine.apply(batchOf(5, [document(1, 4), document(2, 5)]));
      await engine.begin();
      expectEqual('isBuilding', (await engine.state()).isBuilding, true);
      expectEqual('hits meanwhile', await idsOf(engine), '2 1');
      await engine.apply(batchOf(5, [document(2, 5)]));
      await engine.apply(batchOf(6, [document(3, 6)], 1));
      expectEqual('hits meanwhile', await idsOf(engine), '3 2');
      await engine.apply(batchOf(7, [document(4, 7)]));
      const other = await makeEngine();
      await other.finish();
      expectEqual('hits', await idsOf(engine), '4 3 2');
      const { position, isBuilding, documents } = await engine.state();
      expectEqual('state', { position, isBuilding, documents }, { position: 7, isBuilding: false, documents: 3 });
    },

    'drops what only the first index had': async () => {
      const engine = await empty();
      await engine.apply(batchOf(5, [document(1, 5)]));
      await engine.begin();
      await engine.finish();
      expectEqual('hits', await idsOf(engine), '');
      expectEqual('position', (await engine.state()).position, 0);
    },

    'drops a second index from before when another begins': async () => {
      const engine = await empty();
      await engine.begin();
      await engine.apply(batchOf(5, [document(1, 5)]));
      await engine.begin();
      await engine.apply(batchOf(6, [document(2, 6)]));
      await engine.finish();
      expectEqual('hits', await idsOf(engine), '2');
    },

    'refuses to finish what has not begun': async () => {
      const engine = await empty();
      if (
        await engine.finish().then(
          () => true,
          () => false,
        )
      )
        broken('an error', 'none');
      expectEqual('hits', await idsOf(engine), '');
    },

    'answers searches while it swaps': async () => {
      const engine = await empty();
      await engine.apply(batchOf(1, [document(1, 1)]));
      await engine.begin();
      await engine.apply(batchOf(2, [document(1, 1), document(2, 2)]));
      let isSwapped = false;
      const searches = Array.from({ length: 3 }, async () => {
        do expectEqual('hits', await idsOf(engine), '2 1');
        while (!isSwapped);
      });
      await engine.finish().finally(() => {
        isSwapped = true;
      });
      await Promise.all(searches);
    },

    'says how it is, in one line': async () => {
      const { says } = await (await empty()).state();
      if (says.trim() === '' || /[\r\n]/.test(says)) broken('one line', says);
    },
  };
}

/** Documents of the tables below. */
const corpusSize = 60;

function ofSearches(empty: NewEngine, { queries = 200, seed = 1, make }: SearchEngineUnderTest): Promises {
  let pair: Promise<{ readonly engine: SearchEngine; readonly oracle: SearchEngine }> | undefined;
  const filled = async () => {
    const [engine, oracle] = [await empty(), memorySearchEngine()];
    await oracle.begin();
    await oracle.finish();
    const chance = chanceOf(seed);
    for (let from = 1; from <= corpusSize; from += 20) {
      const documents = Array.from({ length: 20 }, (_, index) => randomDocument(chance, from + index, from + index));
      const batch = batchOf(from + 19, documents);
      for (const each of [engine, oracle]) await each.apply(batch);
    }
    return { engine, oracle };
  };
  const shared = () => {
    pair ??= filled();
    return pair;
  };
  const compare = async (query: Partial<EngineQuery>): Promise<boolean> => {
    const { engine, oracle } = await shared();
    return compareAnswers(engine, oracle, { ...everyDocument, ...query });
  };
  const table = (title: string, rows: Readonly<Record<string, Partial<EngineQuery>>>): Promises =>
    Object.fromEntries(
      Object.entries(rows).map(([name, query]) => [
        `${title}: ${name}`,
        async () => {
          if (!(await compare(query)))
            broken('an answer', String(await (await pair!).engine.can({ ...everyDocument, ...query })));
        },
      ]),
    );
  return {
    ...table('finds', kindsOfConditions),
    ...table('sorts', kindsOfSorts),
    ...table('counts', kindsOfFacets),

    'pages behind the keys of the page before': async () => {
      const { engine } = await shared();
      for (const by of [fields.title, fields.note, fields.size, fields.ratio, 'created'] as const) {
        for (const descending of [false, true]) {
          const sort = [
            { by, descending },
            { by: 'id', descending: !descending },
          ] as const;
          const whole = await engine.search({ ...everyDocument, sort, limit: 1_000 });
          const ids: number[] = [];
          for (let after: EngineQuery['after']; ; ) {
            const { page } = await engine.search({ ...everyDocument, sort, limit: 7, ...(after && { after }) });
            ids.push(...page.map(({ id }) => id));
            after = page.at(-1)?.keys;
            if (page.length < 7) break;
          }
          expectEqual(
            `pages by ${typeof by === 'string' ? by : by.name}`,
            ids,
            whole.page.map(({ id }) => id),
          );
          const after = whole.page[9]!.keys;
          await compare({ sort, after, offset: 2, limit: 5 });
        }
      }
    },

    'gives what is boosted first': async () => {
      const { engine } = await shared();
      const sort = [{ by: 'relevance', descending: true } as const, { by: 'id', descending: false } as const];
      const boosts = [{ where: { is: 'number', of: 'id', among: [42] } as const, by: 1_000 }];
      const { page } = await engine.search({ ...everyDocument, sort, boosts });
      expectEqual('the first hit', page[0]?.id, 42);
    },

    'tells words with a beginning, of the entities that meet criteria, the most frequent first': async () => {
      const { engine, oracle } = await shared();
      const wheres: readonly EngineQuery['where'][] = [{ is: 'all' }, { is: 'timed' }, { is: 'none' }];
      for (const where of wheres) {
        for (const start of ['r', 're', 'blue', '日', 'no'])
          expectEqual(
            `words that begin with "${start}"`,
            await engine.words({ where, start, max: 100 }),
            await oracle.words({ where, start, max: 100 }),
          );
      }
      expectEqual(
        'words within the limit',
        await engine.words({ where: wheres[0]!, start: 'b', max: 1 }),
        await oracle.words({ where: wheres[0]!, start: 'b', max: 1 }),
      );
    },

    'counts only when asked': async () => {
      const { engine } = await shared();
      expectEqual('hits', (await engine.search({ ...everyDocument, counts: false, limit: 1 })).hits, undefined);
    },

    'answers random queries as an engine that looks at every document': async () => {
      const chance = chanceOf(seed + 1);
      let answered = 0;
      for (let each = 0; each < queries; each++) answered += Number(await compare(randomQuery(chance)));
      if (answered < queries * 0.8) broken('an answer to four of five queries', `${answered} of ${queries}`);
    },

    'ends a search that its caller has ended': async () => {
      const { engine } = await shared();
      const ended = await engine.search(everyDocument, AbortSignal.abort()).then(
        () => false,
        () => true,
      );
      if (!ended) broken('an error', 'an answer');
    },

    'throws when nobody answers': async () => {
      const host = testHost({ backend: () => Promise.reject(new TypeError('fetch failed')) });
      const isRemote = (await subjectCalls(make, host)) > 0;
      if (!isRemote) return;
      const engine = await make(virtualTimeHost({ backend: () => new Response('not found', { status: 404 }) }));
      const answers = await Promise.allSettled([
        engine.search(everyDocument),
        engine.words({ where: everyDocument.where, start: 'a', max: 1 }),
        engine.state(),
        engine.apply(batchOf(1, [])),
        engine.finish(),
      ]);
      const index = answers.findIndex(({ status }) => status === 'fulfilled');
      if (index >= 0) broken(`an error of ${['search', 'words', 'state', 'apply', 'finish'][index]}`, 'none');
    },
  };
}

async function subjectCalls(make: SearchEngineUnderTest['make'], host: ReturnType<typeof testHost>): Promise<number> {
  const engine = await make(host);
  await engine.search(everyDocument).catch(() => undefined);
  return host.requests.length;
}
