import { defaultFilters, filterComponents } from '../../filters/index.ts';
import {
  actionComponents,
  listenerComponents,
  matcherComponents,
  storageComponents,
  userInfoProviderComponents,
} from '../../plugins/index.ts';
import { realmComponents } from '../../realms/index.ts';
import { programVersion } from '../lib/version.ts';
import { canonicalPattern } from '../security/path.ts';
import { configureSecurity } from '../security-ini/assemble.ts';
import { defaultIni } from '../security-ini/default-ini.ts';
import type { Finding } from '../security-ini/finding.ts';
import type { SecurityInput } from '../security-ini/security-input.ts';
import type { Host, Plugin } from '../spi/index.ts';

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
};

export const builtInSecurity: SecurityInput = { text: defaultIni, file: 'built-in security.ini', plugins: [] };

/** A security.ini with its plugins, and with what ships. */
export const configureWithShipped = (
  { plugins, ...input }: SecurityInput,
  makeHost: (name: string) => Host,
  ofHost: readonly Plugin[] = [],
) =>
  configureSecurity(
    { ...input, plugins: [...ofHost, ...plugins] },
    { plugin, defaultFilters, canonicalPattern, makeHost },
  );

interface Checked {
  readonly findings: readonly Finding[];
  /** Patterns of [urls]. Undefined: the configuration has errors. */
  readonly patterns: readonly string[] | undefined;
}

/** A configuration as `portico check` tells of it, without a database. */
export async function checkConfiguration(
  input: SecurityInput,
  host: Omit<Host, 'name'>,
  ofHost: readonly Plugin[] = [],
): Promise<Checked> {
  const { parts, findings, closing } = await configureWithShipped(input, (name) => ({ ...host, name }), ofHost);
  for (const each of closing) await each.close();
  return { findings, patterns: parts?.chains.map(({ pattern }) => pattern) };
}

/** Findings of a configuration. */
export const checkSecurity = async (...given: Parameters<typeof checkConfiguration>): Promise<readonly Finding[]> =>
  (await checkConfiguration(...given)).findings;
