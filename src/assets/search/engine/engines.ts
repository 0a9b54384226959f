import { inTime, noLongerAwaited } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { describeError } from '../../../core/lib/log.ts';
import type { SettingsOf } from '../../../core/settings/kinds.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import type { RoomContext, SecurityView } from '../../../room/context.ts';
import type { Caller } from '../../../security/caller.ts';
import type { EngineAnswer, EngineQuery, SearchEngine } from '../../../spi/index.ts';
import { type Viewer, viewerFor } from '../../access/public-reading.ts';
import type { AutocompleteResult } from '../../items/public-reading.ts';
import type { ItemSearch } from '../documents.ts';
import { columnsOf, findIds, type Prepared, type SearchOptions } from '../find.ts';
import type { engineSettings } from '../properties.ts';
import { isIndexed, type Node } from '../query/ast.ts';
import { isByIds } from '../query/columns.ts';
import { entitiesOf } from '../query/index-state.ts';
import { type AutocompleteInput, hasExtras, noExtras, type SearchAnswer, type SearchRequest } from '../reading.ts';
import { allByEngine, answerByEngine, completeByEngine, extrasByEngine, preparedFor } from './answering.ts';
import { EngineFailure, NotForEngine } from './conditions.ts';
import { feedNameOf } from './documents.ts';
import { isFed } from './fed.ts';
import { standOf } from './feed-sql.ts';
import type { EngineSearch } from './query.ts';

/** Failures in sequence after which the engine is left alone, and for how many milliseconds: twice as long each time. */
const [maxFailures, firstRest, maxRest] = [3, 1000, 60_000];

/** Milliseconds behind the last change of a caller during which searches wait for it, and between two looks. */
const [maxWait, look] = [5000, 25];

/** Milliseconds for an answer where the database can answer too, and for which a slow engine is not asked then. */
const [patience, lateRest] = [5000, 10_000];

/** Milliseconds after which an engine is asked whether it is there, where nothing else can answer, and for its answer. */
const [doubt, signOfLife] = [3000, 2000];

/** User whose changes nobody waits for: background work finds what the engine has. */
const anybody = '';

/** Outcome of asking an engine: its answer or parts of one, and why the database answers the rest. Empty: there is no engine. */
type EngineOutcome = Pick<SearchRequest, 'answered' | 'extras' | 'noEngine' | 'warning'>;

/** Search for all its items. */
interface AllOf {
  readonly document: ItemSearch;
  readonly options: SearchOptions;
  readonly max: number;
}

export interface Engines {
  /** Whether nothing but the engine has an index. */
  readonly isAlone: boolean;
  /** Tries to answer a search by the engine. Throws where nothing else can. */
  answer(caller: Caller, request: SearchRequest): Promise<EngineOutcome>;
  /** Completions by the engine. Undefined: the database has words. */
  complete(caller: Caller, input: AutocompleteInput): Promise<AutocompleteResult | undefined>;
  /** Ids of all items that a search finds, up to a number, where nothing but the engine has an index. */
  find(reader: LimitedReader, viewer: Viewer, search: AllOf): Promise<readonly string[]>;
  /** Why the engine is left alone now. Undefined: it is not. */
  resting(engine: SearchEngine): string | undefined;
}

interface Breaker {
  failures: number;
  restsUntil: number;
  /** Until when searches that the database can answer do not ask it. */
  lateUntil: number;
}

/** Failures of each engine. All rooms share them, and an engine of a new security.ini has none. */
const breakers = new WeakMap<SearchEngine, Breaker>();

function breakerOf(engine: SearchEngine): Breaker {
  const long = Number.NEGATIVE_INFINITY;
  const breaker = breakers.get(engine) ?? { failures: 0, restsUntil: long, lateUntil: long };
  breakers.set(engine, breaker);
  return breaker;
}

interface EngineContext extends Pick<RoomContext, 'store' | 'clock' | 'log'> {
  readonly settings: SettingsOf<typeof engineSettings>;
  readonly security: Pick<SecurityView, 'searchEngines'>;
}

/** Whether an engine gave no answer: it cannot be asked now, or it cannot answer the query. */
const isNoAnswer = (error: unknown): error is EngineFailure | NotForEngine =>
  error instanceof EngineFailure || error instanceof NotForEngine;

/** The caller of a search, and where else an answer may come from. */
interface Asker {
  readonly reader: LimitedReader;
  readonly viewer: Viewer;
  readonly user: string;
  /** `database`: it may answer instead. `nothing`: nothing else may, so older answers are better than none. `later`: the asker comes again. */
  readonly otherwise: 'database' | 'nothing' | 'later';
}

/** Searches by the configured engine: it answers while it is complete, current and well. */
export function createEngines({ clock, log, settings, security }: EngineContext): Engines {
  const isAlone = settings.searchIndex === 'engine';

  async function ask(engine: SearchEngine, query: EngineQuery, position: number, { otherwise }: Asker) {
    return guard(engine, async () => {
      const answer = await (otherwise === 'database'
        ? askQuickly(engine, query)
        : whileAlive(engine, (signal) => engine.search(query, signal)));
      if (answer.position < position) throw new Error(`Expected the position ${position}: ${answer.position}`);
      return answer;
    });
  }

  /** Asks the engine for as long as one waits who has another way. */
  async function askQuickly(engine: SearchEngine, query: EngineQuery): Promise<EngineAnswer> {
    const over = new AbortController();
    const late = () => new EngineFailure(`Expected an engine that answers within ${patience / 1000} seconds`);
    try {
      return await inTime(engine.search(query, over.signal), clock, patience, late);
    } catch (error) {
      if (error instanceof EngineFailure) breakerOf(engine).lateUntil = clock.now() + lateRest;
      over.abort(error);
      throw error;
    }
  }

  /** Waits for an engine that is slow, and not for one that hangs. */
  async function whileAlive<T>(engine: SearchEngine, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const hangs = () => new Error(`Expected a sign of life within ${(doubt + signOfLife) / 1000} seconds`);
    const dead = new Promise<never>((_, reject) => {
      clock
        .sleep(doubt, over.signal)
        .then(() => inTime(engine.state(true), clock, signOfLife, hangs))
        .catch(reject);
    });
    try {
      return await Promise.race([work(over.signal), dead]);
    } finally {
      over.abort(noLongerAwaited);
    }
  }

  async function guard<T>(engine: SearchEngine, work: () => Promise<T>): Promise<T> {
    const breaker = breakerOf(engine);
    try {
      const answer = await work();
      breaker.failures = 0;
      return answer;
    } catch (error) {
      // Callers without another way wait longer for a slow engine, which has not failed.
      if (error instanceof EngineFailure) throw error;
      breaker.failures++;
      const further = breaker.failures - maxFailures;
      const rests = further >= 0;
      if (rests) breaker.restsUntil = clock.now() + Math.min(firstRest * 2 ** further, maxRest);
      log.write('warn', 'search-engine-failed', { engine: engine.name, rests, ...describeError(error) });
      throw new EngineFailure('Expected an engine that answers: it failed', { cause: error });
    }
  }

  const resting = (engine: SearchEngine): string | undefined =>
    breakerOf(engine).restsUntil > clock.now() ? 'Expected an engine that answers: it failed several times' : undefined;

  function expectAwake(engine: SearchEngine, { otherwise }: Asker): void {
    const because = resting(engine);
    if (because !== undefined) throw new EngineFailure(because);
    if (otherwise === 'database' && breakerOf(engine).lateUntil > clock.now())
      throw new EngineFailure(`Expected an engine that answers within ${patience / 1000} seconds`);
  }

  /** Progress of the engine, if it may be asked. Where nothing else can answer, it waits for the own changes. */
  async function standing(engine: SearchEngine, asker: Asker) {
    const { user, otherwise } = asker;
    expectAwake(engine, asker);
    for (;;) {
      const stand = await standOf(asker.reader, { name: feedNameOf(engine), user });
      if (!stand || stand.isReady === 0)
        throw new EngineFailure(
          `Expected an ${isFed(engine) ? 'index that is complete' : 'engine that takes changes'}`,
        );
      const { position } = stand;
      const isBehind = stand.isBehind === 1;
      const lag = isBehind ? clock.now() - stand.caughtAt : 0;
      const isLate = lag > settings.searchLag * 1000;
      if (stand.hasOwn === 1 && !isLate) return { position, isBehind };
      const because = isLate
        ? `Expected changes that wait for at most ${settings.searchLag} seconds`
        : 'Expected an engine that has the last change of the caller';
      if (otherwise !== 'nothing') throw new EngineFailure(because);
      if (stand.hasOwn === 0 && clock.now() < stand.wroteAt + maxWait) {
        await clock.sleep(look);
        continue;
      }
      const seconds = Math.ceil(lag / 1000);
      if (lag > settings.searchStale * 1000)
        throw new EngineFailure(
          `Expected changes that wait for at most ${settings.searchStale} seconds (setting searchStale): ${seconds}`,
        );
      return { position, isBehind, warning: `The search engine lacks changes of the last ${seconds} seconds` };
    }
  }

  /** Asks the engine in the name of a user. */
  async function byEngine<T>(
    asker: Asker,
    work: (search: EngineSearch) => Promise<T>,
  ): Promise<{ readonly result: T; readonly warning?: string }> {
    const [engine] = security.searchEngines();
    if (!engine) throw new EngineFailure('Expected a search engine in security.ini');
    const { reader, viewer } = asker;
    const { position, isBehind, warning } = await standing(engine, asker);
    const search: EngineSearch = {
      ...{ reader, viewer, engine, isAlone, isBehind },
      ask: (query) => ask(engine, query, position, asker),
      words: (query) => guard(engine, () => whileAlive(engine, () => engine.words(query))),
    };
    const result = await work(search);
    return { result, ...(warning !== undefined && { warning }) };
  }

  /** Refusal where nothing else may answer. */
  function refusal(error: unknown): unknown {
    if (!isNoAnswer(error)) return error;
    if (isAlone && error instanceof NotForEngine)
      return new ServiceError('not-implemented', { context: 'search', explanation: error.message });
    const explanation = isAlone
      ? error.message
      : `${error.message}. The database alone answers searches of at most ${settings.searchFallback} items`;
    return new ServiceError('index-incomplete', { context: 'search', explanation }, { 'retry-after': '5' });
  }

  const orRefused = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw refusal(error);
    });

  /** Facets and words by the engine, where the database has the hits. Without an answer, none. */
  async function besides(asker: Asker, { kind, document }: SearchRequest, prepared: Prepared): Promise<EngineOutcome> {
    try {
      const { result: extras, ...others } = await byEngine(asker, (search) => extrasByEngine(search, kind, prepared));
      return { extras, ...others };
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
      if (error instanceof NotForEngine) throw refusal(error);
      return { extras: noExtras(document), warning: `Facets have no counts: ${error.message}` };
    }
  }

  /** Whether the database answers a search, and at once: without an index, or with one of few enough items. */
  function databaseAnswers(prepared: Prepared): 'at once' | 'too' | 'never' {
    if (prepared.isListed) return 'at once';
    if (!isAlone) return entitiesOf(prepared.search.names.index, 'item') <= settings.searchFallback ? 'too' : 'never';
    const columns = columnsOf(prepared);
    if (!columns) return 'never';
    return isNear(columns) && isNearOrder(prepared) ? 'at once' : 'too';
  }

  return {
    isAlone,
    resting,

    async answer(caller, request) {
      const { kind, document, asking } = request;
      if (!isIndexed(kind) || (security.searchEngines().length === 0 && !isAlone)) return {};
      const { reader } = caller;
      const viewer = await viewerFor(reader, asking);
      const prepared = await preparedFor(reader, viewer, request);
      const database = databaseAnswers(prepared);
      const asker = { reader, viewer, user: caller.actor().user };
      const alone: Asker = { ...asker, otherwise: 'nothing' };
      const wantsExtras = isAlone && hasExtras(document);
      if (database === 'at once') {
        const noEngine = 'Expected criteria or an order: lists answer the others';
        return wantsExtras ? { noEngine, ...(await besides(alone, request, prepared)) } : { noEngine };
      }
      const work = (search: EngineSearch): Promise<SearchAnswer> => answerByEngine(search, request, prepared);
      try {
        const { result: answered, warning } = await byEngine(
          { ...asker, otherwise: database === 'too' ? 'database' : 'nothing' },
          work,
        );
        return withWarning(answered, warning);
      } catch (error) {
        if (!isNoAnswer(error)) throw error;
        // The database answers what the engine cannot, at any size.
        if (database === 'never' && (isAlone || error instanceof EngineFailure)) throw refusal(error);
        const noEngine = error.message;
        return wantsExtras ? { noEngine, ...(await besides(alone, request, prepared)) } : { noEngine };
      }
    },

    async complete(caller, { asking, kind, request }) {
      if (!isAlone) return undefined;
      const { reader } = caller;
      const viewer = await viewerFor(reader, asking);
      const asker: Asker = { reader, viewer, user: caller.actor().user, otherwise: 'nothing' };
      return (await orRefused(byEngine(asker, (search) => completeByEngine(search, { kind, request })))).result;
    },

    async find(reader, viewer, { document: { sort: _, ...document }, options, max }) {
      const page = { first: 1, number: max + 1, counts: false, now: clock.now() };
      const prepared = await preparedFor(reader, viewer, { kind: 'item', document, page, options });
      if (databaseAnswers(prepared) !== 'never')
        return (await findIds(reader, viewer, 'item', document, page, options)).ids;
      const asker: Asker = { reader, viewer, user: anybody, otherwise: 'later' };
      return (await orRefused(byEngine(asker, (search) => allByEngine(search, prepared, max)))).result;
    },
  };
}

const isNear = (columns: Node): boolean => columns.is === 'all' || isByIds(columns);
const isNearOrder = ({ order }: Prepared): boolean => order.terms.every(({ by }) => by === 'id' || by === 'place');

/** Answer of an engine, whose plan says what it may lack. */
const withWarning = ({ plan, ...answer }: SearchAnswer, warning: string | undefined): EngineOutcome =>
  warning === undefined
    ? { answered: { ...answer, plan } }
    : { answered: { ...answer, plan: plan && { ...plan, warning } }, warning };
