import { basicFilter } from '../filters/basic.ts';
import { serviceRealm } from '../realms/service.ts';
import type { Settings } from './config/settings.ts';
import { type Description, type DocumentLimits, writeJson, writeXml } from './documents/index.ts';
import { createApp } from './http/app.ts';
import type { Call } from './http/call.ts';
import { createCors } from './http/cors.ts';
import { type Arrival, createHandler, createRefuser } from './http/handler.ts';
import type { MediaType } from './http/negotiation.ts';
import { type Reply, typed } from './http/reply.ts';
import { createDirectory } from './identity/directory.ts';
import { groupRoutes } from './identity/groups/routes.ts';
import type { Scrypt } from './identity/passwords/hash.ts';
import { Passwords } from './identity/passwords/passwords.ts';
import { userRoutes } from './identity/users/routes.ts';
import type { Clock } from './lib/clock.ts';
import { createLog } from './lib/log.ts';
import { Metrics } from './lib/metrics.ts';
import { type Random, randomText } from './lib/random.ts';
import { createHealth } from './operations/health.ts';
import { createFirstAdministrator, initialise, systemActor } from './operations/initialise.ts';
import { operationRoutes } from './operations/routes.ts';
import { onlyWithSchema } from './operations/schema-gate.ts';
import { createSelfTest } from './operations/self-test.ts';
import { hasUsers } from './operations/store.ts';
import { createAuthenticator } from './security/authenticator.ts';
import { defaultChains } from './security/default-chains.ts';
import { createPipeline } from './security/pipeline.ts';
import type { Database, Work } from './store/contract.ts';
import { openStore } from './store/store.ts';

/** What a runtime lends. Everything that waits, draws randomness, reads the clock or reaches out comes from here. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly scrypt: Scrypt;
  /** A fast digest under a key that only this process knows. */
  digest(text: string): string;
  /** Prints one line of the log. */
  print(line: string): void;
  /** What the host found out about itself: shown by the self-test. */
  readonly notices: readonly string[];
  /**
   * False on an edge: no request may wait for what another one does, and nothing runs before the first one,
   * which therefore looks whether the database fits.
   */
  readonly sharesWork: boolean;
}

/** The one place where all parts meet. */
export function createService(settings: Settings, platform: Platform) {
  const { clock, random, database, sharesWork } = platform;
  const log = createLog(platform.print, clock, settings.logLevel);
  const metrics = new Metrics();
  const commits = metrics.counter('portico_commits_total', 'Changes committed, by outcome', 'outcome');
  metrics.gauge('portico_commits_pending', 'Changes that wait to be durable', () => database.pending);
  const store = openStore(database, { clock, site: settings.site, serialBlock: settings.idBlock });

  const passwords = new Passwords({
    clock,
    random,
    metrics,
    scrypt: platform.scrypt,
    digest: platform.digest,
    sharesWork,
    settings,
  });
  const directory = createDirectory(store, passwords);
  const login = createAuthenticator([serviceRealm()], log);
  const chains = defaultChains(basicFilter(settings.applicationName));
  const pipeline = createPipeline({ chains, directory, login });
  const decide = sharesWork ? pipeline : onlyWithSchema(store, pipeline);

  const health = createHealth(store, clock, log, sharesWork);
  const selfTest = createSelfTest({ store, clock, health, notices: platform.notices });
  const limits: DocumentLimits = {
    bytes: settings.maxBodyBytes,
    depth: settings.maxDocumentDepth,
    attributes: settings.maxDocumentAttributes,
    elements: settings.maxDocumentElements,
    text: settings.maxDocumentText,
  };
  const namespace = settings.schemaNamespace;
  const render = <T>(type: MediaType, description: Description<T>, value: T): Reply =>
    typed(type, type === 'application/json' ? writeJson(description, value) : writeXml(description, value, namespace));
  const commit = async (work: Work, call: Call): Promise<void> => {
    try {
      await store.commit(work, { user: call.subject?.name ?? systemActor.user, requestId: call.trace.id });
      commits('done').add();
    } catch (error) {
      commits('refused').add();
      throw error;
    }
  };

  const identity = { store, passwords, clock, limits, settings, render, commit };
  const refuse = createRefuser(log, namespace);
  const dispatch = createApp(
    [
      ...userRoutes(identity),
      ...groupRoutes(identity),
      ...operationRoutes({ store, clock, metrics, selfTest, health, render }),
    ],
    refuse,
  );
  const handle = createHandler({
    clock,
    log,
    metrics,
    cors: createCors(settings.corsOrigins),
    maxTargetLength: settings.maxTargetLength,
    instanceId: randomText(random, 8),
    decide,
    dispatch,
    refuse,
  });

  return {
    log,
    metrics,
    store,
    passwords,

    fetch: (request: Request, arrival?: Arrival): Promise<Response> => handle(request, arrival),

    /**
     * Before the first request: the schema, and in an empty database the roles, the fields and `admin`.
     * Gives the password of `admin` if one was made up, which nobody will see again.
     */
    async start(): Promise<{ readonly madeUpPassword: string | undefined }> {
      await (settings.migrate ? store.migrate() : store.checkSchema());
      if (await hasUsers(store)) return { madeUpPassword: undefined };
      await initialise(store, clock, systemActor);
      const password = settings.adminPassword?.reveal() ?? randomText(random, 20);
      const created = await createFirstAdministrator(store, clock, () => passwords.hash(password));
      return { madeUpPassword: created && !settings.adminPassword ? password : undefined };
    },

    /** Finishes what was accepted and lets go of the database. */
    close: (): Promise<void> => store.close(),
  };
}

export type Service = ReturnType<typeof createService>;
