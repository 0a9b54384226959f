import { isRecord } from '../../core/lib/checks.ts';
import { componentKinds } from '../../security/ini/registry.ts';
import type {
  AuthenticationListener,
  ComponentKind,
  Components,
  CredentialsMatcher,
  Filter,
  Host,
  NotificationAction,
  Plugin,
  Prober,
  Realm,
  RedirectLogin,
  SearchEngine,
  ServiceUserInfoProvider,
  StorageScheme,
  Transcoder,
} from '../../spi/index.ts';
import { checkAction } from './check-action.ts';
import { checkFilter } from './check-filter.ts';
import { checkListener } from './check-listener.ts';
import { checkLogin } from './check-login.ts';
import { checkMatcher } from './check-matcher.ts';
import { checkPlugin } from './check-plugin.ts';
import { checkProber } from './check-prober.ts';
import { checkRealm } from './check-realm.ts';
import { checkTranscoder } from './check-transcoder.ts';
import { checkUserInfoProvider } from './check-user-info-provider.ts';
import type { PluginExample, PluginExamples } from './examples.ts';
import { type TestHost, testHost } from './host.ts';
import { makeComponent } from './make-component.ts';
import { type CheckResult, errorSentence } from './result.ts';
import { checkSearchEngine } from './search-engine/check-engine.ts';
import { checkStorageScheme } from './storage/check-scheme.ts';

/** The module of a plugin. */
export interface PluginModule {
  readonly default: Plugin;
  readonly examples?: PluginExamples;
}

export interface CheckModuleOptions {
  /** Further properties, for every component that declares them. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Plugins whose components the examples refer to. */
  readonly beside?: readonly Plugin[];
  /** A faster hash than that in JavaScript. */
  readonly scrypt?: Host['scrypt'];
}

/** Runs all suites for a plugin's module: its shape, and each component with each of its examples. */
export async function checkModule(module: PluginModule, options: CheckModuleOptions = {}): Promise<CheckResult[]> {
  const { default: plugin, examples = [] } = module;
  const shape = named('the plugin', await checkPlugin(plugin));
  // An unreadable plugin cannot be created.
  if (shape.some(({ passed }) => !passed)) return shape;
  const results = [...shape, ...strays(plugin, examples)];
  for (const kind of componentKinds) {
    for (const example of examplesOf(plugin[kind] ?? {}, examples, options)) {
      results.push(...named(example.component, await checkComponent(plugin, kind, example, options)));
    }
  }
  return results;
}

const named = (subject: string, results: readonly CheckResult[]): CheckResult[] =>
  results.map((result) => ({ ...result, name: `${subject}: ${result.name}` }));

/** Examples for unknown components, which would always pass. */
function strays(plugin: Plugin, examples: PluginExamples): CheckResult[] {
  const names = componentKinds.flatMap((kind) => Object.keys(plugin[kind] ?? {}));
  return examples
    .filter(({ component }) => !names.includes(component))
    .map(({ component }) => ({
      name: `${component}: is an example of a component`,
      passed: false,
      explanation: `Expected one of ${names.join(', ')}: "${component}"`,
    }));
}

/**
 * Examples by component. A component with several class names is tried under those with examples, or under the first.
 */
function examplesOf(
  components: Components<unknown>,
  examples: PluginExamples,
  { properties = {} }: CheckModuleOptions,
): readonly PluginExample[] {
  const names = new Map<unknown, string[]>();
  for (const [name, component] of Object.entries(components)) {
    names.set(component, [...(names.get(component) ?? []), name]);
  }
  return [...names].flatMap(([component, aliases]) => {
    const own = examples.filter((example) => aliases.includes(example.component));
    const declared = isRecord(component) && isRecord(component['properties']) ? component['properties'] : {};
    const declaredProperties = Object.entries(properties).filter(([name]) =>
      Object.hasOwn(declared, name.split('.', 1)[0]!),
    );
    return (own.length > 0 ? own : [{ component: aliases[0]! }]).map((example: PluginExample) => ({
      ...example,
      properties: { ...example.properties, ...Object.fromEntries(declaredProperties) },
    }));
  });
}

async function checkComponent(
  plugin: Plugin,
  kind: ComponentKind,
  example: PluginExample,
  { beside = [], scrypt }: CheckModuleOptions,
): Promise<CheckResult[]> {
  const make = <T>(host: Host) => makeComponent(plugin, example, host as TestHost, beside) as Promise<T>;
  const { knows, backend, stored, accounts, cases, freeWords, serviceUsers, elements, places, holds, media, orders } =
    example;
  try {
    await make(testHost({ backend, scrypt }));
  } catch (error) {
    const explanation = /^Expected /.test(errorSentence(error))
      ? errorSentence(error)
      : `Expected it to be made: ${errorSentence(error)}`;
    return [{ name: 'can be made', passed: false, explanation }];
  }
  const suites: Readonly<Record<ComponentKind, () => Promise<CheckResult[]>>> = {
    realms: () => checkRealm({ make: make<Realm>, knows, backend, serviceUsers, scrypt }),
    filters: () => checkFilter({ make: make<Filter>, cases, freeWords, backend }),
    logins: () => checkLogin({ make: make<RedirectLogin>, backend }),
    listeners: () => checkListener({ make: make<AuthenticationListener>, accounts, backend }),
    userInfoProviders: () => checkUserInfoProvider({ make: make<ServiceUserInfoProvider>, accounts, backend }),
    matchers: () => checkMatcher({ make: make<CredentialsMatcher>, knows: pairOf(knows, stored), scrypt }),
    storages: () => checkStorageScheme({ make: make<StorageScheme>, backend, places, holds }),
    searchEngines: () => checkSearchEngine({ make: make<SearchEngine>, backend }),
    actions: () => checkAction({ make: make<NotificationAction>, elements, backend }),
    probers: () => checkProber({ make: make<Prober>, media }),
    transcoders: () => checkTranscoder({ make: make<Transcoder>, media, orders }),
  };
  return [{ name: 'can be made', passed: true }, ...(await suites[kind]())];
}

const pairOf = (knows: PluginExample['knows'], stored: string | undefined) =>
  knows && 'password' in knows && stored !== undefined ? { ...knows, stored } : undefined;
