import type { Explanation } from '../core/documents/index.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { fetchWithReasons } from '../core/lib/fetch-failure.ts';
import { describeError, type Log } from '../core/lib/log.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { Secret } from '../core/lib/secret.ts';
import type { Store } from '../core/store/store.ts';
import type { OutdatedSecurity, SecurityView, Services } from '../room/context.ts';
import type { PipelineRequest } from '../security/arrival.ts';
import { type Admit, createAdmission, createAuthenticator } from '../security/authenticator.ts';
import { explainRequest, type Needed, type Question } from '../security/explain.ts';
import { type Finding, SecurityError } from '../security/ini/findings.ts';
import type { SecretSource } from '../security/ini/objects/secrets.ts';
import type { ChainParts, SecurityInput, SecurityParts } from '../security/ini/security-parts.ts';
import type { TakesOpaque } from '../security/path.ts';
import { createPipeline, type Decision, type Pipeline } from '../security/pipeline.ts';
import { firstConfigured, RunningSecurity } from '../security/running.ts';
import type { Host } from '../spi/index.ts';
import type { Platform } from './platform.ts';
import type { Settings } from './settings.ts';
import { configureWithShipped } from './shipped.ts';

interface Parts {
  readonly platform: Platform;
  readonly settings: Pick<Settings, 'realmTimeout' | 'rememberPasswordSeconds'>;
  readonly log: Log;
  readonly store: Pick<Store, 'reader'>;
  readonly outbound: Pick<Host, 'call' | 'stream'>;
  readonly services: Pick<Services, 'passwords' | 'directory' | 'oauth2' | 'secrets' | 'explainLevel'>;
  readonly takesOpaque: TakesOpaque;
  /** Hides the text of a secret in the log from now on. */
  hide(secret: string): void;
  /** Rights that the route for a request requires. */
  neededAt(method: string, path: string): Needed | undefined;
}

export interface Configured {
  readonly applied: boolean;
  readonly findings: readonly Finding[];
}

/** Security of all requests: the current security.ini, and its replacement. */
export function createSecurity(parts: Parts, first: SecurityInput) {
  const { platform, settings, log, store, services, outbound, takesOpaque, hide, neededAt } = parts;
  const { clock, random, sharesWork } = platform;
  const running = new RunningSecurity(clock, log, settings.realmTimeout);
  /** Number of configurations that were tried. */
  let count = 0;
  type Made = Pick<
    SecurityParts,
    'realms' | 'logins' | 'actions' | 'storages' | 'searchEngines' | 'probers' | 'transcoders'
  >;
  /** Patterns of [urls]. */
  let patterns: readonly string[] = [];
  let { file } = first;
  /** Findings of the last read of the files. */
  let lastFindings: readonly Finding[] = [];
  let plugins: Made = {
    realms: [],
    logins: [],
    actions: [],
    storages: [],
    searchEngines: [],
    probers: [],
    transcoders: [],
  };

  let admit: Admit | undefined;

  const makeHost = (name: string): Host => ({
    name,
    now: () => clock.now(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    randomBytes: (length) => random.bytes(length),
    hasher: platform.hasher,
    fetch: fetchWithReasons(platform.fetch),
    ...outbound,
    scrypt: (...args) => services.passwords.inTurn(name, () => platform.scrypt(...args), settings.realmTimeout / 2),
    digest: platform.digest,
    sharesWork,
    log: (level, event, fields) => log.write(level, event, { component: name, ...fields }),
  });

  const secrets: SecretSource = {
    names: () => services.secrets.names(),
    async open(alias, key) {
      const text = await services.secrets.open(alias, key);
      if (text !== undefined) hide(text);
      return text;
    },
  };

  /** Builds a configuration whole and lets it take over, or leaves the one that runs. */
  async function configure(input: SecurityInput, isThrown = false): Promise<Configured> {
    const { parts, findings, closing } = await configureWithShipped(input, makeHost, platform.plugins, secrets);
    lastFindings = findings;
    // The caller tells what is thrown: a log line besides would tell it twice.
    for (const { severity, ...finding } of parts || !isThrown ? findings : []) {
      log.write(severity === 'error' ? 'error' : 'warn', 'security-finding', finding);
    }
    if (!parts) {
      await running.end(closing);
      return { applied: false, findings };
    }
    const timeLimit = settings.realmTimeout;
    const rememberFor = settings.rememberPasswordSeconds * 1000;
    const { digest } = platform;
    const logging = { ...parts, clock, log, timeLimit, rememberFor, configuration: ++count, digest };
    const login = createAuthenticator(logging);
    admit = createAdmission(logging);
    plugins = parts;
    patterns = parts.chains.map(({ pattern }) => pattern);
    file = input.file;
    const { directory, oauth2 } = services;
    const chains = withOpenRoots(parts.chains);
    running.take(createPipeline({ ...logging, chains, directory, login, oauth2 }), closing);
    return { applied: true, findings };
  }

  let outdated: OutdatedSecurity | undefined;

  /** Reads security.ini and the plugins again: what is good takes over whole, what is not leaves the old one running. */
  async function reload(read: () => Promise<SecurityInput>): Promise<void> {
    try {
      const { applied, findings } = await configure(await read());
      const errors = findings.filter(({ severity }) => severity === 'error').length;
      log.write(applied ? 'info' : 'error', applied ? 'security-reloaded' : 'security-kept', { errors });
      outdated = applied ? undefined : { since: outdated?.since ?? clock.now(), errors };
    } catch (error) {
      log.write('error', 'security-kept', describeError(error));
      outdated = { since: outdated?.since ?? clock.now(), errors: 1 };
      const message = error instanceof Error ? error.message : String(error);
      lastFindings = [{ severity: 'error', file: 'security.ini', line: 1, column: 1, code: 'not-read', message }];
    }
  }

  /** Throws a SecurityError when security.ini cannot be used. */
  async function start(): Promise<void> {
    const { applied, findings } = await configure(first, true);
    if (!applied) throw new SecurityError(findings);
  }

  /** Current pipeline. It exists, since the calling request has passed it. */
  function pipeline(): Pipeline {
    if (!running.pipeline) throw new ServiceError('not-configured');
    return running.pipeline;
  }

  const view: SecurityView = {
    login: (credentials, address) => pipeline().login(credentials, address),
    oauth2Problems: (configuration) => pipeline().oauth2Problems(configuration),
    allowConfigUpdate: () => pipeline().allowConfigUpdate,
    async admit(account, { provider, proof, address, created }) {
      if (!admit) throw new ServiceError('not-configured');
      const credentials = { kind: 'redirect', token: new Secret(proof) } as const;
      return admit(account, { provider, credentials }, services.directory.open({ address, created }));
    },
    logins: () => plugins.logins,
    // Components of plugins, which belong to the configuration.
    actions: () => plugins.actions,
    storages: () => plugins.storages,
    searchEngines: () => [...plugins.searchEngines, ...(platform.searchEngines ?? [])],
    probers: () => plugins.probers,
    transcoders: () => plugins.transcoders,
    kept: () => outdated,
    findings: () => lastFindings,
    names: (path) => namesPath(patterns, path),
    async explain(question: Question): Promise<Explanation> {
      if (!running.pipeline) await start();
      const { directory, explainLevel } = services;
      const { realms } = plugins;
      const now = () => clock.now();
      const security = { pipeline: pipeline(), realms, directory, takesOpaque, neededAt, file };
      return explainRequest({ ...security, explainLevel, now, reader: store.reader }, question);
    },
  };

  return {
    configure,
    reload,
    start,
    running: view,
    decide: firstConfigured(running, () => configure(first), sharesWork),
    /** On the edge the configuration may not have been requested yet. */
    async ready(): Promise<void> {
      if (!running.pipeline) await configure(first);
    },
    close: () => running.close(),
  };
}

type Decide = (request: PipelineRequest) => Maybe<Decision>;

/** Health tells of the schema itself, and files of the page are the same with any. */
const needsNoDatabase = /^\/(?:health|ui)(?:\/|$)/;

/** Delays the first requests on the edge until the schema is checked. */
export function onlyWithSchema(store: Store, decide: Decide): Decide {
  let fits = false;
  return async (request) => {
    if (!fits && !needsNoDatabase.test(request.path)) {
      await check(store);
      fits = true;
    }
    return decide(request);
  };
}

async function check(store: Store): Promise<void> {
  try {
    await store.checkSchema();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('store-unavailable', {
      explanation: error instanceof Error ? error.message : String(error),
    });
  }
}

/**
 * Public paths: clients call them before a login, and load balancers without one. A `/**` of security.ini does not
 * cover them; a line of its own does.
 */
const roots = ['/APInoauth', '/health', '/whatismyipaddress'];
/** Public without their subpaths: only administrators create groups with rights. */
const paths = ['/APIinit', '/APIinit/preset-templates'];

/** Whether a pattern is this path, or one below it. A pattern such as `/**` names no path. */
export const namesPath = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => pattern === path || pattern.startsWith(`${path}/`));

export function withOpenRoots(chains: readonly ChainParts[]): readonly ChainParts[] {
  const patterns = chains.map(({ pattern }) => pattern);
  const named = (root: string) => namesPath(patterns, root);
  const open = [
    ...roots.filter((root) => !named(root)).map((root) => `${root}/**`),
    ...(named(paths[0]!) ? [] : paths),
  ];
  return [...open.map((pattern) => ({ pattern, line: 0, steps: [] })), ...chains];
}
