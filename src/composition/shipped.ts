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
import { programVersion } from '../core/lib/version.ts';
import type { Room } from '../room/define-room.ts';
import { configureSecurity } from '../security/ini/assemble.ts';
import { defaultIni } from '../security/ini/default-ini.ts';
import type { Finding } from '../security/ini/findings.ts';
import type { SecretSource } from '../security/ini/objects/secrets.ts';
import type { SecurityInput, SecurityParts } from '../security/ini/security-parts.ts';
import { canonicalPattern } from '../security/path.ts';
import { createPipeline } from '../security/pipeline.ts';
import type { RequestUsers } from '../security/subject.ts';
import type { Host, Plugin } from '../spi/index.ts';
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

export const builtInSecurity: SecurityInput = { text: defaultIni, file: 'built-in security.ini', plugins: [] };

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
  const pageStatus = parts && (await statusWithoutLogin(parts, '/ui/').catch(() => undefined));
  for (const each of closing) await each.close();
  return { findings, patterns: parts?.chains.map(({ pattern }) => pattern), pageStatus, engines };
}

async function statusWithoutLogin(parts: SecurityParts, path: string): Promise<number> {
  const pipeline = createPipeline({
    ...parts,
    // Filters ask for users after a login only.
    directory: { open: () => ({}) as RequestUsers },
    login: () => ({ accepted: false, reason: 'nobody-asked' }),
    oauth2: () => ({ revision: 0, configuration: undefined }),
  });
  const request = { method: 'GET', path, rawPath: path, query: undefined, headers: new Headers(), authorization: null };
  const decision = await pipeline.decide({ ...request, arrival: {} });
  return decision.granted ? 200 : decision.response.status;
}

/** Findings of a configuration. */
export const checkSecurity = async (...args: Parameters<typeof checkConfiguration>): Promise<readonly Finding[]> =>
  (await checkConfiguration(...args)).findings;
