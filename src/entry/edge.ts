import { AsyncLocalStorage } from 'node:async_hooks';
import { builtInSecurity, createService, type Platform, type Service } from '../composition/service.ts';
import { readSettings } from '../composition/settings.ts';
import { systemClock } from '../core/lib/clock.ts';
import { CallsUsedUp } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { systemRandom } from '../core/lib/random.ts';
import { keepRequestsApart } from '../core/lib/turn.ts';
import { fetchWire } from '../core/outbound/wire.ts';
import { type EngineModule, setEngine } from '../core/scripts/run-script.ts';
import type { CallCount } from '../core/store/contract.ts';
import { setHashes } from '../core/store/migrations.ts';
import { openRemoteDatabase } from '../core/store/remote/remote-database.ts';
import { readingMethods } from '../http/route.ts';
import type { SecurityInput } from '../security/ini/security-parts.ts';
import { fingerprint, hasher, keyedDigest, scrypt } from './crypto.ts';
import { fixLength } from './fixed-length.ts';
import { type PageLoan, pageOf } from './page-forms.ts';

/** Execution context of a Worker for one call. */
export interface EdgeContext {
  waitUntil(work: Promise<unknown>): void;
}

interface Invocation {
  readonly count: CallCount;
  /** Throws where work may send no further call. */
  readonly ask?: () => void;
}

/** Counts the calls of each invocation to the database and other machines: the plan of an edge limits them. */
const invocations = new AsyncLocalStorage<Invocation>();
const invoke = <T>(run: () => T): T => invocations.run({ count: { calls: 0 } }, run);

const countedFetch: typeof fetch = async (...given) => {
  const current = invocations.getStore();
  current?.ask?.();
  if (current) current.count.calls++;
  try {
    return await fetch(...given);
  } catch (error) {
    throw error instanceof Error && beyondPlan.test(error.message) ? new CallsUsedUp(current?.count.calls) : error;
  }
};

/** How the platform refuses a call of an invocation that has used up those of its plan. */
const beyondPlan = /\btoo many subrequests\b/i;

/** Work of no invocation is counted by nobody. */
function asking<T>(ask: () => void, work: () => T): T {
  const current = invocations.getStore();
  return current ? invocations.run({ count: current.count, ask }, work) : work();
}

/** Milliseconds of work after an answer, well below the limit of such runtimes. */
const budget = 10_000;

/** Modules that the edge runtime cannot create by itself. */
export interface EdgeLoan extends PageLoan {
  /**
   * `emscripten-module.wasm` of `@jitl/quickjs-wasmfile-release-sync`, imported as a module, because the edge runtime
   * compiles nothing. A function imports it at the first script. Without it jobs with scripts fail with a message.
   */
  readonly scriptEngine?: EngineModule;
  /** Hashes of the migrations by their names, where the module lacks their statements. */
  readonly hashes?: Readonly<Record<string, string>>;
}

/** Bindings of a Worker: texts are settings, by the names of the environment. */
export type EdgeEnvironment = Readonly<Record<string, unknown>>;

/**
 * A Workers-type module. Its database is a remote libSQL server that `portico migrate` has prepared:
 * an edge never migrates in a request. No request waits for another one, which such a runtime forbids.
 * `portico bundle` writes a module that calls this with a security.ini and its plugins.
 */
export function edgeModule(
  security: SecurityInput = builtInSecurity,
  { scriptEngine, hashes, ...loan }: EdgeLoan = {},
) {
  if (scriptEngine) setEngine(scriptEngine);
  if (hashes) setHashes(hashes);
  const services = new WeakMap<EdgeEnvironment, Service>();
  const serviceOf = (environment: EdgeEnvironment): Service => {
    const cachedService = services.get(environment);
    if (cachedService) return cachedService;
    const service = edgeService(environment, security, pageOf(loan, environment));
    services.set(environment, service);
    return service;
  };
  return {
    fetch(request: Request, environment: EdgeEnvironment, context?: EdgeContext): Maybe<Response> {
      return invoke(() => serve(request, environment, context));
    },

    /** Handler of a timer: retries failed work even without requests. */
    async scheduled(_event: unknown, environment: EdgeEnvironment): Promise<void> {
      await invoke(() => serviceOf(environment).tick(budget));
    },
  };

  function serve(request: Request, environment: EdgeEnvironment, context?: EdgeContext): Maybe<Response> {
    const service = serviceOf(environment);
    const answer = service.fetch(request, {
      address: request.headers.get('cf-connecting-ip') ?? undefined,
      secure: request.url.startsWith('https:'),
    });
    // Delivers the committed changes once the request is answered.
    const after = (): Promise<unknown> => service.afterAnswer(!readingMethods.has(request.method), budget);
    context?.waitUntil(Promise.resolve(answer).then(after));
    return answer;
  }
}

export default edgeModule();

/** `more`: services that this runtime has beyond those of every edge. */
export function edgeService(
  environment: EdgeEnvironment,
  security: SecurityInput = builtInSecurity,
  { group = false, ...more }: Partial<Platform> & { readonly group?: boolean } = {},
): Service {
  keepRequestsApart();
  const texts = Object.entries(environment).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const settings = readSettings(Object.fromEntries(texts));
  const { databaseToken, databaseTimeout, edgeCalls, secretKey } = settings;
  const platform: Platform = {
    clock: systemClock,
    random: systemRandom,
    database: openRemoteDatabase(settings.database, {
      ...(databaseToken ? { token: databaseToken } : {}),
      deadline: databaseTimeout,
      fetch: countedFetch,
      group,
      calls: new AsyncLocalStorage(),
    }),
    scrypt,
    digest: keyedDigest(),
    fingerprint,
    hasher,
    ...(secretKey ? { secretKey } : {}),
    print: (line) => console.log(line),
    unbrotli,
    notices: [],
    sharesWork: false,
    callsLeft: () => edgeCalls - (invocations.getStore()?.count.calls ?? 0),
    asking,
    fetch: countedFetch,
    wire: fetchWire(countedFetch, fixLength),
    ...more,
  };
  return createService(settings, platform, security);
}

/** Imported for the first caller who needs it, since most starts of an edge have none. */
async function unbrotli(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { brotliDecompress } = await import('node:zlib');
  return new Promise((resolve, reject) => {
    brotliDecompress(packed, (error, bytes) => (error ? reject(error) : resolve(new Uint8Array(bytes))));
  });
}
