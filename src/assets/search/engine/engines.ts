import { ServiceError } from '../../../core/lib/errors.ts';
import { describeError } from '../../../core/lib/log.ts';
import type { Maybe } from '../../../core/lib/maybe.ts';
import type { SettingsOf } from '../../../core/settings/kinds.ts';
import { type LimitedReader, lookupReader, type Reader } from '../../../core/store/statement.ts';
import type { RoomContext, SecurityView } from '../../../room/context.ts';
import type { Caller } from '../../../security/caller.ts';
import type { EngineAnswer, EngineQuery, SearchEngine } from '../../../spi/index.ts';
import { type AccessSubject, type Viewer, viewerFor } from '../../access/public-reading.ts';
import type { AutocompleteResult } from '../../items/public-reading.ts';
import type { engineSettings } from '../properties.ts';
import { isIndexed } from '../query/ast.ts';
import { numberOfItems } from '../query/store.ts';
import type { AutocompleteInput, SearchAnswer, SearchRequest } from '../reading.ts';
import { type AllOf, allByEngine, answerByEngine, completeByEngine } from './answering.ts';
import { ListAnswers, NotForEngine } from './conditions.ts';
import { feedNameOf } from './documents.ts';
import { standOf } from './feed-sql.ts';
import type { EngineSearch } from './query.ts';

/** Changes that may wait while the engine answers. */
const mostWaiting = 1000;
/** Failures in sequence after which the engine is left alone, and for how many milliseconds: twice as long each time. */
const [mostFailures, firstRest, longestRest] = [3, 1000, 60_000];

/** Milliseconds that a search waits for the last change of its caller, and between two looks. */
const [longestWait, look] = [5000, 25];

/** User whose changes nobody waits for: background work finds what the engine has. */
const anybody = '';

/** Outcome of asking an engine: its answer, or why the embedded index answers. Neither: there is no engine. */
interface EngineOutcome {
  readonly answered?: SearchAnswer;
  readonly noEngine?: string;
}

export interface Engines {
  /** Whether nothing but the engine has an index. */
  readonly isAlone: boolean;
  /** Tries to answer a search by the engine. Throws where nothing else can. */
  answer(caller: Caller, request: SearchRequest): Promise<EngineOutcome>;
  /** Completions by the engine. Undefined: the database has words. */
  complete(caller: Caller, input: AutocompleteInput): Promise<AutocompleteResult | undefined>;
  /** Ids of all items that a search finds, up to a number, where nothing but the engine has an index. */
  find(reader: LimitedReader, viewer: Viewer, search: Omit<AllOf, 'now'>): Promise<readonly string[]>;
  /** Why the engine is left alone now. Undefined: it is not. */
  resting(engine: SearchEngine): string | undefined;
}

interface Breaker {
  failures: number;
  restsUntil: number;
}

/** Failures of each engine. All rooms share them, and an engine of a new security.ini has none. */
const breakers = new WeakMap<SearchEngine, Breaker>();

function breakerOf(engine: SearchEngine): Breaker {
  const breaker = breakers.get(engine) ?? { failures: 0, restsUntil: Number.NEGATIVE_INFINITY };
  breakers.set(engine, breaker);
  return breaker;
}

/** Reason why the engine cannot be asked now. */
class EngineFailure extends Error {}

interface EngineContext extends Pick<RoomContext, 'store' | 'clock' | 'log'> {
  readonly settings: SettingsOf<typeof engineSettings>;
  readonly security: Pick<SecurityView, 'searchEngines'>;
}

/** Whether an engine gave no answer: it cannot be asked now, or it cannot answer the query. */
const isNoAnswer = (error: unknown): error is EngineFailure | NotForEngine =>
  error instanceof EngineFailure || error instanceof NotForEngine;

/** Searches by the configured engine: it answers while it is complete, current and well. */
export function createEngines({ store, clock, log, settings, security }: EngineContext): Engines {
  const isAlone = settings.searchIndex === 'engine';

  async function ask(engine: SearchEngine, query: EngineQuery, position: number): Promise<EngineAnswer> {
    return guard(engine, async () => {
      const answer = await engine.search(query);
      if (answer.position < position) throw new Error(`Expected the position ${position}: ${answer.position}`);
      return answer;
    });
  }

  async function guard<T>(engine: SearchEngine, work: () => Promise<T>): Promise<T> {
    const breaker = breakerOf(engine);
    try {
      const answer = await work();
      breaker.failures = 0;
      return answer;
    } catch (error) {
      breaker.failures++;
      const further = breaker.failures - mostFailures;
      const rests = further >= 0;
      if (rests) breaker.restsUntil = clock.now() + Math.min(firstRest * 2 ** further, longestRest);
      log.write('warn', 'search-engine-failed', { engine: engine.name, rests, ...describeError(error) });
      throw new EngineFailure('Expected an engine that answers: it failed', { cause: error });
    }
  }

  const resting = (engine: SearchEngine): string | undefined =>
    breakerOf(engine).restsUntil > clock.now() ? 'Expected an engine that answers: it failed several times' : undefined;

  /** Progress of the engine, if it may be asked. Where nothing else has an index, it waits for the own changes. */
  async function standing(engine: SearchEngine, reader: Reader, user: string) {
    const because = resting(engine);
    if (because !== undefined) throw new EngineFailure(because);
    const until = clock.now() + longestWait;
    for (;;) {
      const stand = await standOf(lookupReader(reader), { name: feedNameOf(engine), user, most: mostWaiting + 1 });
      if (!stand || stand.isReady === 0) throw new EngineFailure('Expected an index that is complete');
      const changes = JSON.parse(stand.waiting) as number[];
      const lag = changes.length === 0 ? 0 : clock.now() - stand.caughtAt;
      if (lag > settings.searchLag * 1000 || changes.length > mostWaiting) {
        const time = `${settings.searchLag} seconds`;
        throw new EngineFailure(`Expected at most ${mostWaiting} changes that wait for at most ${time}`);
      }
      if (stand.hasOwn === 1) return { position: stand.position, waiting: [...new Set(changes)] };
      if (!isAlone) throw new NotForEngine('Expected an engine that has the last change of the caller');
      if (clock.now() >= until) throw new EngineFailure('Expected an engine that has the last change of the caller');
      await clock.sleep(look);
    }
  }

  async function searchBy(engine: SearchEngine, reader: LimitedReader, viewer: Viewer, user: string) {
    const { position, waiting } = await standing(engine, reader, user);
    const search: EngineSearch = {
      ...{ reader, viewer, engine, isAlone },
      waiting,
      ask: (query) => ask(engine, query, position),
      words: (query) => guard(engine, () => engine.words(query)),
    };
    return search;
  }

  /** Refuses what nothing but the engine answers, and what is too much for the embedded index. */
  async function expectFallback(error: EngineFailure | NotForEngine): Promise<void> {
    if (error instanceof ListAnswers) return;
    if (isAlone && error instanceof NotForEngine) {
      throw new ServiceError('not-implemented', { context: 'search', explanation: error.message });
    }
    if (error instanceof NotForEngine) return;
    const row = isAlone ? undefined : await numberOfItems(store, {});
    if (row && row.items <= settings.searchFallback) return;
    const explanation = isAlone
      ? error.message
      : `${error.message}. The database alone answers searches of at most ${settings.searchFallback} items`;
    throw new ServiceError('index-incomplete', { context: 'search', explanation }, { 'retry-after': '5' });
  }

  /** Asks the engine in the name of a user. Where it gives no answer, its error is thrown only if something else may answer. */
  async function byEngine<T>(
    { reader, viewer, user }: { readonly reader: LimitedReader; viewer(): Maybe<Viewer>; readonly user: string },
    work: (search: EngineSearch) => Promise<T>,
  ): Promise<T> {
    const [engine] = security.searchEngines();
    try {
      if (!engine) throw new EngineFailure('Expected a search engine in security.ini');
      return await work(await searchBy(engine, reader, await viewer(), user));
    } catch (error) {
      if (isNoAnswer(error)) await expectFallback(error);
      throw error;
    }
  }

  const askerOf = (caller: Caller, asking: AccessSubject) => ({
    reader: caller.reader,
    viewer: () => viewerFor(caller.reader, asking),
    user: caller.actor().user,
  });

  return {
    isAlone,
    resting,
    async answer(caller, request) {
      if (!isIndexed(request.kind) || (security.searchEngines().length === 0 && !isAlone)) return {};
      try {
        const asker = askerOf(caller, request.asking);
        return { answered: await byEngine(asker, (search) => answerByEngine(search, request)) };
      } catch (error) {
        if (!isNoAnswer(error)) throw error;
        return { noEngine: error.message };
      }
    },
    async complete(caller, { asking, kind, request }) {
      if (!isAlone) return undefined;
      return byEngine(askerOf(caller, asking), (search) => completeByEngine(search, { kind, request }));
    },
    find: (reader, viewer, all) =>
      byEngine({ reader, viewer: () => viewer, user: anybody }, (search) =>
        allByEngine(search, { ...all, now: clock.now() }),
      ),
  };
}
