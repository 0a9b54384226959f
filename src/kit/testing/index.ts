/**
 * For the tests of plugins and of programs that embed the service. The suites need no test runner: each is a function
 * that answers with a list of promises and whether they are kept, so `results.filter(({ passed }) => !passed)` is empty.
 */

export type { ActionUnderTest, ElementExample } from './check-action.ts';
export { checkAction } from './check-action.ts';
export { checkFilter } from './check-filter.ts';
export { checkListener, type ListenerUnderTest } from './check-listener.ts';
export { checkMatcher, type MatcherUnderTest } from './check-matcher.ts';
export { type CheckModuleOptions, checkModule, type PluginModule } from './check-module.ts';
export { checkPlugin } from './check-plugin.ts';
export type { MediaExample } from './check-prober.ts';
export { checkProber, type ProberUnderTest } from './check-prober.ts';
export { checkRealm } from './check-realm.ts';
export { checkTranscoder, type TranscoderUnderTest } from './check-transcoder.ts';
export { checkUserInfoProvider, type ProviderUnderTest } from './check-user-info-provider.ts';
export { type ManualClock, manualClock, seededRandom } from './clock.ts';
export { type Knows, secretText } from './credentials.ts';
export type { PluginExample, PluginExamples } from './examples.ts';
export type { FilterCase, FilterUnderTest } from './filter-trial.ts';
export { type FilterRequestOptions, filterRequest } from './filter-trial.ts';
export { type Backend, countMatches, type TestHost, type TestHostOptions, testHost } from './host.ts';
export type { RealmUnderTest } from './realm-trial.ts';
export type { CheckResult } from './result.ts';
export { checkSearchEngine, type SearchEngineUnderTest } from './search-engine/check-engine.ts';
export { type MemorySearchEngine, memorySearchEngine } from './search-engine/memory-engine.ts';
export { checkStorageDriver } from './storage/check-driver.ts';
export { checkStorageScheme, type SchemeUnderTest } from './storage/check-scheme.ts';
export type { DriverUnderTest } from './storage/driver-trial.ts';
export { type MemoryFolder, type MemoryStorage, memoryStorage, storageError } from './storage/memory-storage.ts';
