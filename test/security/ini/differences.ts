/** Intended difference from the original in reading the file, with the vectors that differ. */
interface Difference {
  readonly id: string;
  readonly original: string;
  readonly portico: string;
  readonly why: string;
  /** Cases of the original's own tests that come out differently: `suite/name@version`. */
  readonly vectors?: readonly string[];
}

const of = (suite: string, ...names: readonly string[]): string[] => names.map((name) => `${suite}/${name}@main`);

const silentLoss = 'A line without effect shows only in production, when its author needs it.';
const stateless = 'A stateless service has no sessions, cookies, caches of logins and login pages.';

export const differences: readonly Difference[] = [
  {
    id: 'byte-order-mark',
    original: 'A byte-order mark is part of the first line, which then is no header: the file does not load.',
    portico: 'It is skipped.',
    why: 'Editors write it, and nobody sees it.',
  },
  {
    id: 'open-continuation',
    original: 'A backslash at the end of the last line of a section or file loses the whole statement.',
    portico: 'An error.',
    why: silentLoss,
  },
  {
    id: 'repeated-section',
    original: 'A second section of the same name replaces the first.',
    portico: 'An error. A second one without statements is nothing, as in the original.',
    why: 'A few lines at the end of a file would take away the service realm and every rule before them.',
  },
  {
    id: 'section-header',
    original: '`[main] # note` is the key `[main]` of the section before it, and so is `[main`.',
    portico: 'An error.',
    why: silentLoss,
  },
  {
    id: 'unknown-section',
    original: 'A section of another name, `[Urls]` among them, is kept and not read.',
    portico: 'An error.',
    why: silentLoss,
  },
  {
    id: 'before-section',
    original:
      'What stands before the first header is read as [main] where there is no [main], and otherwise not at all.',
    portico: 'The same, with a warning; an error where it would not be read.',
    why: silentLoss,
  },
  {
    id: 'repeated-key',
    original: 'The last value counts, at the place of the first, in every section.',
    portico:
      'The same for a property in [main], with a warning; an error for a second class of one object, a user, a role and a pattern.',
    why: 'A second line about who may do what is a mistake or an attack.',
  },
  {
    id: 'class-in-key',
    original: 'Any key that contains `.class` makes the object anew: `x.className = v` fails on the class v.',
    portico: 'Only `x.class = v` does; `x.className` is a property.',
    why: 'It is what the line says.',
  },
  {
    id: 'object-names',
    original: 'An object can be called anything without a dot.',
    portico: 'No blanks, commas, quotes, brackets and dollar signs.',
    why: 'No chain and no reference could name it.',
  },
  {
    id: 'conversion',
    original: 'A boolean that cannot be read is false, a number 0; null makes them false and 0, too.',
    portico: 'An error.',
    why: '`enabled = ture` would switch a filter off.',
  },
  {
    id: 'unknown-property',
    original: 'Unknown properties set to `null` or `""` are ignored, and so are those that cannot be set.',
    portico: 'An error, with the nearest name.',
    why: silentLoss,
  },
  {
    id: 'everywhere',
    original: '`shiro.property = value` that no object has is ignored.',
    portico: 'An error.',
    why: silentLoss,
  },
  {
    id: 'open-quotes',
    original: 'A quote that is not closed runs to the end.',
    portico: 'An error, in lists, maps, users, roles and brackets.',
    why: 'One forgotten quote makes one element of all that follow.',
  },
  {
    id: 'reference-to-text',
    original: 'A reference in a text property becomes the text form of the object.',
    portico: 'An error.',
    why: 'Nobody means the text form; a dollar sign in front is written `\\$`.',
  },
  {
    id: 'no-sets',
    original: 'A property that is a set drops repeated elements.',
    portico: 'There are lists only.',
    why: 'The plugin contract has lists; a component drops what it does not want twice.',
    vectors: of('ReflectionBuilderTest', 'testSetProperty', 'testSetPropertyWithReferencedSet'),
  },
  {
    id: 'collections-by-reference',
    original: 'A list or map can be an object that others refer to.',
    portico: 'Lists and maps are written where they belong.',
    why: 'The plugin contract has no such objects.',
    vectors: of(
      'ReflectionBuilderTest',
      'testListPropertyWithReferencedList',
      'testCollectionPropertyWithReferencedCollection',
      'testMapPropertyWithReferencedMap',
    ),
  },
  {
    id: 'maps-hold-texts',
    original: 'Keys and values of a map can be references, and slots of arrays can be set one by one.',
    portico: 'Maps hold texts; a list is written whole.',
    why: 'The plugin contract says so.',
    vectors: of(
      'ReflectionBuilderTest',
      'testMapEntryAssignment',
      'testArrayEntryAssignment',
      'testNestedPathAssignment',
      'testMapProperty',
    ),
  },
  {
    id: 'map-pairs',
    original: 'Of two pairs with one key in a map the later counts.',
    portico: 'An error.',
    why: 'One of them is a mistake.',
  },
  {
    id: 'no-bytes',
    original: 'A property of bytes reads `0x…` as hexadecimal and anything else as Base64.',
    portico: 'Such a property is a text or a secret, which the component decodes.',
    why: 'The component knows what it needs, and refuses what it cannot read.',
    vectors: of('ReflectionBuilderTest', 'testByteArrayHexProperty', 'testByteArrayBase64Property'),
  },
  {
    id: 'no-factories',
    original: 'An object that is a factory is replaced by what it makes; objects are told of the making of others.',
    portico: 'There are neither factories nor such events.',
    why: 'A component makes its object in one call, when all of its properties are known.',
    vectors: of(
      'ReflectionBuilderTest',
      'testFactoryInstantiation',
      'testBeanListeners listenerOne',
      'testBeanListeners listenerTwo',
    ),
  },
  {
    id: 'no-interpolation',
    original: 'With another library at hand, a name in braces after a dollar sign is replaced from the environment.',
    portico: 'As a whole value it is a reference that nothing answers to; within a text it is text.',
    why: 'What a file says must not depend on where it is read.',
    vectors: of('ReflectionBuilderTest', 'testSimpleInterpolation', 'testInterpolationForMapKeysAndLists'),
  },
  {
    id: 'reference-circle',
    original: 'Objects can refer to each other in a circle.',
    portico: 'An error.',
    why: 'Each object is made once, with all that it needs.',
  },
  {
    id: 'stateless',
    original: 'Sessions, cookies, remember-me, caches, event buses and form login are configured here.',
    portico: 'Statements about them are left aside with a warning; `authc` and `noAccess` in a chain are errors.',
    why: stateless,
    vectors: [
      ...of('IniSecurityManagerFactoryTest', 'testGetInstanceWithSimpleIni', 'testCacheManagerConfigOrderOfOperations'),
      ...of('IniWebEnvironmentTest', 'testObjectsAfterSecurityManagerCreation'),
      ...of('WebIniSecurityManagerFactoryTest', 'testDefaultFiltersPresent'),
      ...of('DefaultFilterChainManagerTest', 'testNewInstanceDefaultFilters'),
    ],
  },
  {
    id: 'classes',
    original: 'Any class of the class path: PropertiesRealm, permission resolvers, classes of one’s own.',
    portico: 'What ships and what plugins bring; anything else is an error that names what is near.',
    why: 'There is no class path. Permissions have one form.',
    vectors: of(
      'IniSecurityManagerFactoryTest',
      'testGetInstanceWithConfiguredRealm',
      'testImplicitIniRealmWithConfiguredPermissionResolver',
    ),
  },
  {
    id: 'one-file',
    original: 'Files and sections can be merged, copied and laid over a framework’s own; parts can be asked for apart.',
    portico: 'One file is the whole configuration.',
    why: 'A reader of the file knows what applies.',
    vectors: [
      ...of(
        'IniTest',
        'testPutAll#1',
        'testPutAll#2 replaces a whole section',
        'testMerge#1',
        'testMerge#2 merges the keys of a section',
        'testCreateWithDefaults',
      ),
      ...of('IniWebEnvironmentTest', 'testFrameworkConfigAdded'),
      ...of(
        'IniFilterChainResolverFactoryTest',
        'testConfigureInvalidRequestFilter (factory alone: [main] is not its business)',
        'testGetFilters nothing',
        'testGetFiltersWithoutSectionWithDefaults',
        'testGetFiltersWithSectionWithoutDefaults',
        'testGetFiltersWithSectionAndDefaults',
      ),
    ],
  },
  {
    id: 'no-nulls',
    original: 'Its methods can be called with null, and with names of chains that do not exist.',
    portico: 'There is always a text, and nobody asks for a chain by name.',
    why: 'Types say so.',
    vectors: [
      ...of('StringUtilsTest', 'splitWithNullInput'),
      ...of(
        'DefaultFilterChainManagerTest',
        'testCreateChain#null name',
        'testCreateChain#null definition',
        'testAddToChain#null filter',
        'testAddToChain#null chain',
        'testProxyNoChain',
      ),
      ...of('IniRealmTest', 'testInitWithoutIniResource'),
      ...of('IniShiroFilterTest', 'testResourceConfigWithoutResource'),
    ],
  },
  {
    id: 'empty-passwords',
    original: 'A user with an empty password can log in with an empty password; empty roles are roles.',
    portico: 'An error.',
    why: 'Neither is meant by anybody.',
  },
  {
    id: 'unused-users',
    original: '[users] without $iniRealm in a list of realms are ignored.',
    portico: 'The same, with a warning.',
    why: 'Nobody gets in by it, and the file says otherwise.',
  },
  {
    id: 'brackets',
    original:
      'Of `name[config` the last character is cut, whatever it is; what stands in the brackets is read on each request.',
    portico: 'Brackets must be closed, with nothing after them, and the filter reads them at start-up.',
    why: '`roles[reader` would ask for the role `reade`.',
    vectors: of('DefaultFilterChainManagerTest', 'testCreateChain#unclosed bracket', 'testWithGlobalFilters#chain'),
  },
  {
    id: 'filter-twice',
    original: 'The same filter twice in a chain uses the last brackets both times.',
    portico: 'Each uses its own.',
    why: '`roles[a], roles[b]` asks for both.',
  },
  {
    id: 'no-implied-chain',
    original: 'A path that no line matches meets an implied chain: open up to 2.x, a login page since 3.0.',
    portico: 'It is refused, and a file without a line for /** is told so.',
    why: 'Closed, never open.',
    vectors: of('DefaultFilterChainManagerTest', 'testWithGlobalFilters#default chain', 'addDefaultChainWithSameName'),
  },
  {
    id: 'patterns',
    original: 'A pattern without a slash in front matches nothing; later lines for the same paths are dead.',
    portico: 'The first is an error; the second is a warning, and an error for the same pattern in another spelling.',
    why: silentLoss,
  },
  {
    id: 'mandatory',
    original: 'Nothing has to be there.',
    portico: 'The service realm among the realms and the token filter in [main], or it does not start.',
    why: 'Internal requests need them.',
  },
];
