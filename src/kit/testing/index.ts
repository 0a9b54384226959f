/**
 * For the tests of plugins and of programs that embed the service. The suites need no test runner: each is a function
 * that answers with a list of promises and whether they are kept, so `results.filter(({ passed }) => !passed)` is empty.
 */
export { checkAction } from './action/check-action.ts';
export type { ActionUnderTest, ElementExample } from './action/subject.ts';
export { checkListener, type ListenerUnderTest } from './check-listener.ts';
export { checkMatcher, type MatcherUnderTest } from './check-matcher.ts';
export { type CheckModuleOptions, checkModule, type PluginModule } from './check-module.ts';
export { checkPlugin } from './check-plugin.ts';
export { checkUserInfoProvider, type ProviderUnderTest } from './check-user-info-provider.ts';
export { type ManualClock, manualClock } from './clock.ts';
export { type Knows, secretText } from './credentials.ts';
export type { PluginExample, PluginExamples } from './examples.ts';
export { checkFilter } from './filter/check-filter.ts';
export { type FilterRequestOptions, filterRequest } from './filter/request.ts';
export type { FilterCase, FilterUnderTest } from './filter/subject.ts';
export { type Backend, countMatches, type TestHost, type TestHostOptions, testHost } from './host.ts';
export { checkProber, type ProberUnderTest } from './media/check-prober.ts';
export { checkTranscoder, type TranscoderUnderTest } from './media/check-transcoder.ts';
export type { MediaExample } from './media/example.ts';
export { seededRandom } from './random.ts';
export { checkRealm } from './realm/check-realm.ts';
export type { RealmUnderTest } from './realm/subject.ts';
export type { CheckResult } from './result.ts';
export { checkStorageScheme, type SchemeUnderTest } from './storage/check-scheme.ts';
export { checkStorageDriver } from './storage/driver/check-driver.ts';
export type { DriverUnderTest } from './storage/driver/subject.ts';
export { type MemoryFolder, type MemoryStorage, memoryStorage, storageError } from './storage/memory-storage.ts';
