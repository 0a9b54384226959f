import { existsSync, readdirSync } from 'node:fs';
import { longest } from '../docs/plain-words.ts';
import { longSentences, pronounsFirst } from './sentences.ts';
import { clientTypes, type Import, type Source } from './sources.ts';

/** A rule for one file at a time, with an example that breaks it: a rule that nothing can break checks nothing. */
export interface Rule {
  readonly name: string;
  readonly remedy: string;
  readonly broken: { readonly path: string; readonly text: string };
  /** Violations of the rule in this file. */
  find(source: Source): readonly string[];
}

/**
 * Rooms by rank, by their paths below `src`: each knows itself and the paths of the lines above its own, and no neighbour.
 * The longest path that a file begins with is its room.
 */
const ranks: readonly (readonly string[])[] = [
  ['core/lib', 'spi', 'types.ts'],
  ['kit', 'client'],
  [
    'core/documents',
    'core/store',
    'core/events',
    'core/settings',
    'core/outbound',
    'core/scripts',
    'core/telemetry',
    'security/ini',
  ],
  ['core/work', 'security'],
  ['http'],
  // Lets any room start a job.
  ['room/jobs'],
  ['room'],
  // Shared parts of room entities: metadata, external ids, search patterns.
  ['room/entities'],
  ['administration/audit'],
  ['identity/api-settings'],
  ['identity'],
  ['storage'],
  // Containment of items: tables of items, collections and libraries, and the walks through them.
  ['assets/containment'],
  ['assets/access'],
  ['assets/definitions'],
  // Items and collections as the rooms below them know them: tables, kinds and locks.
  ['assets/items/contract'],
  ['assets/usage'],
  ['assets/metadata'],
  ['assets/shapes'],
  ['assets/items'],
  ['assets/placement'],
  ['assets/search'],
  ['production/checking'],
  ['production/transcoding'],
  ['production/ingest'],
  ['production/exporting'],
  ['production/jobs'],
  ['administration/operations', 'administration/scheduling', 'administration/ui'],
  // Their own rule says who may import them.
  ['extensions'],
  ['administration/notifications', 'administration/quota', 'realms', 'filters', 'plugins'],
  ['composition/rooms.ts'],
  // Modules that reader threads find by name.
  ['composition/readings.ts'],
  // Parts of service.ts that take more than a line.
  ['composition'],
  ['composition/service.ts'],
  // Below the entries, so that what is imported on any runtime cannot reach a platform.
  ['index.ts', 'kit/testing'],
  ['entry'],
];

/** Told of things by the service, and known to nobody else but the commands of the command line. */
const toldOnly = new Set(['administration/notifications', 'administration/quota']);
const shipped = new Set(['realms', 'filters', 'plugins']);

/** Folders that others know by their faces alone: each room, and the processes that open media. */
const faced: readonly string[] = [...ranks.flat(), ...readdirSync('src/extensions').map((name) => `extensions/${name}`)]
  .map((path) => `src/${path}/`)
  .filter((folder) => existsSync(`${folder}room.ts`))
  .concat('src/entry/media/');

/** Rooms of a wing may lie within another room: the longest folder is the one whose faces count. */
const facedFolder = (path: string): string | undefined => closestPrefix(faced, path);

const closestPrefix = (prefixes: readonly string[], path: string): string | undefined =>
  prefixes.filter((prefix) => path.startsWith(prefix)).toSorted((a, b) => b.length - a.length)[0];

/** Files that know rooms from inside: the list of rooms, and what reader threads find by its name. */
const knowInside = new Set(['src/composition/rooms.ts', 'src/composition/readings.ts']);

const isContract = (path: string): boolean => path.startsWith('src/assets/items/contract/');
const isFace = (path: string): boolean => /\/public(?:-reading)?\.ts$/.test(path);

function isTooDeep(path: string, from: string): boolean {
  const folder = facedFolder(from);
  return folder !== undefined && facedFolder(path) !== folder && !isFace(from) && !isContract(from);
}

const ranked = ranks.flat().map((room) => (room.endsWith('.ts') ? room : `${room}/`));
/** The room of a file, or its folder where none is ranked. */
export function roomOf(path: string): string {
  const below = path.replace(/^src\//, '');
  return closestPrefix(ranked, below)?.replace(/\/$/, '') ?? below.split('/')[0]!;
}
export const rankOf = (room: string): number => ranks.findIndex((rank) => rank.includes(room));
const isEntry = (path: string): boolean => path.startsWith('src/entry/');

const holdsSql = (path: string): boolean =>
  path.startsWith('src/core/store/') || /\/(?:store\.ts|tables\.ts|migrations\/[^/]+|[^/]+-sql\.ts)$/.test(path);

/** Parts of what ships that an extension lends to the service, so that it may be left out. */
const lent: Readonly<Record<string, string>> = {
  'src/extensions/logins/room.ts': 'filters/oidc/index.ts',
  'src/extensions/probers/room.ts': 'plugins/probers/index.ts',
};

/** Every package that is used, and where. */
const packages: readonly (readonly [RegExp, where: (path: string) => boolean])[] = [
  [/^(?:node:|libsql(?:\/|$)|@hono\/node-server$)/, isEntry],
  [/^drizzle-orm(?:\/|$)/, holdsSql],
  // The kit has a host that hashes on any runtime; what ships may use libraries as it likes.
  [/^@noble\/hashes\//, (path) => path.startsWith('src/kit/testing/')],
  // Not imported but written: the modules that `plugin new` makes.
  [/^portico\//, (path) => /^src\/entry\/commands\/plugin-templates?\.ts$/.test(path)],
  [/^saxes$/, (path) => path.startsWith('src/core/documents/')],
  [/^re2js$/, (path) => /^src\/core\/documents\/pattern(?:-search)?\.ts$/.test(path)],
  [
    /^(?:quickjs-emscripten-core|@jitl\/quickjs-wasmfile-release-sync)$/,
    (path) => path.startsWith('src/core/scripts/'),
  ],
  [/^hono(?:\/|$)/, (path) => path.startsWith('src/http/') || path.endsWith('/routes.ts')],
];

function directionOf(path: string, { from, internal }: Import): string | undefined {
  const [own, other] = [roomOf(path), roomOf(from)];
  if (!internal || own === other || isExtension(from) || lent[path] === from) return undefined;
  if (rankOf(own) < 0) return `the room "${own}" has no rank`;
  if (rankOf(other) >= rankOf(own) || rankOf(other) < 0) return `imports ${from}`;
  if (own.startsWith('composition')) return undefined;
  const foreign = shipped.has(other) || (toldOnly.has(other) && !path.startsWith('src/entry/commands/'));
  return foreign ? `imports ${from}` : undefined;
}

const told = (found: string | undefined): readonly string[] => (found === undefined ? [] : [found]);
const matches = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern) ?? [])];

const clockOrChance =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.|\bcrypto\.|\bsystem(?:Clock|Random)\b/g;

/** Stores whose SQL depends on the request: conditions of a search, what a viewer may read. */
const composeSql = new Set([
  ...[
    'assets/metadata/computed-sql.ts',
    'production/exporting/lists/store.ts',
    'assets/access/store.ts',
    'assets/access/lists-sql.ts',
  ],
  ...['assets/search/store.ts', 'assets/search/libraries/store.ts', 'assets/search/query/walk-sql.ts'],
  'assets/search/query/counted-sql.ts',
  ...[
    'assets/search/query/quick-sql.ts',
    'assets/search/query/rows-sql.ts',
    'assets/search/query/paged-sql.ts',
    'assets/search/query/total-sql.ts',
  ],
]);

/** A statement made by hand, or one whose text does not say by `writes` which table it changes. */
function handmade(path: string, code: string): readonly string[] {
  const reads = composeSql.has(path.slice('src/'.length)) ? undefined : /\b\w+\??\.(?:read|tally)\b(?:\?\.)?\(/g;
  const changes = /(?:store|-sql)\.ts$/.test(path) ? templatesIn(code) : [];
  return [
    ...matches(code, /\bargs:/g),
    ...matches(changes.join('\n'), /\b(?:INTO|UPDATE|DELETE FROM)\s+(?:"[a-z]\w*"|[a-z]\w*)/g),
    ...(reads ? matches(code, reads) : []),
  ];
}

/** Templates of statements, with those within them. Other texts are no statements: the triggers of a schema. */
const templatesIn = (code: string): readonly string[] =>
  code.split(/\bsql(?:<[^`()]*>)?(?:\.raw\()?`/).flatMap((text, n) => {
    if (n === 0) return [];
    let depth = 0;
    const end = [...text].findIndex((letter, at) => {
      if (letter === '$' && text[at + 1] === '{') depth++;
      else if (letter === '}' && depth > 0) depth--;
      return letter === '`' && depth === 0;
    });
    return [text.slice(0, end < 0 ? undefined : end)];
  });

/** Plain texts of more than a word that a template holds without `sql.raw`. */
function boundConditions(code: string): readonly string[] {
  const texts = [...code.matchAll(/\bconst (\w+)(?:: string)? =\s*(?:'[^'\n]*\s[^'\n]*'|`[^`]*\s[^`]*`);/g)].map(
    ([, name]) => name!,
  );
  const templates = matches(code, /\bsql(?:<[^`()]*>)?`[^`]*`/g);
  return texts.filter((name) => templates.some((template) => template.includes(`\${${name}}`)));
}

const isExtension = (path: string): boolean => path.startsWith('src/extensions/');
const extensionOf = (path: string): string => path.split('/')[2]!;

/** Extensions that another one is built on: without them, it is left out, too. */
const builtOn: Readonly<Record<string, readonly string[]>> = {
  projects: ['sequences'],
  review: ['sequences'],
};

/** `wrap-routes.ts`: takes over requests before their routes, such as those for later. */
const isRoutes = (path: string): boolean => /routes?[^/]*\.ts$|\/routes\//.test(path);

/** Files that may know requests: routes, what calls them, and what makes the caller of a request. */
const knowsRequests = (path: string): boolean =>
  /^src\/(?:http|composition)\//.test(path) || isRoutes(path) || asksAgain.test(path);

/** Guests of a share come by a cookie, and what they ask for becomes a command of the user who shares. */
const asksAgain = /^src\/extensions\/shares\/(?:guest-bytes|guests|maker|upload)\.ts$/;

export const rules: readonly Rule[] = [
  {
    name: 'A room knows only the rooms ranked before it',
    remedy: 'let service.ts hand over what is needed, or move the shared part down to lib (ranks in this file)',
    broken: { path: 'src/http/app.ts', text: "import { findUser } from '../identity/users/store.ts';\n" },
    find: (source) => source.imports.flatMap((imported) => told(directionOf(source.path, imported))),
  },
  {
    name: 'Other rooms import the faces of a room, public.ts and public-reading.ts, and no deeper file',
    remedy: 'import the name from a face of its room, and export it there',
    broken: { path: 'src/production/jobs/a.ts', text: "import { usesOf } from '../../storage/files/store.ts';\n" },
    find: ({ path, imports }) =>
      imports.filter(({ from }) => !knowInside.has(path) && isTooDeep(path, from)).map(({ from }) => `imports ${from}`),
  },
  {
    name: 'The core imports no extension',
    remedy: 'let the extension give what it does in its room.ts, by a hook of src/room/context.ts',
    broken: { path: 'src/composition/service.ts', text: "import { a } from '../extensions/captions/read.ts';\n" },
    find: ({ path, imports }) =>
      isExtension(path) || path === 'src/composition/rooms.ts'
        ? []
        : imports.filter(({ from }) => isExtension(from)).map(({ from }) => `imports ${from}`),
  },
  {
    name: 'An extension imports no other one that may be left out',
    remedy: 'hook in, or build the extension on the other one: `needs` in its room.ts, and a row in this file',
    broken: {
      path: 'src/extensions/captions/read.ts',
      text: "import { a } from '../graphs/graph-routes.ts';\n",
    },
    find: ({ path, imports }) =>
      imports
        .filter(({ from }) => isExtension(path) && isExtension(from))
        .filter(({ from }) => ![extensionOf(path), ...(builtOn[extensionOf(path)] ?? [])].includes(extensionOf(from)))
        .map(({ from }) => `imports ${from}`),
  },
  {
    name: 'Rules, stores and jobs know callers, and no requests',
    remedy: 'take a Caller of src/security/caller.ts, or what the route has read',
    broken: { path: 'src/production/jobs/a.ts', text: "import type { Call } from '../http/call.ts';\n" },
    find({ path, code }) {
      const knows = /\bCall\b[^;]*from '[^']*http\/call\.ts'/.test(code);
      return path.startsWith('src/') && knows && !knowsRequests(path) ? ['imports Call'] : [];
    },
  },
  {
    name: 'Each package is used in one place',
    remedy: 'use what that place offers; a new package gets a row in the table of this file',
    broken: { path: 'src/http/body.ts', text: "import { SaxesParser } from 'saxes';\n" },
    find: ({ path, imports }) =>
      imports
        .filter(({ internal, from }) => !internal && !shipped.has(roomOf(path)) && !allows(path, from))
        .map(({ from }) => `imports ${from}`),
  },
  {
    name: 'The service imports nothing of the web page',
    remedy: 'give the page what it needs by the API',
    broken: { path: 'src/administration/ui/routes.ts', text: "import { en } from '../../../web/src/texts/en.ts';\n" },
    find: ({ imports }) => imports.filter(({ from }) => from.startsWith('web/')).map(({ from }) => `imports ${from}`),
  },
  {
    name: 'Only src/entry names a platform',
    remedy: 'add what is needed to Platform in service.ts and let each entry lend it',
    broken: { path: 'src/core/lib/clock.ts', text: 'export const now = () => process.hrtime.bigint();\n' },
    find: ({ path, bare }) =>
      isEntry(path) ? [] : matches(bare, /\b(?:Deno|Bun|Buffer|__dirname|__filename|require)\b|\bprocess\b(?=\.|\[)/g),
  },
  {
    name: 'Only src/core/store, store.ts and -sql.ts files contain SQL',
    remedy: 'move the query to the store.ts of the room',
    broken: { path: 'src/identity/users/rules.ts', text: "const all = 'SELECT name FROM user';\n" },
    find: ({ path, code }) =>
      // The native binding is spoken to there, in its own words: pragmas and copies, no rows of ours.
      holdsSql(path) || path.startsWith('src/entry/native/')
        ? []
        : matches(code, /\b(?:SELECT|INSERT (?:INTO|OR)|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|PRAGMA|VACUUM)\b/g),
  },
  {
    name: 'Statements of rooms are made by query, statement and guard',
    remedy: 'give them a builder or a template (src/core/store/statement.ts), with the changed table in writes()',
    broken: { path: 'src/production/jobs/store.ts', text: 'const end = { sql: text, args: [] };\n' },
    find: ({ path, code }) => (holdsSql(path) && !path.startsWith('src/core/store/') ? handmade(path, code) : []),
  },
  {
    name: 'Conditions within a template are templates: it binds a plain text as a value',
    remedy: 'make the text a template of its own, or put it in with sql.raw()',
    broken: {
      path: 'src/production/jobs/store.ts',
      text: "const due = 'at IN (1, 2)';\nconst all = sql`SELECT id WHERE ${due}`;\n",
    },
    find: ({ path, code }) => (holdsSql(path) ? boundConditions(code) : []),
  },
  {
    name: 'Nothing uses private fields of drizzle, or decoders that query does not know',
    remedy: 'let the builder of src/core/store/statement.ts record what is needed; convert values behind the query',
    broken: { path: 'src/core/store/statement.ts', text: 'const { decoder } = template as unknown as Decoded;\n' },
    find: ({ path, code }) =>
      holdsSql(path) ? matches(code, /\bas unknown as\b|\['_'\]|\.(?:session|decoder|mapResult)\b|\.mapWith\(/g) : [],
  },
  {
    name: 'What is shipped is written as a third party would: import type from src/spi, src/kit, and libraries',
    remedy: 'take it from the host object; if the contract in src/spi gives too little, extend the contract',
    broken: { path: 'realms/ldap.ts', text: "import { Secret } from '../src/core/lib/secret.ts';\n" },
    find: ({ path, imports }) =>
      imports
        .filter(() => shipped.has(roomOf(path)))
        // Files of one folder help each other, as those of a plugin would.
        .filter(({ from }) => roomOf(from) !== roomOf(path))
        .filter(({ internal, from, typeOnly }) =>
          internal
            ? !(from === 'src/kit/index.ts' || (typeOnly && from === 'src/spi/index.ts'))
            : /^(?:node:|portico)/.test(from),
        )
        .map(({ from }) => `imports ${from}`),
  },
  {
    name: 'A rules.ts reads no clock and draws no randomness',
    remedy: 'let the caller pass the time or the random text as a value',
    broken: { path: 'src/identity/users/rules.ts', text: 'export const now = () => Date.now();\n' },
    find: ({ path, bare }) => (path.endsWith('/rules.ts') ? matches(bare, clockOrChance) : []),
  },
  {
    name: 'The plugin contract is types only',
    remedy: 'export a type or an interface; what runs belongs to the host',
    broken: { path: 'src/spi/index.ts', text: 'export const version = 1;\n' },
    find: ({ path, code }) =>
      path.startsWith('src/spi/') ? matches(code, /^export (?!type\b|interface\b).*|^import (?!type\b).*/gm) : [],
  },
];

function allows(path: string, name: string): boolean {
  return packages.some(([pattern, where]) => pattern.test(name) && where(path));
}

/** Packages of the web page. They are bundled, so an installation of Portico does not get them. */
const webPackages: readonly (readonly [RegExp, where: (path: string) => boolean])[] = [
  [/^(?:preact(?:\/|$)|@preact\/signals$)/, () => true],
  // Loaded where a browser has no HLS: a part of its own.
  [/^hls\.js$/, (path) => path === 'web/src/player/hls.ts'],
  [/^portico\/(?:client\/(?:refusal|tus)|types)$/, () => true],
];

/** Table by which page and service say of what kind a thing is. */
const kindsOfMedia = 'src/core/lib/mime-types.ts';

/** For the sources of the web page. */
export const rulesOfWeb: readonly Rule[] = [
  {
    name: 'The web page imports its own files, documents of the API as types, kinds of media, and packages of a table',
    remedy: 'ask the API for it; a new package gets a row in the table of this file',
    broken: { path: 'web/src/rights.ts', text: "import { may } from '../../src/assets/access/public.ts';\n" },
    find: ({ path, imports }) =>
      imports
        .filter(({ from, internal, typeOnly }) => {
          if (internal) return !from.startsWith('web/src/') && from !== kindsOfMedia;
          const isKnown = webPackages.some(([pattern, where]) => pattern.test(from) && where(path));
          return !isKnown || (from === 'portico/types' && !typeOnly);
        })
        .map(({ from }) => `imports ${from}`),
  },
  {
    name: 'Texts of callers become text nodes: the page writes no markup and no styles as text',
    remedy: 'make elements; set properties of `style`',
    broken: { path: 'web/src/components/a.tsx', text: 'element.innerHTML = title;\n' },
    find: ({ code }) =>
      matches(
        code,
        /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|srcdoc)\b|\beval\(/g,
      ),
  },
];

/** For tests too. The patterns and the examples are written so that this file does not break its own rules. */
export const rulesEverywhere: readonly Rule[] = [
  {
    name: 'Comments, messages and titles of tests name who does what',
    remedy: 'put the noun of the code in its place: the caller, the receiver, the operator',
    broken: { path: 'test/core/lib/log.test.ts', text: `it('tells who${'ever'} asks', () => {});\n` },
    // A released migration never changes, because databases know its hash. The judge of pages lists the words.
    find: ({ path, text }) =>
      /\/migrations\/|^test\/docs\/plain-words/.test(path) ? [] : matches(text, /\bwho(?:m|so)?ever\b/gi),
  },
  {
    name: `Sentences of comments and titles of tests have at most ${longest} words`,
    remedy: 'say one thought, then the next',
    broken: { path: 'src/core/lib/log.ts', text: `/** ${'word '.repeat(longest + 1)}. */\n` },
    find: ({ path, text }) => (path.includes('/migrations/') ? [] : longSentences(path, text)),
  },
  {
    name: 'A comment begins with a noun, a verb or a condition',
    remedy: 'name what it is about: "Frames of a sheet", not "What a sheet is made from"',
    broken: { path: 'src/core/lib/log.ts', text: `/** ${'What'} is logged. */\n` },
    // Sentences of documents and routes.
    find: ({ path, text }) => (clientTypes.has(path) ? [] : pronounsFirst(text)),
  },
  {
    name: 'A limit is called max, and a default is called default',
    remedy: 'maxThings and defaultThing, in place of mostThings, deepest, longestThing and usualThing',
    broken: { path: 'src/core/lib/log.ts', text: `const most${'Lines'} = 3;\n` },
    // Plugins know `mostBytes`.
    find: ({ bare }) =>
      matches(
        bare,
        /\b(?:const|let|function|class|interface|type) (?:most(?!Bytes\b|FrequentFirst\b)[A-Z]|deepest|usual(?!ly)|longest[A-Z])\w*/g,
      ),
  },
  {
    name: 'Nothing is left for later',
    remedy: 'do it now, or write down elsewhere what is missing',
    broken: { path: 'src/core/lib/log.ts', text: `// ${'TO'}DO: colours\n` },
    find: ({ text }) => matches(text, /\b(?:TO[D]O|FIX[M]E)\b/g),
  },
  {
    name: 'Every test runs',
    remedy: 'mend the test or delete it; what a machine cannot run says so with skipIf',
    broken: { path: 'test/core/lib/log.test.ts', text: `it${'.only'}('logs', () => {});\n` },
    find: ({ code }) => matches(code, /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo|fails)\b(?=\(|\.)/g),
  },
];
