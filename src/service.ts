import { defaultFilters, filterComponents } from '../filters/index.ts';
import { listenerComponents, matcherComponents, userInfoProviderComponents } from '../plugins/index.ts';
import { realmComponents } from '../realms/index.ts';
import { configureSecurity } from './config/configure.ts';
import { defaultIni } from './config/default-ini.ts';
import type { Finding } from './config/finding.ts';
import { SecurityError } from './config/security-error.ts';
import type { SecurityInput } from './config/security-input.ts';
import type { NamedAction } from './config/security-parts.ts';
import type { Settings } from './config/settings.ts';
import { createOAuth2Setup } from './configuration/auth/setup.ts';
import { liveCors } from './configuration/cors/live.ts';
import { createProperties } from './configuration/properties/known.ts';
import { configurationRoutes } from './configuration/routes.ts';
import { type Description, type DocumentLimits, type Explanation, writeJson, writeXml } from './documents/index.ts';
import { createApp } from './http/app.ts';
import type { Call } from './http/call.ts';
import { createCors } from './http/cors.ts';
import { createHandler, createRefuser } from './http/handler.ts';
import type { MediaType } from './http/negotiation.ts';
import { type Reply, typed } from './http/reply.ts';
import { createDirectory } from './identity/directory.ts';
import { findGroup } from './identity/groups/store.ts';
import { groupThere } from './identity/memberships/store.ts';
import type { Scrypt } from './identity/passwords/hash.ts';
import { Passwords } from './identity/passwords/passwords.ts';
import { Throttle } from './identity/passwords/throttle.ts';
import { identityRoutes } from './identity/routes.ts';
import { createTokenIssuer } from './identity/tokens/issue.ts';
import { createTokenRefresh } from './identity/tokens/refresh.ts';
import { createProvision } from './identity/users/provision.ts';
import type { Clock } from './lib/clock.ts';
import { ServiceError } from './lib/errors.ts';
import { createLog } from './lib/log.ts';
import { Metrics } from './lib/metrics.ts';
import { type Random, randomText } from './lib/random.ts';
import type { Secret } from './lib/secret.ts';
import { createEngine } from './notifications/engine.ts';
import { feedRoutes } from './notifications/feed/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { createAuditRecorder } from './operations/audit/recorder.ts';
import { auditRoutes } from './operations/audit/routes.ts';
import { createHealth } from './operations/health.ts';
import { createFirstAdministrator, initialise, systemActor } from './operations/initialise.ts';
import { programVersion } from './operations/release/version.ts';
import { operationRoutes } from './operations/routes.ts';
import { onlyWithSchema } from './operations/schema-gate.ts';
import { createSelfTest } from './operations/self-test.ts';
import { hasUsers } from './operations/store.ts';
import { createOutbound } from './outbound/outbound.ts';
import type { Wire } from './outbound/wire.ts';
import { createAuthenticator } from './security/authenticator.ts';
import { explain, type Question } from './security/explain.ts';
import { withOpenRoots } from './security/open-roots.ts';
import { canonicalPattern } from './security/path.ts';
import { createPipeline } from './security/pipeline.ts';
import { firstConfigured, RunningSecurity } from './security/running.ts';
import type { Credentials, Host, Plugin } from './spi/index.ts';
import type { Database, Work } from './store/contract.ts';
import { openStore } from './store/store.ts';

/** What a runtime lends. Everything that waits, draws randomness, reads the clock or reaches out comes from here. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly scrypt: Scrypt;
  /** Reaches other machines, for realms that ask them. */
  readonly fetch: typeof fetch;
  /** Reaches them at addresses that the guard has looked at, for everything that callers of the API can set. */
  readonly wire: Wire;
  /** A fast digest under a key that only this process knows. */
  digest(text: string): string;
  /** SHA-256, the same everywhere and at once: what tokens and the secrets of access keys are kept as. */
  fingerprint(text: string): string;
  /** Under it secrets are stored that must be read back: 32 bytes in base64. Without one there are no such secrets. */
  readonly secretKey?: Secret;
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

/** What ships is a plugin like any other: it comes first, so that nobody can take its names. */
const shipped: Plugin = {
  name: 'portico',
  version: programVersion,
  contract: 1,
  realms: realmComponents,
  filters: filterComponents,
  matchers: matcherComponents,
  listeners: listenerComponents,
  userInfoProviders: userInfoProviderComponents,
};

/** All that is wrong with a configuration, found without a database: for `portico check`. */
export async function checkSecurity(input: SecurityInput, host: Omit<Host, 'name'>): Promise<readonly Finding[]> {
  const makeHost = (name: string): Host => ({ ...host, name });
  const { findings, closing } = await configureSecurity(input, {
    plugin: shipped,
    defaultFilters,
    canonicalPattern,
    makeHost,
  });
  for (const each of closing) await each.close();
  return findings;
}

export interface Prepared {
  readonly madeUpPassword: string | undefined;
}

export interface Configured {
  readonly applied: boolean;
  readonly findings: readonly Finding[];
}

export const builtInSecurity: SecurityInput = { text: defaultIni, file: 'built-in security.ini', plugins: [] };

/** The one place where all parts meet. */
export function createService(settings: Settings, platform: Platform, security: SecurityInput = builtInSecurity) {
  const { clock, random, database, sharesWork } = platform;
  const log = createLog(platform.print, clock, settings.logLevel);
  const metrics = new Metrics();
  const commits = metrics.counter('portico_commits_total', 'Changes committed, by outcome', 'outcome');
  metrics.gauge('portico_commits_pending', 'Changes that wait to be durable', () => database.pending);
  const calls = metrics.counter('portico_outbound_calls_total', 'Calls to other machines, by outcome', 'outcome');
  const call = createOutbound({
    wire: platform.wire,
    allow: settings.outboundAllow,
    clock,
    count: (outcome) => calls(outcome).add(),
  });
  const instanceId = randomText(random, 8);
  let actions: readonly NamedAction[] = [];
  const { store, vault, depth, streams, replays, deliveries, waker, housekeep } = createEngine({
    ...platform,
    log,
    metrics,
    settings,
    instanceId,
    call,
    reader: database,
    secretKey: platform.secretKey,
    actions: () => actions,
    open: (companion) => openStore(database, { clock, site: settings.site, serialBlock: settings.idBlock, companion }),
  });

  const passwords = new Passwords({
    clock,
    random,
    metrics,
    scrypt: platform.scrypt,
    digest: platform.digest,
    sharesWork,
    settings,
  });
  const throttle = new Throttle({ clock, log, metrics, settings });
  const properties = createProperties(store);
  const directory = createDirectory({
    store,
    passwords,
    throttle,
    provision: createProvision(store, clock, log),
    now: () => clock.now(),
    fingerprint: platform.fingerprint,
    refresh: createTokenRefresh({ store, clock, log, properties, waits: !sharesWork }),
  });
  const oauth2 = createOAuth2Setup(store);
  const audit = createAuditRecorder({ store, clock, log, metrics, days: settings.auditDays, sharesWork });
  const issueToken = createTokenIssuer({ random, clock, fingerprint: platform.fingerprint });
  const running = new RunningSecurity(clock, log, settings.realmTimeout);
  const makeHost = (name: string): Host => ({
    name,
    now: () => clock.now(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    randomBytes: (length) => random.bytes(length),
    fetch: platform.fetch,
    call,
    scrypt: (...given) => passwords.inTurn(() => platform.scrypt(...given)),
    log: (level, event, fields) => log.write(level, event, { component: name, ...fields }),
  });

  /** Builds a configuration whole and lets it take over, or leaves the one that runs. */
  async function configure(input: SecurityInput): Promise<Configured> {
    const { parts, findings, closing } = await configureSecurity(input, {
      plugin: shipped,
      defaultFilters,
      canonicalPattern,
      makeHost,
    });
    for (const { severity, ...finding } of findings) {
      log.write(severity === 'error' ? 'error' : 'warn', 'security-finding', finding);
    }
    if (!parts) {
      await running.end(closing);
      return { applied: false, findings };
    }
    const login = createAuthenticator({
      ...parts,
      clock,
      log,
      timeLimit: settings.realmTimeout,
      digest: platform.digest,
    });
    actions = parts.actions;
    running.take(createPipeline({ ...parts, chains: withOpenRoots(parts.chains), directory, login, oauth2 }), closing);
    return { applied: true, findings };
  }

  async function explained(question: Question): Promise<Explanation> {
    if (!running.pipeline) {
      const { applied, findings } = await configure(security);
      if (!applied) throw new SecurityError(findings);
    }
    if (!running.pipeline) throw new ServiceError('not-configured');
    return explain(running.pipeline, question);
  }

  async function prepare(): Promise<Prepared> {
    await (settings.migrate ? store.migrate() : store.checkSchema());
    if (await hasUsers(store)) return { madeUpPassword: undefined };
    await initialise(store, clock, systemActor);
    const password = settings.adminPassword?.reveal() ?? randomText(random, 20);
    const created = await createFirstAdministrator(store, clock, () => passwords.hash(password));
    return { madeUpPassword: created && !settings.adminPassword ? password : undefined };
  }

  const decide = firstConfigured(running, () => configure(security), sharesWork);
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
      const { user = systemActor.user, runAs, id } = call.trace;
      const changes = [...work.changes, audit.change(call)];
      const actor = {
        user,
        ...(runAs === undefined ? {} : { runAs }),
        requestId: id,
        depth: depth.of(call.request.headers),
      };
      await store.commit({ ...work, changes }, actor);
      call.trace.audited = true;
      // A pause may have ended, which is no event.
      deliveries.wake();
      commits('done').add();
    } catch (error) {
      commits('refused').add();
      throw error;
    }
  };

  /** A request that asks for it has come through a pipeline. */
  const pipeline = () => {
    if (!running.pipeline) throw new ServiceError('not-configured');
    return running.pipeline;
  };
  const shared = { store, clock, limits, settings, render, commit };
  const identity = {
    ...shared,
    passwords,
    random,
    properties,
    issueToken,
    fingerprint: platform.fingerprint,
    login: (credentials: Credentials, address: string | undefined) => pipeline().login(credentials, address),
  };
  const configuration = {
    ...shared,
    problemsOf: async () => [],
    mayConfigureBearer: async () => pipeline().allowConfigUpdate,
  };
  const notifications = {
    ...shared,
    random,
    vault,
    replays,
    fingerprint: platform.fingerprint,
    actions: () => actions,
    entities: {
      '/group': {
        exists: async (name: string) => (await findGroup(store, { name })) !== undefined,
        mustExist: (name: string, refusal: ServiceError) => groupThere({ name }, refusal),
      },
    },
  };
  const refuse = createRefuser(log, namespace);
  const dispatch = createApp(
    [
      // Before the groups: `/group/notification` is no group.
      ...notificationRoutes(notifications),
      ...feedRoutes({ store, settings, streams, render }),
      ...identityRoutes(identity),
      ...configurationRoutes(configuration),
      ...auditRoutes({ store, audit, render }),
      ...operationRoutes({ store, clock, metrics, selfTest, health, render, explain: explained }),
    ],
    refuse,
  );
  const handle = createHandler({
    clock,
    log,
    metrics,
    cors: liveCors(store, createCors(settings.corsOrigins)),
    maxTargetLength: settings.maxTargetLength,
    instanceId,
    decide: sharesWork ? decide : onlyWithSchema(store, decide),
    dispatch,
    refuse,
    answered: audit.answered,
  });

  return {
    log,
    metrics,
    store,
    passwords,
    issueToken,
    /** Of deliveries, and whoever else wants to know that something was committed. */
    waker,
    vault,
    depth,

    fetch: handle,
    configure,
    explain: explained,

    /**
     * The schema, and in an empty database the roles, the fields and `admin`. Gives the password of `admin` if one was
     * made up, which nobody will see again.
     */
    prepare,

    /** All that is done before the first request. Throws a SecurityError when security.ini cannot be used. */
    async start(): Promise<Prepared> {
      const { applied, findings } = await configure(security);
      if (!applied) throw new SecurityError(findings);
      return prepare();
    },

    /** A piece of what goes on beside requests and deliveries. Gives the milliseconds until the next one is due. */
    housekeep,

    /** Whether this instance tells receivers, or leaves it to others. */
    delivers: settings.deliver,

    /**
     * Delivers what is due, and whatever else goes on beside requests, for so many milliseconds. Says when there is
     * more to do; undefined: not before somebody commits.
     */
    async tick(budget?: number): Promise<number | undefined> {
      // Actions of plugins are part of the configuration, and on an edge nobody may have asked for it yet.
      if (!running.pipeline) await configure(security);
      return deliveries.tick(budget);
    },

    /** The same in a loop, woken by each commit, until the service closes. */
    deliver: () => deliveries.run(),

    /** Asks the notifications of a storage for the name of a file that is about to be created. */
    filename: deliveries.filename,

    /** Ends what would hold up a stop: connections that wait for events, and deliveries. */
    quiet() {
      streams.end();
      deliveries.stop();
    },

    /** Finishes what was accepted and lets go of the database. */
    async close(): Promise<void> {
      streams.end();
      await deliveries.close();
      await running.close();
      await audit.close();
      await store.close();
    },
  };
}

export type Service = ReturnType<typeof createService>;
