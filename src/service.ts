import type { SecurityInput } from './config/security-input.ts';
import type { Settings } from './config/settings.ts';
import { createOAuth2Setup } from './configuration/auth/setup.ts';
import { liveCors } from './configuration/cors/live.ts';
import { createProperties } from './configuration/properties/known.ts';
import { configurationRoutes } from './configuration/routes.ts';
import { type Description, type DocumentLimits, writeJson, writeXml } from './documents/index.ts';
import { createApp } from './http/app.ts';
import { createCors } from './http/cors.ts';
import { createForwarded } from './http/forwarded.ts';
import { createHandler, createRefuser } from './http/handler.ts';
import type { MediaType } from './http/negotiation.ts';
import { type Reply, typed } from './http/reply.ts';
import { createDirectory } from './identity/directory.ts';
import { findGroup } from './identity/groups/store.ts';
import { groupThere } from './identity/memberships/store.ts';
import { Passwords } from './identity/passwords/passwords.ts';
import { Throttle } from './identity/passwords/throttle.ts';
import { identityRoutes } from './identity/routes.ts';
import { createTokenIssuer } from './identity/tokens/issue.ts';
import { createTokenRefresh } from './identity/tokens/refresh.ts';
import { createProvision } from './identity/users/provision.ts';
import type { ServiceError } from './lib/errors.ts';
import { createLog } from './lib/log.ts';
import { Metrics } from './lib/metrics.ts';
import { randomText } from './lib/random.ts';
import { createEngine } from './notifications/engine.ts';
import { feedRoutes } from './notifications/feed/routes.ts';
import { jobNotification } from './notifications/registration/placeholder.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { createAuditRecorder } from './operations/audit/recorder.ts';
import { auditRoutes } from './operations/audit/routes.ts';
import { createHealth } from './operations/health.ts';
import { createFirstAdministrator, initialise } from './operations/initialise.ts';
import { operationRoutes } from './operations/routes.ts';
import { onlyWithSchema } from './operations/schema-gate.ts';
import { createSelfTest } from './operations/self-test.ts';
import { hasUsers } from './operations/store.ts';
import { createOutbound } from './outbound/outbound.ts';
import type { Parameters } from './security/parameters.ts';
import { createCommit } from './service/commit.ts';
import { createGuard } from './service/guard.ts';
import type { Platform } from './service/platform.ts';
import { builtInSecurity, checkSecurity } from './service/shipped.ts';
import type { Credentials, OAuth2Configuration } from './spi/index.ts';
import { systemActor } from './store/contract.ts';
import { openStore } from './store/store.ts';

export { builtInSecurity, checkSecurity, type Platform };

export interface Prepared {
  readonly madeUpPassword: string | undefined;
}

/** The one place where all parts meet. */
export function createService(settings: Settings, platform: Platform, security: SecurityInput = builtInSecurity) {
  const { clock, random, database, sharesWork } = platform;
  const log = createLog(platform.print, clock, settings.logLevel);
  const metrics = new Metrics();
  metrics.gauge('portico_commits_pending', 'Changes that wait to be durable', () => database.pending);
  const calls = metrics.counter('portico_outbound_calls_total', 'Calls to other machines, by outcome', 'outcome');
  const call = createOutbound({
    wire: platform.wire,
    allow: settings.outboundAllow,
    clock,
    count: (outcome) => calls(outcome).add(),
  });
  const instanceId = randomText(random, 8);
  const { store, vault, depth, streams, replays, deliveries, waker, housekeep, operator } = createEngine({
    ...platform,
    log,
    metrics,
    settings,
    instanceId,
    call,
    reader: database,
    secretKey: platform.secretKey,
    actions: () => guard.actions(),
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
    digest: platform.digest,
    fingerprint: platform.fingerprint,
    refresh: createTokenRefresh({ store, clock, log, properties, waits: !sharesWork }),
  });
  const audit = createAuditRecorder({ store, clock, log, metrics, days: settings.auditDays, sharesWork });
  const issueToken = createTokenIssuer({ random, clock, fingerprint: platform.fingerprint });
  const oauth2 = createOAuth2Setup(store);
  const guard = createGuard({ platform, settings, log, call, passwords, directory, oauth2 }, security);

  async function prepare(): Promise<Prepared> {
    await (settings.migrate ? store.migrate() : store.checkSchema());
    if (await hasUsers(store)) return { madeUpPassword: undefined };
    await initialise(store, clock, systemActor);
    const password = settings.adminPassword?.reveal() ?? randomText(random, 20);
    const created = await createFirstAdministrator(store, clock, () => passwords.hash(password));
    return { madeUpPassword: created && !settings.adminPassword ? password : undefined };
  }

  const health = createHealth(store, clock, log, sharesWork);
  const selfTest = createSelfTest({ store, clock, health, notices: platform.notices });
  const limits: DocumentLimits = {
    bytes: settings.maxBodyBytes,
    depth: settings.maxDocumentDepth,
    attributes: settings.maxDocumentAttributes,
    elements: settings.maxDocumentElements,
    text: settings.maxDocumentText,
    entries: settings.maxDocumentEntries,
    unknown: settings.maxDocumentUnknown,
  };
  const namespace = settings.schemaNamespace;
  const render = <T>(type: MediaType, description: Description<T>, value: T): Reply =>
    typed(type, type === 'application/json' ? writeJson(description, value) : writeXml(description, value, namespace));
  const commit = createCommit({ store, metrics, audit, depth, deliveries });
  const shared = { store, clock, limits, settings, render, commit };
  const identity = {
    ...shared,
    passwords,
    random,
    properties,
    issueToken,
    fingerprint: platform.fingerprint,
    jobNotification: (parameters: Parameters) => jobNotification(store, parameters),
    login: (credentials: Credentials, address: string | undefined) => guard.pipeline().login(credentials, address),
  };
  const configuration = {
    ...shared,
    oauth2,
    problemsOf: async (given: OAuth2Configuration) => guard.pipeline().oauth2Problems(given),
    mayConfigureBearer: async () => guard.pipeline().allowConfigUpdate,
  };
  const notifications = {
    ...shared,
    random,
    vault,
    replays,
    fingerprint: platform.fingerprint,
    actions: guard.actions,
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
      ...operationRoutes({ store, clock, metrics, selfTest, health, render, explain: guard.explain }),
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
    forwarded: createForwarded(settings.trustedProxies),
    decide: sharesWork ? guard.decide : onlyWithSchema(store, guard.decide),
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
    configure: guard.configure,
    explain: guard.explain,

    /**
     * The schema, and in an empty database the roles, the fields and `admin`. Gives the password of `admin` if one was
     * made up, which nobody will see again.
     */
    prepare,

    /** All that is done before the first request. Throws a SecurityError when security.ini cannot be used. */
    async start(): Promise<Prepared> {
      await guard.start();
      return prepare();
    },

    /** Of notifications, for commands. */
    operator,

    /** A piece of what goes on beside requests and deliveries. Gives the milliseconds until the next one is due. */
    housekeep,

    /** Whether this instance tells receivers, or leaves it to others. */
    delivers: settings.deliver,

    /**
     * Delivers what is due, and whatever else goes on beside requests, for so many milliseconds. Says when there is
     * more to do; undefined: not before somebody commits.
     */
    async tick(budget?: number): Promise<number | undefined> {
      await guard.ready();
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
      await guard.close();
      await audit.close();
      await store.close();
    },
  };
}

export type Service = ReturnType<typeof createService>;
