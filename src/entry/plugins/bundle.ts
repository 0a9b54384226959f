import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rooms } from '../../composition/rooms.ts';
import { fromBase64 } from '../../core/lib/bytes.ts';
import { sentenceOf } from '../../core/lib/messages.ts';
import { hashOf } from '../../core/store/migrations.ts';
import { mergeExtensions, mergeMigrations } from '../../room/merge-rooms.ts';
import { packedFiles, pageModule } from '../page.ts';
import { type AssetList, assetName, type PackedFiles } from '../page-forms.ts';
import { modulePath } from '../program-path.ts';
import { loadEsbuild, messagesOf } from './esbuild.ts';
import { edgeConditions } from './package-entry.ts';
import type { GatheredSecurity } from './read-input.ts';
import { packageUnit, type Unit } from './units.ts';

/** Modules that workerd has not, or whose calls all throw there. */
const lacking = new Set(
  [
    ...['child_process', 'cluster', 'dgram', 'fs', 'fs/promises', 'inspector', 'repl', 'sqlite'],
    ...['test', 'trace_events', 'v8', 'vm', 'wasi', 'worker_threads'],
  ].flatMap((name) => [name, `node:${name}`]),
);

/** `fetch` of workerd knows "follow" and "manual", and throws for "error". */
const redirectError = /\bredirect\s*:\s*(['"`])error\1/;

type BundledInputs = Readonly<
  Record<string, { readonly imports?: readonly { readonly path: string; readonly external?: boolean }[] }>
>;

/** Sentences on what plugins use and an edge lacks, each with its file. */
async function lackedByEdge(inputs: BundledInputs, edge: string): Promise<readonly string[]> {
  const own = ['src', 'realms', 'filters', 'plugins'].map((name) => resolve(dirname(edge), '../..', name) + sep);
  const lacks: string[] = [];
  for (const [path, { imports = [] }] of Object.entries(inputs)) {
    const whole = resolve(path);
    if (own.some((folder) => whole.startsWith(folder))) continue;
    for (const { path: name, external } of imports)
      if (external && lacking.has(name)) lacks.push(`${path}: Expected a module that workerd has: "${name}"`);
    if (/\bnode_modules\b/.test(path) || !/\.[cm]?[jt]s$/.test(path)) continue;
    const lines = (await readFile(whole, 'utf8')).split('\n');
    const at = lines.findIndex((line) => redirectError.test(line));
    if (at >= 0) lacks.push(`${path}:${at + 1}: Expected redirect: 'manual', because workerd has no "error"`);
  }
  return lacks;
}

type Loaded = { readonly contents: string; readonly loader: 'js' } | undefined;

interface Setup {
  onLoad(
    options: { readonly filter: RegExp },
    load: (file: { readonly path: string }) => Loaded | Promise<Loaded>,
  ): void;
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/** Plugin of esbuild that puts a room without content in the place of each of these extensions. */
function leaveOut(extensions: readonly string[]) {
  const contents = new Map(
    extensions.map((name) => [
      fileURLToPath(modulePath(`extensions/${name}/room`)),
      `export const ${camelCase(name)} = ${JSON.stringify({ name, isLeftOut: true })};\n`,
    ]),
  );
  return {
    name: 'leave-out',
    setup: ({ onLoad }: Setup) =>
      onLoad({ filter: /[\\/]room\.[jt]s$/ }, ({ path }) => {
        const room = contents.get(path);
        return room === undefined ? undefined : { contents: room, loader: 'js' };
      }),
  };
}

/** Files of the web page that only one extension needs, by the beginnings of their names. */
const filesOfExtensions: ReadonlyMap<string, string> = new Map([['streaming', 'hls-']]);

/** The page without the files that only these extensions need. */
async function pageWithout(extensions: readonly string[]): Promise<PackedFiles> {
  const beginnings = extensions.flatMap((name) => filesOfExtensions.get(name) ?? []);
  const files = Object.entries(await packedFiles(await pageModule()));
  return Object.fromEntries(files.filter(([name]) => !beginnings.some((each) => name.startsWith(each))));
}

/** Plugin of esbuild for the module of the page, which is text that is read with the first request for it. */
const pageFrom = (files: PackedFiles) => ({
  name: 'page',
  setup: ({ onLoad }: Setup) =>
    onLoad({ filter: /[\\/]page-files\.js$/ }, () => ({
      contents: `export const files = ${JSON.stringify(files, null, 1)};\n`,
      loader: 'js',
    })),
});

/** Types, versions and sizes for a module with its page beside it. */
const listOf = (files: PackedFiles): AssetList =>
  Object.fromEntries(
    Object.entries(files).map(([name, { type, etag, br }]) => [name, { type, etag, size: fromBase64(br).length }]),
  );

export type EdgeRuntime = 'worker' | 'deno';

/** Place of the web page: in the module, or in files that the binding ASSETS answers with. */
export type PagePlace = 'inside' | 'beside' | 'none';

interface Bundle {
  readonly contents: Uint8Array;
  /** Paths of the bundled files. */
  readonly inputs: readonly string[];
  /** Modules that the runtime must provide. */
  readonly imports: readonly string[];
  /** Files that the module asks the binding ASSETS for, by their names there. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/** A failed bundle, with one sentence for each reason. */
export class BundleError extends Error {}

interface BundleOptions {
  readonly minify?: boolean;
  readonly without?: readonly string[];
  /** Place of the web page, which is served only if security.ini has a line for it. */
  readonly page?: PagePlace;
  readonly runtime?: EdgeRuntime;
  /** Name of the file with the engine of scripts, which a Worker has beside the module. */
  readonly engine?: string;
}

/** Compiled by Workers when they are deployed, and by Deno at the first script. */
export const engineFile = (): string =>
  createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');

/** How a module begins to serve. */
interface Start {
  readonly entry: string;
  readonly imports: readonly string[];
  /** Name that the entry exports, and what stands before its call. */
  readonly name: string;
  readonly before: string;
  /** Function that brings the engine of scripts. Undefined: they are left out. */
  readonly engine: string | undefined;
}

const starts: Readonly<Record<EdgeRuntime, (engine: string) => Start>> = {
  worker: (engine) => ({
    entry: fileURLToPath(modulePath('entry/edge')),
    imports: [],
    name: 'edgeModule',
    before: 'export default ',
    engine: `async () => (await import(${JSON.stringify(`./${engine}`)})).default`,
  }),
  deno: () => ({
    entry: fileURLToPath(modulePath('entry/deploy')),
    imports: [`import engine from ${JSON.stringify(engineFile())};`],
    name: 'serveOnDeploy',
    before: '',
    engine: '() => WebAssembly.compile(engine)',
  }),
};

const withoutEngine = (start: Start): Start => ({ ...start, imports: [], engine: undefined });

/** Bundles the service, the plugins and security.ini into one module for Workers-type runtimes, or for Deno Deploy. */
export async function bundleSecurity(
  gathered: GatheredSecurity,
  { minify = false, without = [], page = 'beside', runtime = 'worker', engine = 'portico.wasm' }: BundleOptions = {},
): Promise<Bundle> {
  const start = without.includes('scripts') ? withoutEngine(starts[runtime](engine)) : starts[runtime](engine);
  const edge = start.entry;
  const files = page === 'none' ? {} : await pageWithout(without);
  const program = await programFor(gathered, start, await pageLine(page, files));
  try {
    const { outputFiles, metafile } = await loadEsbuild().build({
      stdin: { contents: program, resolveDir: dirname(edge), sourcefile: 'security.js', loader: 'js' },
      bundle: true,
      minify,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      mainFields: ['module', 'main'],
      conditions: ['workerd', 'worker', 'browser'],
      external: ['node:*', `./${engine}`],
      define: { 'globalThis.isEdgeModule': 'true' },
      loader: { '.wasm': 'binary' },
      plugins: [leaveOut(without), pageFrom(files)],
      // Ignores a tsconfig.json above the plugin: its options must not change the plugin.
      tsconfigRaw: '{}',
      outfile: 'bundle.mjs',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const lacks = runtime === 'worker' ? await lackedByEdge(metafile.inputs, edge) : [];
    if (lacks.length > 0) throw new BundleError(lacks.join('\n'));
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
    const besides = page === 'beside' ? Object.values(files) : [];
    return {
      contents: outputFiles[0]!.contents,
      inputs: Object.keys(metafile.inputs),
      imports: [...new Set(imports)],
      assets: new Map(besides.map(({ etag, br }) => [assetName(etag), fromBase64(br)])),
    };
  } catch (error) {
    throw error instanceof BundleError ? error : new BundleError(reasonsOf(error));
  }
}

/** The line of the program that lends the page. */
async function pageLine(page: PagePlace, files: PackedFiles): Promise<string> {
  if (page === 'none') return '';
  if (page === 'beside') return `  assets: ${JSON.stringify(listOf(files))},`;
  const path = fileURLToPath((await pageModule()).replace(/\?.*/, ''));
  return `  page: async () => (await import(${JSON.stringify(path)})).files,`;
}

async function programFor(
  { input, plugins, references }: GatheredSecurity,
  start: Start,
  page: string,
): Promise<string> {
  const names = new Map<string, string>();
  const nameOf = async (unit: Unit): Promise<string> => {
    const entry = await edgeEntryOf(unit);
    const name = names.get(entry) ?? `plugin${names.size}`;
    names.set(entry, name);
    return name;
  };
  const listed: string[] = [];
  for (const { unit } of plugins) listed.push(await nameOf(unit));
  const loaded: string[] = [];
  for (const { reference, unit } of references) {
    const component = reference.component === undefined ? '' : `, component: ${JSON.stringify(reference.component)}`;
    loaded.push(`{ text: ${JSON.stringify(reference.text)}, plugin: ${await nameOf(unit)}${component} }`);
  }
  const imports = [...names].map(([entry, name]) => `import ${name} from ${JSON.stringify(entry)};`);
  return [
    `import { ${start.name} } from ${JSON.stringify(start.entry)};`,
    ...start.imports,
    ...imports,
    `${start.before}${start.name}({`,
    `  text: ${JSON.stringify(input.text)},`,
    "  file: 'security.ini',",
    `  plugins: [${listed.join(', ')}],`,
    `  direct: { loaded: [${loaded.join(', ')}] },`,
    '}, {',
    `  hashes: ${JSON.stringify(await schemaHashes())},`,
    page,
    start.engine === undefined ? '' : `  scriptEngine: ${start.engine},`,
    '});',
  ].join('\n');
}

/** Hashes of all migrations. The module compares them with those of the database, and has no statements to hash. */
async function schemaHashes(): Promise<Readonly<Record<string, string>>> {
  const migrations = [...mergeMigrations(rooms), ...mergeExtensions(rooms).flatMap((chain) => chain.migrations)];
  const hashes = await Promise.all(migrations.map(async (each) => [each.name, await hashOf(each)] as const));
  return Object.fromEntries(hashes);
}

/** A package may have a module of its own for such a runtime. */
async function edgeEntryOf({ entry, folder, file, subpath }: Unit): Promise<string> {
  if (folder === undefined) return entry;
  return (await packageUnit(folder, file, subpath, edgeConditions))?.entry ?? entry;
}

function reasonsOf(error: unknown): string {
  const messages = messagesOf(error);
  if (messages.length === 0) return sentenceOf(error);
  return messages
    .map(({ text, location }) =>
      location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text,
    )
    .join('\n');
}
