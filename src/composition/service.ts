import type { DocumentLimits, Explanation } from '../core/documents/index.ts';
import { createTriggers } from '../core/events/event-kinds.ts';
import { createLog, type Log } from '../core/lib/log.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { Metrics } from '../core/lib/metrics.ts';
import { randomText } from '../core/lib/random.ts';
import { HiddenTexts } from '../core/lib/secret.ts';
import { createOutbound } from '../core/outbound/outbound.ts';
import type { DatabaseFigures } from '../core/store/contract.ts';
import { prepareDueTimes } from '../core/store/due.ts';
import { openStore, type Store } from '../core/store/store.ts';
import { Exporter } from '../core/telemetry/exporter.ts';
import { createWorkStatus, type WorkStatus } from '../core/work/status.ts';
import { createWork } from '../core/work/work.ts';
import type { WorkKind } from '../core/work/work-kind.ts';
import { checkConfined } from '../http/acting.ts';
import { createApp } from '../http/app.ts';
import { createCommands } from '../http/command.ts';
import { createCompress } from '../http/compress.ts';
import { createForwarded } from '../http/forwarded.ts';
import { createBrokenOff, createHandler, createRefuser } from '../http/handler.ts';
import { unmarked } from '../http/opaque.ts';
import { createRender } from '../http/reply.ts';
import { RequestSpans } from '../http/request-spans.ts';
import type { Route } from '../http/route.ts';
import type { RouteGroup } from '../http/route-group.ts';
import { tableOfGroups } from '../http/route-table.ts';
import { Traffic } from '../http/traffic.ts';
import type { Prepared, RoomContext, Services } from '../room/context.ts';
import type { OpenRoom, Room } from '../room/define-room.ts';
import type { EntityKind } from '../room/entity.ts';
import { Hooks } from '../room/hook.ts';
import {
  mergeDocuments,
  mergeEntities,
  mergeExtensions,
  mergeFields,
  mergeForgetters,
  mergeMigrations,
  mergeRoles,
  mergeRooms,
  mergeServices,
} from '../room/merge-rooms.ts';
import type { Arrival } from '../security/arrival.ts';
import type { Needed, Question } from '../security/explain.ts';
import type { SecurityInput } from '../security/ini/security-parts.ts';
import { createCallerStore } from './commit.ts';
import { chooseRooms, routesOfAbsent } from './extensions.ts';
import { probingHere, transcodersOf } from './media.ts';
import { createPerform } from './perform.ts';
import type { Platform } from './platform.ts';
import { rooms } from './rooms.ts';
import { type Configured, createSecurity, namesPath, onlyWithSchema } from './security.ts';
import type { Settings } from './settings.ts';
import { builtInSecurity, checkConfiguration, checkSecurity } from './shipped.ts';

export { builtInSecurity, checkConfiguration, checkSecurity, namesPath, type Platform };

/** Instance of Portico, for entries, commands and tests. */
export interface Service {
  readonly log: Log;
  readonly metrics: Metrics;
  /** @internal */
  readonly store: Store;
  /** @internal Interfaces of rooms for commands and tests, by the name of the room. */
  readonly rooms: Provided;
  /** @internal All routes with their descriptions. */
  readonly routes: readonly Route[];
  /** @internal Groups of routes by the names of their rooms. */
  readonly groups: ReadonlyMap<string, readonly RouteGroup[]>;
  /** @internal All kinds of work, including those for other hosts. */
  readonly kinds: readonly WorkKind[];
  fetch(request: Request, arrival?: Arrival): Maybe<Response>;
  /** Makes ready, in short steps, what the first requests would wait for. */
  warm(): Iterable<void>;
  /** Applies another security.ini, completely or not at all. */
  configure(input: SecurityInput): Promise<Configured>;
  /** Reads and applies security.ini again. On errors, log, health and self-test report that the previous one stays. */
  reload(read: () => Promise<SecurityInput>): Promise<void>;
  explain(question: Question): Promise<Explanation>;
  /**
   * The schema, and in an empty database the roles, the fields and `admin`. Gives the password of `admin` if one was
   * made up, which is not told again.
   */
  prepare(): Promise<Prepared>;
  /** Prepares the service before the first request. Throws a SecurityError for an unusable security.ini. */
  start(): Promise<Prepared>;
  /**
   * Runs due work of all kinds for at most so many milliseconds. Returns the next due time. Undefined: not before a
   * commit.
   */
  tick(budget?: number): Promise<number | undefined>;
  /**
   * Runs due work after an answer on the edge, where there is no loop. `changed`: the request may have changed
   * something.
   */
  afterAnswer(changed: boolean, budget: number): Promise<void>;
  /** Runs work in a loop, woken by each commit, until the service closes. */
  work(): Promise<void>;
  /** Wakes kinds of work for commits of another process. */
  wake(kinds: readonly string[]): void;
  workStatus(): Promise<readonly WorkStatus[]>;
  /** Metrics of this process, in the text format of Prometheus. */
  figures(): Promise<string>;
  /** Ends whatever would delay a stop: connections that wait for events, and work that has not begun. */
  quiet(): void;
  /** Aborts running queries and work, for a stop with little time left. */
  interrupt(): void;
  /** Finishes accepted work and closes the database. */
  close(): Promise<void>;
}

/** The one place where all parts meet. It folds the list of rooms and names none of them. */
export function createService(
  settings: Settings,
  platform: Platform,
  security: SecurityInput = builtInSecurity,
): Service {
  const { clock, database, sharesWork } = platform;
  const hidden = new HiddenTexts();
  const log = createLog((line) => platform.print(hidden.from(line)), clock, settings.logLevel);
  const metrics = new Metrics();
  metrics.gauge('portico_commits_pending', 'Changes that wait to be durable', () => database.pending);
  if (platform.loopDelay) {
    metrics.gauge('portico_loop_delay_seconds', 'Longest turn of the loop since the last read', platform.loopDelay);
  }
  const figure = (name: string, help: string, of: keyof DatabaseFigures) =>
    metrics.gauge(name, help, () => database.figures[of]);
  figure('portico_queries_running', 'Queries that run on reader threads', 'queriesRunning');
  figure('portico_queries_waiting', 'Queries that wait for a reader thread', 'queriesWaiting');
  figure('portico_queries_late', 'Queries that still run after their callers were answered 503', 'queriesLate');
  figure('portico_wal_bytes', 'Size of the write-ahead log of a file database', 'logBytes');
  metrics.total('portico_database_calls', 'Calls to a remote database since the start', () => database.figures.calls);
  const calls = metrics.counter('portico_outbound_calls_total', 'Calls to other machines, by outcome', 'outcome');
  const outbound = createOutbound({
    wire: platform.wire,
    allow: settings.outboundAllow,
    clock,
    count: (outcome) => calls(outcome).add(),
  });
  const instanceId = randomText(platform.random, 8);
  const { call } = outbound;
  const refresh = () => status.refresh();
  const exporter =
    settings.otelExporterOtlpEndpoint === ''
      ? undefined
      : new Exporter({ ...platform, settings, log, metrics, instanceId, refresh, call });
  const { present, absent } = chooseRooms(settings.without);
  const store = openStore(database, {
    clock,
    site: settings.site,
    firstId: settings.firstId,
    serialBlock: settings.idBlock,
    migrations: mergeMigrations(rooms),
    extensions: mergeExtensions(present),
    beforeMigration: platform.beforeMigration,
  });
  const traffic = new Traffic();
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

  // Rooms get these before they are filled: no room asks before the first request.
  const services = {} as Services;
  const entities: Record<string, EntityKind> = {};
  const opened: OpenRoom[] = [];
  const hooks = new Hooks();
  const takesOpaque = (path: string) => app.takesOpaque(path);
  const neededAt = (method: string, path: string): Needed | undefined => {
    const match = app.routeAt(method, path);
    if (!match) return undefined;
    const { route, params } = match;
    const { orSelf, ...needs } = route.access.needs;
    const levels = Object.entries(route.entities ?? {}).flatMap(([segment, { kind, level, operation }]) =>
      level === undefined ? [] : { kind, name: params[segment] ?? '', level, operation },
    );
    return {
      ...needs,
      route: `${method} ${unmarked(route.path)}`,
      self: orSelf && {
        name: params[orSelf.param],
        role: orSelf.keys !== undefined && params['key']?.startsWith(orSelf.keys) ? undefined : orSelf.role,
      },
      isDangerous: route.isDangerous === true,
      levels,
      checkPath: (subject) => checkConfined({ subject, path }),
      findEntities: (caller) => route.findEntities?.(caller, params),
    };
  };
  const pipeline = createSecurity(
    {
      platform,
      settings,
      log,
      store,
      outbound,
      services,
      takesOpaque,
      neededAt,
      hide: (secret) => hidden.learn(secret),
    },
    security,
  );
  const working = platform.processes?.working;
  const work = createWork({
    clock,
    log,
    host: sharesWork ? 'loop' : 'edge',
    dueTimes: (kinds) => prepareDueTimes(kinds, services.kindsOff).bind(undefined, store),
    callsLeft: platform.callsLeft,
    asking: platform.asking,
    apart: (work) => (database.calls && !database.calls.getStore() ? database.calls.run({ calls: 0 }, work) : work()),
    poll: settings.deliveryPoll,
    grace: settings.stopTimeout * 1000,
    elsewhere: working?.changed,
  });
  const status = working
    ? { list: working.list, refresh: () => Promise.resolve() }
    : createWorkStatus({ workings: work.workings, clock, metrics });
  const media = platform.media ?? probingHere(hooks);
  const context: RoomContext<Settings> = {
    ...platform,
    settings,
    log,
    metrics,
    spans: exporter?.spans,
    store,
    limits,
    triggers: createTriggers(mergeRooms(rooms, 'events')),
    security: pipeline.running,
    services,
    hooks,
    entities,
    properties: mergeRooms(rooms, 'properties'),
    checks: () => opened.flatMap((room) => room.checks ?? []),
    routes: () => routes.all(),
    documents: mergeDocuments(present),
    forget: mergeForgetters(opened),
    roles: mergeRoles(rooms),
    fields: mergeFields(rooms),
    jobTypes: () => opened.flatMap((room) => room.jobTypes ?? []),
    instanceId,
    secretKey: platform.secretKey,
    media,
    transcoders: () => (sharesWork ? transcodersOf(pipeline.running.transcoders(), platform.transcoders) : []),
    ...outbound,
    work: status,
    render: createRender(namespace),
    carryOut: async (request, arrival) => handle(request, arrival),
    as: (call) => createCommands(handling)(call),
    perform: createPerform({ store, traffic, clock }),
  };
  const { open, provides } = openRooms(present, context);
  Object.assign(services, mergeServices(open));
  Object.assign(entities, mergeEntities(open));
  opened.push(...open.values());
  hooks.joinRooms(open);
  const { requestKeys, scheduled } = services;
  const routes = tableOfGroups([...opened.flatMap((room) => room.routes ?? []), ...routesOfAbsent(absent)], (route) =>
    scheduled.around(requestKeys.around(route)),
  );
  const kinds = opened.flatMap((room) => room.workers ?? []);
  work.join(kinds);
  store.join([...opened.flatMap((room) => room.participants ?? []), ...work.participants()]);

  const refuse = createRefuser(log, namespace);
  // The platform of an edge compresses what its callers accept.
  const app = createApp(routes, refuse, createCompress(sharesWork ? settings.gzipFrom : 0), createBrokenOff(log));
  const handling = {
    clock,
    log,
    metrics,
    cors: services.cors,
    maxTargetLength: settings.maxTargetLength,
    namespace,
    instanceId,
    forwarded: createForwarded(settings.trustedProxies),
    decide: sharesWork ? pipeline.decide : onlyWithSchema(store, pipeline.decide),
    ...app,
    callerStore: createCallerStore({ store, metrics, services, clock, spans: exporter?.spans }),
    limits,
    render: context.render,
    refuse,
    answered: services.answered,
    welcome: services.welcome,
    traffic,
    spans: exporter && new RequestSpans({ spans: exporter.spans, took: exporter.took, clock }),
    calls: database.calls,
    collect: database.ahead?.bind(database),
  };
  const handle = createHandler(handling);

  /** A log line of the calls that work took. Most looks behind reads take none. */
  async function counted<T>(name: string, run: () => Promise<T>): Promise<T> {
    if (!database.calls) return run();
    const count = { calls: 0 };
    const began = clock.now();
    try {
      return await database.calls.run(count, run);
    } finally {
      if (count.calls > 0) log.write('info', name, { calls: count.calls, ms: clock.now() - began });
    }
  }

  return {
    log,
    metrics,
    store,
    rooms: provides,
    get routes() {
      return routes.all();
    },
    groups: new Map(Array.from(open, ([name, room]) => [name, room.routes ?? []])),
    kinds,
    fetch: handle,
    warm: routes.warm,
    configure: pipeline.configure,
    reload: pipeline.reload,
    explain: pipeline.running.explain,
    prepare: services.prepare,

    async start() {
      await pipeline.start();
      const prepared = await services.prepare();
      for (const room of opened) await room.start?.();
      if (sharesWork) exporter?.run();
      if (platform.isOnlyServer?.()) await work.takeBack();
      return prepared;
    },

    tick: (budget) =>
      counted('tick', async () => {
        await pipeline.ready();
        return work.tick(budget);
      }),

    afterAnswer: (changed, budget) =>
      counted('work-after-answer', async () => {
        if (changed) await pipeline.ready();
        await work.afterAnswer(changed, budget);
        await exporter?.flush();
      }),

    async work() {
      await work.run();
    },

    wake: work.wake,
    workStatus: status.list,
    async figures() {
      await status.refresh();
      return metrics.render();
    },

    quiet() {
      work.stop();
      for (const room of opened) room.quiet?.();
    },

    interrupt() {
      work.interrupt();
      database.interrupt?.();
    },

    async close() {
      await work.close();
      await exporter?.close();
      for (const room of opened.toReversed()) await room.close?.();
      await media.close();
      for (const each of platform.transcoders ?? []) await each.close?.();
      await pipeline.close();
      await store.close();
    },
  };
}

type Rooms = typeof rooms;
type ProvidedBy<R> = R extends { open(context: never): { readonly provides: infer O } } ? O : never;

/** Interfaces of rooms for commands and tests, by name. */
type Provided = {
  readonly [R in Rooms[number] as ProvidedBy<R> extends never ? never : R['name']]: ProvidedBy<R>;
};

/** Opens each room with the shared context, in the order of the list. */
function openRooms(list: readonly Room[], context: RoomContext<Settings>) {
  const open = new Map<string, OpenRoom>();
  for (const room of list) if (room.open) open.set(room.name, room.open(context as RoomContext<never>));
  const provides = Object.fromEntries(
    [...open].flatMap(([name, { provides: given }]) => (given ? [[name, given]] : [])),
  );
  return { open, provides: provides as Provided };
}
