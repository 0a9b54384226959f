import { defaultFilters, filterComponents } from '../../filters/index.ts';
import {
  actionComponents,
  listenerComponents,
  matcherComponents,
  searchEngineComponents,
  storageComponents,
  userInfoProviderComponents,
} from '../../plugins/index.ts';
import { realmComponents } from '../../realms/index.ts';
import type { Log } from '../core/lib/log.ts';
import { programVersion } from '../core/lib/version.ts';
import { sessionCookieName } from '../kit/index.ts';
import type { Room } from '../room/define-room.ts';
import type { PipelineRequest } from '../security/arrival.ts';
import { configureSecurity } from '../security/ini/assemble.ts';
import { defaultIni } from '../security/ini/default-ini.ts';
import { type Finding, quoted } from '../security/ini/findings.ts';
import type { SecretSource } from '../security/ini/objects/secrets.ts';
import type { SecurityInput, SecurityParts } from '../security/ini/security-parts.ts';
import { canonicalPattern } from '../security/path.ts';
import { createPipeline, type Pipeline } from '../security/pipeline.ts';
import type { RequestUsers } from '../security/subject.ts';
import type { Credentials, Host, LoginAnswer, Plugin } from '../spi/index.ts';
import { rooms } from './rooms.ts';

const lent: readonly Room[] = rooms;

/** Built-in components as a plugin. It is registered first, so that no other plugin can take its names. */
const plugin: Plugin = {
  name: 'portico',
  version: programVersion,
  contract: 1,
  realms: realmComponents,
  filters: filterComponents,
  matchers: matcherComponents,
  listeners: listenerComponents,
  userInfoProviders: userInfoProviderComponents,
  actions: actionComponents,
  storages: storageComponents,
  searchEngines: searchEngineComponents,
  ...Object.assign({}, ...lent.map(({ components }) => components)),
};

/** A module for an edge brings its own text. */
export const builtInSecurity: SecurityInput = {
  text: globalThis.isEdgeModule ? '' : defaultIni,
  file: 'built-in security.ini',
  plugins: [],
};

/** A security.ini with its plugins, and with what ships. */
export const configureWithShipped = (
  { plugins, ...input }: SecurityInput,
  makeHost: (name: string) => Host,
  ofHost: readonly Plugin[] = [],
  secrets?: SecretSource,
  ofCheck: { readonly asksEngines?: boolean; readonly hints?: boolean } = {},
) =>
  configureSecurity(
    { ...input, plugins: [...ofHost, ...plugins] },
    { plugin, defaultFilters, canonicalPattern, makeHost, secrets, ...ofCheck },
  );

interface Checked {
  readonly findings: readonly Finding[];
  /** Patterns of [urls]. Undefined: the configuration has errors. */
  readonly patterns: readonly string[] | undefined;
  /** Status of the chains for the first address of the web page, asked without credentials. 200: they let it pass. */
  readonly pageStatus: number | undefined;
  /** States of search engines, where they are asked. */
  readonly engines: readonly string[];
}

/** A configuration as `portico check` tells of it, without a database. */
export async function checkConfiguration(
  input: SecurityInput,
  host: Omit<Host, 'name'>,
  ofHost: readonly Plugin[] = [],
  ofCheck: { readonly asksEngines?: boolean; readonly hints?: boolean } = {},
): Promise<Checked> {
  const makeHost = (name: string): Host => ({ ...host, name });
  const { parts, findings, closing, engines } = await configureWithShipped(input, makeHost, ofHost, undefined, ofCheck);
  const pageStatus = parts && (await statusWithoutLogin(parts, host).catch(() => undefined));
  const ofPage = parts && pageStatus === 200 ? await findingsOfPage(parts, host, input.file) : [];
  for (const each of closing) await each.close();
  const patterns = parts?.chains.map(({ pattern }) => pattern);
  return { findings: [...findings, ...ofPage], patterns, pageStatus, engines };
}

/** Milliseconds that a filter has where a configuration is only checked. */
const timeLimit = 10_000;
const silent: Log = { write: () => undefined, writes: () => false };

const letting =
  (letsIn: Credentials['kind'] | undefined) =>
  ({ kind }: Credentials): LoginAnswer =>
    kind === letsIn ? { accepted: true, account: { name: 'somebody' } } : { accepted: false, reason: 'not-tried' };

/** Chains without a database. `letsIn`: the kind of credentials that a realm would accept. */
const triedPipeline = (
  parts: Pick<SecurityParts, 'chains' | 'caseInsensitive' | 'allowConfigUpdate'>,
  host: Pick<Host, 'now' | 'sleep'>,
  letsIn?: Credentials['kind'],
): Pipeline =>
  createPipeline({
    ...parts,
    ...{ clock: host, timeLimit, log: silent },
    // Filters ask for users after a login only.
    directory: { open: () => ({ find: () => undefined }) as Partial<RequestUsers> as RequestUsers },
    login: letting(letsIn),
    oauth2: () => ({ revision: 0, configuration: undefined }),
  });

const requestFor = (path: string, headers: Headers): PipelineRequest => ({
  ...{ method: 'GET', path, rawPath: path, query: undefined, headers },
  ...{ authorization: headers.get('authorization'), arrival: { secure: true } },
});

const firstPage = '/ui/';

async function statusWithoutLogin(parts: SecurityParts, host: Pick<Host, 'now' | 'sleep'>): Promise<number> {
  const decision = await triedPipeline(parts, host).decide(requestFor(firstPage, new Headers()));
  return decision.granted ? 200 : decision.response.status;
}

/** First segments of paths that the web page asks for. */
const ofPages =
  'APIinit collection configuration error export-location group item job library log metadata-field migration notification quota search security selftest session setting shape-tag share storage upgrade-plan user version whoami'.split(
    ' ',
  );

/** Credentials of a person in the web page, and of a program that has a token of that person. */
const comesWith = [
  {
    kind: 'session',
    filter: 'sessionAuth',
    says: 'the web page logs in by a cookie',
    headers: { cookie: `${sessionCookieName(true, 'localhost')}=a-session`, 'portico-ui': '1' },
  },
  {
    kind: 'token',
    filter: 'tokenAuth',
    says: 'programs of its users come with tokens',
    headers: { authorization: 'token a-token' },
  },
] as const;

/** Chains that refuse the login of the web page, though they ask for one. Filters that log nobody in do not count. */
async function findingsOfPage(
  { chains, ...parts }: SecurityParts,
  host: Pick<Host, 'now' | 'sleep'>,
  file: string,
): Promise<readonly Finding[]> {
  const asking = chains.map((chain) => ({ ...chain, steps: chain.steps.filter(({ filter }) => filter.authenticates) }));
  const samples = [
    ...ofPages.map((segment) => `/${segment}`),
    ...asking
      .map(({ pattern }) => pattern.replace(/[*?]+/g, 'x'))
      .filter((path) => ofPages.includes(path.split('/')[1]!)),
  ];
  const findings: Finding[] = [];
  for (const { kind, filter, says, headers } of comesWith) {
    const pipeline = triedPipeline({ ...parts, chains: asking }, host, kind);
    const seen = new Set<string>();
    for (const path of samples) {
      const chain = pipeline.chainOf(path);
      if (!chain || chain.steps.length === 0 || seen.has(chain.pattern)) continue;
      seen.add(chain.pattern);
      let [by, isAccepted] = ['it takes none', false];
      const request = requestFor(path, new Headers({ host: 'localhost', 'sec-fetch-site': 'same-origin', ...headers }));
      await pipeline
        .trace(request, letting(kind), ({ name }, answer) => {
          isAccepted ||= answer !== 'skipped' && answer.verdict === 'accept';
          if (answer !== 'skipped' && answer.verdict === 'refuse') by = `${name} refuses it`;
        })
        .catch(() => undefined);
      if (isAccepted) continue;
      const message = `Expected ${filter}[permissive] in the chain of ${quoted(chain.pattern)}, because ${says}: ${by}`;
      findings.push({ severity: 'warning', file, line: chain.line, column: 1, code: `${kind}-refused`, message });
    }
  }
  return findings;
}

/** Findings of a configuration. */
export const checkSecurity = async (...args: Parameters<typeof checkConfiguration>): Promise<readonly Finding[]> =>
  (await checkConfiguration(...args)).findings;
