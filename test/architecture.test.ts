import { describe, expect, it } from 'vitest';
import { graphOf } from './architecture/graph.ts';
import { type Rule, rules, rulesEverywhere, rulesOfWeb } from './architecture/rules.ts';
import {
  clientTypes,
  cyclesAmong,
  entryFiles,
  exportedNames,
  orphansAmong,
  reachedFrom,
  type Source,
  sourceOf,
  sourcesIn,
  unusedExports,
  vagueLocals,
} from './architecture/sources.ts';
import { sqliteWords, tablesLookedUp } from './architecture/tables.ts';

const product = sourcesIn('src', 'realms', 'filters', 'plugins');
const tests = sourcesIn('test', 'web/test', 'examples');
const web = sourcesIn('web/src');

/** Beside what `package.json` names: the programs of threads. */
const reachedOtherwise = [
  ...entryFiles(),
  'src/entry/media/child/media-child.ts',
  'src/entry/native/reader-worker.ts',
  'src/entry/native/script-worker.ts',
  'src/entry/native/task-worker.ts',
  'src/extensions/pictures/drawing-worker.ts',
  'src/extensions/stylesheets/processor/stylesheet-worker.ts',
  'src/production/transcoding/codecs/whole-worker.ts',
  'src/entry/native/file-storage/folder-worker.ts',
];

/** Types of what other files export, which the declarations of the package name. */
const namedInDeclarations = [
  'src/administration/notifications/feed/streams.ts: Holder',
  'src/administration/operations/description-routes.ts: FixedText',
  'src/assets/search/second-search.ts: SecondOperator',
  'src/core/settings/kinds.ts: Constant',
  'src/identity/documents.ts: UserList',
  'src/production/transcoding/transcoders.ts: TranscodersFound',
  'src/room/define-room.ts: Extension',
  'src/room/hook.ts: Hook',
  'src/storage/bytes/publishing/publish.ts: Publishable',
  'src/storage/bytes/receiving/destination.ts: DestinationQuery',
  'src/storage/files/list/find.ts: FilePage',
  'src/storage/scanning/verification.ts: Verified',
  'src/storage/scanning/verification.ts: VerifiedFile',
];

/** Tables of rooms above that a query reads all the same. The list may only become shorter. */
const lookedUp = [
  // Fields that are computed of shapes: another query for each page of items would be one too many.
  'src/assets/metadata/computed-sql.ts: shape of assets/shapes',
  'src/assets/metadata/computed-sql.ts: shape_tagged of assets/shapes',
  // Files of closed shapes, in the query that closes items.
  'src/assets/access/closed-sql.ts: shape_tagged of assets/shapes',
];

/** Words that PostgreSQL lacks. The numbers may only fall: docs/decisions/postgresql-stays-possible.md says why. */
const wordsOfSqlite = {
  'src/administration/audit/store.ts': 2,
  'src/administration/notifications/replay/store.ts': 1,
  'src/assets/definitions/reshaping-sql.ts': 1,
  'src/assets/definitions/tables.ts': 1,
  'src/assets/metadata/payload-sql.ts': 1,
  'src/assets/search/index/order-sql.ts': 1,
  'src/assets/search/index/store.ts': 3,
  'src/assets/search/query/conditions-sql.ts': 1,
  'src/assets/search/query/store.ts': 3,
  'src/extensions/review/store.ts': 1,
  'src/identity/search/store.ts': 2,
  'src/production/jobs/running/store.ts': 1,
  'src/storage/files/list/store.ts': 6,
  'src/storage/storages/list-sql.ts': 1,
};

/** Locals of the product and of the page with a vague name. The number may only fall. */
const maxVagueLocals = 25;

const offences = (rule: Rule, sources: readonly Source[]): string[] =>
  sources.flatMap((source) =>
    rule.find(source).map((found) => `${source.path}: ${found}. Rule: ${rule.name}. Remedy: ${rule.remedy}`),
  );

describe('what each file may do', () => {
  it('looks at all of them', () => {
    expect(product.length).toBeGreaterThan(100);
    expect(product.flatMap((source) => source.imports).length).toBeGreaterThan(300);
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
    expect(offences(rule, product)).toEqual([]);
  });

  it.each(rulesOfWeb.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
    expect(web.length).toBeGreaterThan(20);
    expect(offences(rule, web)).toEqual([]);
  });

  it.each(rulesEverywhere.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
    expect(offences(rule, [...product, ...web, ...tests])).toEqual([]);
  });

  it('reads and writes tables of its own room, and of rooms ranked before it', () => {
    expect(tablesLookedUp(product).toSorted()).toEqual(lookedUp.toSorted());
    const above = sourceOf('src/assets/shapes/tables.ts', "export const a = sqliteTable('high', {});");
    const query = (sql: string) => [above, sourceOf('src/assets/access/a-sql.ts', `const a = sql\`${sql}\`;`)];
    for (const sql of ['SELECT 1 FROM high', 'UPDATE "high" SET a = 1', `DELETE FROM \${writes('high')}`])
      expect(tablesLookedUp(query(sql))).toHaveLength(1);
    expect(tablesLookedUp(query('SELECT high FROM low'))).toEqual([]);
    const cascade = sourceOf('src/assets/access/a-sql.ts', "const a = goesWith({ low: 'id', high: 'low_id' });");
    expect(tablesLookedUp([above, cascade])).toHaveLength(1);
  });

  it('has no new INDEXED BY, GLOB and INSERT OR', () => {
    const remedy = 'Remedy: LIKE, ON CONFLICT, or a query whose plan needs no hint; a lower number where one is gone';
    expect(sqliteWords(product), remedy).toEqual(wordsOfSqlite);
    const text = '// GLOB\nconst a = sql`INSERT OR IGNORE INTO b SELECT c FROM d INDEXED BY e`;\n';
    expect(sqliteWords([sourceOf('src/a-sql.ts', text)])).toEqual({ 'src/a-sql.ts': 2 });
  });

  it('names locals after what they hold, and not "found" or "told"', () => {
    const locals = [...product, ...web].flatMap(vagueLocals);
    expect(locals.length, `Remedy: a noun such as user, rows, levels\n${locals.join('\n')}`).toBe(maxVagueLocals);
    const text =
      'const found = 1;\nlet [told, a] = b;\nfor (const { c: known } of d) e(known);\nconst { kept: f } = g;\n';
    expect(vagueLocals(sourceOf('src/a.ts', text))).toEqual(['src/a.ts: found', 'src/a.ts: told', 'src/a.ts: known']);
  });

  it('exports only names that another file imports', () => {
    // Generated types of clients, and a module in a text.
    const named = [...reachedOtherwise, ...clientTypes, 'src/entry/commands/plugin-template.ts'];
    expect(unusedExports(product, [...product, ...web, ...tests], named).toSorted()).toEqual(namedInDeclarations);
    const own = sourceOf('src/core/lib/a.ts', 'export const a = 1;\nexport const b = a;\n');
    const other = sourceOf('src/core/lib/c.ts', "import { b as c } from './a.ts';\n");
    expect(unusedExports([own], [own, other], [])).toEqual(['src/core/lib/a.ts: a']);
  });

  it.each([...rules, ...rulesOfWeb, ...rulesEverywhere].map((rule) => [rule.name, rule] as const))(
    'would notice a break of: %s',
    (_name, rule) => {
      const { path, text } = rule.broken;
      expect(offences(rule, [sourceOf(path, text)])).toEqual([expect.stringContaining(`${path}: `)]);
    },
  );

  it.each([
    ['src/http/a.ts', "import type { B } from '../composition/service.ts';", 'a type counts as much as a value'],
    ['src/core/store/a.ts', "import { b } from '../events/catalogue.ts';", 'neighbours do not know each other'],
    ['src/core/lib/a.ts', "import type { Realm } from '../../spi/index.ts';", 'lib and spi import nothing'],
    ['src/entry/a.ts', "import { serviceRealm } from '../../realms/index.ts';", 'only service.ts puts parts together'],
    ['src/index.ts', "import { startServer } from './entry/serve.ts';", 'the main entry stays free of platforms'],
    ['src/weather/a.ts', "import type { Clock } from '../core/lib/clock.ts';", 'a new room needs a rank'],
    [
      'src/core/store/a.ts',
      "import {\n  a,\n  b,\n} from '../../composition/service.ts';",
      'an import of several lines',
    ],
    ['src/core/lib/a.ts', "const b = await import('../../composition/service.ts');", 'an import at run time'],
  ])('refuses in %s: %s (%s)', (path, text) => {
    expect(offences(rules[0]!, [sourceOf(path, `${text}\n`)])).toHaveLength(1);
  });
});

describe('the whole', () => {
  /** Types count as much as values: two files that describe one thing belong together, or need a third below them. */
  it('has no import cycles', () => {
    expect(cyclesAmong([...product, ...web, ...tests])).toEqual([]);
    const [a, b] = [sourceOf('src/a.ts', "import './b.ts';\n"), sourceOf('src/b.ts', "import './a.ts';\n")];
    expect(cyclesAmong([a, b])).toEqual(['src/a.ts -> src/b.ts -> src/a.ts']);
  });

  it('has wings without circles, so that each has a floor in the picture', () => {
    expect(graphOf(product).wings.length).toBeGreaterThan(10);
    const [a, b] = [sourceOf('src/a/a.ts', "import '../b/b.ts';\n"), sourceOf('src/b/b.ts', "import '../a/a.ts';\n")];
    expect(() => graphOf([a, b])).toThrow('Expected no circle of wings: a -> b -> a');
  });

  /** Reader threads and media processes start often, and each holds its own copy of the modules in memory. */
  it('loads no public.ts into reader threads and media processes', () => {
    const heavy = (sources: readonly Source[], ...entries: readonly string[]) =>
      [...reachedFrom(sources, ...entries)].filter((path) => path.endsWith('/public.ts'));
    const found = heavy(product, 'src/composition/readings.ts', 'src/entry/media/child/media-child.ts');
    expect(found, 'Remedy: export what they load from public-reading.ts of the room').toEqual([]);
    const [a, b] = ["import { c } from '../b/public.ts';\n", "import type { C } from '../b/public.ts';\n"];
    expect(heavy([sourceOf('src/a/a.ts', a)], 'src/a/a.ts')).toEqual(['src/b/public.ts']);
    expect(heavy([sourceOf('src/a/a.ts', b)], 'src/a/a.ts')).toEqual([]);
  });

  it('has no file that nothing imports', () => {
    expect(orphansAmong(product, reachedOtherwise)).toEqual([]);
    const [a, b] = [sourceOf('src/a.ts', "import './b.ts';\n"), sourceOf('src/b.ts', '')];
    expect(orphansAmong([a, b])).toEqual([expect.stringContaining('src/a.ts: no file imports it')]);
  });

  /** Written by `npm run docs`, and read entry by entry: documents of all rooms, routes of extensions. */
  const longTables = new Set([...clientTypes, 'src/composition/extension-routes.ts']);

  it('is made of short files', () => {
    const lengths = product.map((source) => source.lines).sort((a, b) => a - b);
    const at = (part: number) => lengths[Math.floor(lengths.length * part)]!;
    const tooLong = [...product, ...web].filter((source) => source.lines > 400 && !longTables.has(source.path));
    const remedy = 'split it by what it is about';
    expect(tooLong.map((source) => `${source.path}: ${source.lines} lines, 400 at most: ${remedy}`)).toEqual([]);
    expect(at(0.5), 'The median of lines in a file. Remedy: split files that do two things').toBeLessThanOrEqual(120);
    expect(at(0.9), 'Lines in nine of ten files. Remedy: split the longest files').toBeLessThanOrEqual(250);
  });
});

/** Names that other packages build on: an added, removed or changed name is a decision, and shows here. */
describe('the public names', () => {
  it.each([
    [
      'src/index.ts',
      [
        'Database',
        'Platform',
        'RemoteSettings',
        'Service',
        'SettingError',
        'Settings',
        'StoreStartError',
        'createService',
        'openRemoteDatabase',
        'readSettings',
      ],
    ],
    [
      'src/spi/index.ts',
      [
        'Account',
        'ActionAnswer',
        'ActionCall',
        'ActionElement',
        'ActionKind',
        'AudioTrack',
        'AuthenticationListener',
        'BearerCredentials',
        'ByteRange',
        'ChangeListener',
        'ChannelLevels',
        'Component',
        'ComponentKind',
        'ComponentKinds',
        'Components',
        'ConfiguredProber',
        'Credentials',
        'CredentialsMatcher',
        'CutOrder',
        'EmbedOrder',
        'EmbeddedCopy',
        'EndedLogin',
        'EngineAnswer',
        'EngineBatch',
        'EngineCondition',
        'EngineDocument',
        'EngineDocumentValue',
        'EngineEnd',
        'EngineFacet',
        'EngineField',
        'EngineHit',
        'EngineKey',
        'EngineQuery',
        'EngineSort',
        'EngineSpans',
        'EngineState',
        'EngineTest',
        'EngineTexts',
        'EngineToken',
        'EngineType',
        'EngineValue',
        'EngineWords',
        'ExportFolder',
        'FileArchive',
        'Filter',
        'FilterRequest',
        'HashAlgorithm',
        'HashOptions',
        'HashedFile',
        'Host',
        'JoinOrder',
        'JoinPart',
        'KnownCaller',
        'ListenerHost',
        'Listing',
        'LoginAnswer',
        'LoginEvent',
        'LoginHost',
        'LoginOrder',
        'LoginOutcome',
        'LoginReturn',
        'LoginStart',
        'MarkOrder',
        'MeasuredSound',
        'MediaError',
        'MediaErrorKind',
        'MediaHost',
        'MediaSource',
        'MediaTool',
        'NotificationAction',
        'OAuth2Configuration',
        'OAuth2Problem',
        'OAuth2Setup',
        'OtherTrack',
        'OutboundAnswer',
        'OutboundCall',
        'OutboundMethod',
        'OutboundRequest',
        'OutboundStream',
        'OutboundStreamCall',
        'PartSink',
        'PasswordAnswer',
        'PasswordCredentials',
        'PasswordRefusal',
        'PictureArea',
        'PictureColour',
        'PieceOptions',
        'Plugin',
        'ProbeOptions',
        'ProbeResult',
        'ProbedTrack',
        'Prober',
        'Property',
        'PropertyTable',
        'PropertyType',
        'Ratio',
        'ReadOptions',
        'Realm',
        'RealmAnswer',
        'RedirectCredentials',
        'RedirectLogin',
        'Refusal',
        'RestoreTier',
        'RunningHash',
        'ScryptParameters',
        'SearchEngine',
        'SecretText',
        'ServiceUser',
        'ServiceUserInfoProvider',
        'ServiceUsers',
        'SessionCredentials',
        'SoundReader',
        'SoundSink',
        'StageOptions',
        'Staged',
        'Still',
        'StillOrder',
        'StillType',
        'StorageAbilities',
        'StorageAddress',
        'StorageDriver',
        'StorageError',
        'StorageErrorKind',
        'StorageScheme',
        'StorageStatus',
        'StorageUse',
        'StoredFile',
        'TokenAnswer',
        'TokenCredentials',
        'TranscodeAudio',
        'TranscodeOptions',
        'TranscodeOrder',
        'TranscodeScaling',
        'TranscodeVideo',
        'Transcoded',
        'Transcoder',
        'TranscoderAbilities',
        'UserInfo',
        'UserWriter',
        'Verdict',
        'VideoTrack',
      ],
    ],
    [
      'src/kit/index.ts',
      [
        'BrokenBody',
        'ContainerBox',
        'Maybe',
        'PageSite',
        'Range',
        'addressedOrigin',
        'after',
        'boxAt',
        'boxBelow',
        'boxesIn',
        'cookieValues',
        'isSameOrigin',
        'isWithin',
        'pageSite',
        'parseAddress',
        'parseRange',
        'pour',
        'readBase64',
        'sessionCookieName',
        'textToBase64',
        'toBase64',
        'toHex',
        'withinTime',
        'xmpNamespaces',
      ],
    ],
    [
      'src/kit/testing/index.ts',
      [
        'ActionUnderTest',
        'Backend',
        'CheckModuleOptions',
        'CheckResult',
        'DriverUnderTest',
        'ElementExample',
        'FilterCase',
        'FilterRequestOptions',
        'FilterUnderTest',
        'Knows',
        'ListenerUnderTest',
        'ManualClock',
        'MatcherUnderTest',
        'MediaExample',
        'MemoryFolder',
        'MemorySearchEngine',
        'MemoryStorage',
        'PluginExample',
        'PluginExamples',
        'PluginModule',
        'ProberUnderTest',
        'ProviderUnderTest',
        'RealmUnderTest',
        'SchemeUnderTest',
        'SearchEngineUnderTest',
        'TestHost',
        'TestHostOptions',
        'TranscoderUnderTest',
        'checkAction',
        'checkFilter',
        'checkListener',
        'checkMatcher',
        'checkModule',
        'checkPlugin',
        'checkProber',
        'checkRealm',
        'checkSearchEngine',
        'checkStorageDriver',
        'checkStorageScheme',
        'checkTranscoder',
        'checkUserInfoProvider',
        'countMatches',
        'filterRequest',
        'manualClock',
        'memorySearchEngine',
        'memoryStorage',
        'secretText',
        'seededRandom',
        'storageError',
        'testHost',
      ],
    ],
    [
      'src/entry/node.ts',
      ['Running', 'SettingError', 'Settings', 'hostPlatform', 'readSettings', 'serve', 'settingManual', 'startServer'],
    ],
    ['src/entry/deploy.ts', ['serveOnDeploy']],
    ['src/entry/edge.ts', ['EdgeContext', 'EdgeEnvironment', 'EdgeLoan', 'default', 'edgeModule', 'edgeService']],
  ])('of %s', (path, names) => {
    const found = product.find((source) => source.path === path);
    expect(found && exportedNames(found)).toEqual(names);
  });
});
