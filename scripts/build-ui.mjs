import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

/**
 * The web page as a module of text, `page-files.js`, with each file in Brotli. It needs no file system at run time.
 * `npm run build` writes it into `dist`, and a checkout into `node_modules`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'web');
const base = '/ui/';

const options = {
  absWorkingDir: root,
  bundle: true,
  conditions: ['portico-source'],
  write: false,
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
  charset: 'utf8',
  target: 'es2022',
  publicPath: base,
  loader: { '.svg': 'file' },
};

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

/** Styles that are loaded late, of the page and of that for guests. Those of the library, which is seen first, are with those of the shell. */
const lateStyles = { both: /^(?:player|comments)[\\/].*\.css$/, pages: /^pages[\\/](?!library[\\/]).*\.css$/ };

/** Modules that are loaded late. Each imports the start of its page, so that all code of the first view is one file. */
const late =
  /^(?:guest\/(?:item|uploads)|pages\/(?:(?:user|operator)-pages|when-asked|item\/(?:page|more-tabs)|library\/later))\.tsx?$/;

/** Late modules that bring the texts which they alone need. */
const lateTexts = [
  ...['pages/item/page.tsx', 'pages/item/more-tabs.tsx', 'pages/user-pages.ts', 'pages/operator-pages.ts'],
  ...['pages/when-asked.ts', 'guest/item.tsx', 'guest/uploads.tsx'],
];

/** The page, and that of guests. Code that both need is in files of its own. */
const pages = [
  { file: 'index.html', html: 'index.html', folder: '', styles: [lateStyles.both, lateStyles.pages] },
  { file: 'guest.html', html: 'src/guest/guest.html', folder: 'guest/', styles: [lateStyles.both] },
];

const optionsOfPages = {
  ...options,
  entryPoints: pages.map(({ folder }) => `web/src/${folder}main.ts`),
  outdir: 'web/out',
  splitting: true,
  format: 'esm',
  // Calls of `createElement` are shorter than those of the automatic runtime.
  tsconfigRaw: { compilerOptions: { jsx: 'react', jsxFactory: 'createElement', jsxFragmentFactory: 'Fragment' } },
  inject: ['node_modules/preact/dist/preact.mjs'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  metafile: true,
};

/** Files of both pages by their names: `[name, bytes]`. */
async function filesOfPage() {
  const files = new Map();
  const icon = readFileSync(join(web, 'src/style/icon.svg'));
  const iconName = `icon-${hashOf(icon)}.svg`;
  files.set(iconName, icon);
  const hls = separate('hls.ts', await addModule(files, 'player/hls.ts'));
  const { metafile: imported } = await build({ ...optionsOfPages, minify: false, plugins: [hls] });
  const keys = keysByModule(imported.inputs);
  const { outputFiles, metafile } = await build({ ...optionsOfPages, plugins: [stylesOfLate, withTexts(keys), hls] });
  const styles = pages.map(({ folder }) => basename(outputOf(metafile, `${folder}main.ts`)[1].cssBundle));
  for (const { path, contents } of outputFiles) {
    const name = basename(path);
    // Each late module has a style sheet too, which is not used.
    if (!name.endsWith('.css') || styles.includes(name)) files.set(name, Buffer.from(contents));
  }
  for (const page of pages) await addPage(files, metafile, keys, base + iconName, page);
  return files;
}

const outputOf = ({ outputs }, name) =>
  Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === `web/src/${name}`);

/** Adds the document of a page, with the addresses of all that its first view needs. */
async function addPage(files, metafile, keys, icon, { file, html, folder, styles }) {
  const { outputs } = metafile;
  const [entry, { cssBundle }] = outputOf(metafile, `${folder}main.ts`);
  const start = Object.keys(outputs).find((path) => Object.hasOwn(outputs[path].inputs, `web/src/${folder}start.tsx`));
  // Everything of the first view is shared with what is loaded late, so the entry itself only imports it.
  files.delete(basename(entry));
  const parts = new Set([start]);
  for (const part of parts) {
    for (const { path, kind } of outputs[part].imports) if (kind === 'import-statement') parts.add(path);
  }
  const [script, ...others] = [...parts].map((path) => base + basename(path));
  const preloads = others.map((each) => `<link rel="modulepreload" href="${each}">`);
  const text = readFileSync(join(web, html), 'utf8')
    .replace('{{texts}}', addTexts(files, keys, folder))
    .replace('{{styles}}', (await Promise.all(styles.map((each) => addStyles(files, each)))).join(' '))
    .replace('{{icon}}', icon)
    .replace('{{style}}', base + basename(cssBundle))
    .replace('{{script}}', script)
    .replace('{{shared}}', preloads.join('\n    '));
  files.set(file, Buffer.from(text));
}

/** Adds a module that both pages load on demand. Returns its address. */
async function addModule(files, name) {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [`web/src/${name}`],
    outdir: 'web/out',
    format: 'esm',
    entryNames: '[name]-[hash]',
    plugins: [smallPlayer],
  });
  const [{ path, contents }] = outputFiles;
  files.set(basename(path), Buffer.from(contents));
  return base + basename(path);
}

/** Leaves a module to its own file. */
const separate = (name, address) => ({
  name: 'separate',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path }) =>
      basename(path) === name ? { path: address, external: true } : undefined,
    );
  },
});

const src = join(web, 'src');

/** Styles of pages and of the player come with them: a module waits until the style sheets of all of them are there. */
const stylesOfLate = {
  name: 'late-styles',
  setup({ onResolve }) {
    onResolve({ filter: /\.css$/ }, ({ path, importer }) =>
      Object.values(lateStyles).some((each) => each.test(relative(src, join(dirname(importer), path))))
        ? { path: join(src, 'style/late-style.ts') }
        : undefined,
    );
  },
};

/** Adds a style sheet that pages load late. Returns its address, which they hold. */
async function addStyles(files, pattern) {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => pattern.test(name));
  const imports = names.toSorted().map((name) => `@import ${JSON.stringify(`./${name}`)};`);
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: imports.join(''), resolveDir: src, loader: 'css' },
    outdir: 'web/out',
    entryNames: 'late-[hash]',
  });
  const [{ path, contents }] = outputFiles;
  files.set(basename(path), Buffer.from(contents));
  return base + basename(path);
}

/** Parts of hls.js for streams that the service does not make, or that the page does not ask for. */
const unusedControllers =
  /^ {2}((?:subtitleStream|subtitleTrack|timeline|eme|cmcd|contentSteering|iframe|interstitials)Controller): \w+ ?(?=,?$)/gm;
const unusedDemuxers = /demux: (?:TS|AAC|MP3|AC3)Demuxer,\s+remux: MP4Remuxer/g;

/** Leaves out a quarter of hls.js. Streams of the service are fragmented MP4 without encryption. */
const smallPlayer = {
  name: 'small-player',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]hls\.js[\\/]dist[\\/]hls\.mjs$/ }, ({ path }) => {
      let text = readFileSync(path, 'utf8');
      const leave = (pattern, count, contents) => {
        const { length } = text.match(pattern) ?? [];
        if (length !== count) throw new Error(`Expected ${count} parts of hls.js to leave out: found ${length ?? 0}`);
        text = text.replaceAll(pattern, contents);
      };
      leave(unusedControllers, 8, '  $1: undefined');
      leave(unusedDemuxers, 4, 'demux: MP4Demuxer, remux: PassThroughRemuxer');
      return { contents: text, loader: 'js' };
    });
  },
};

const texts = join(src, 'texts');
/** Texts of a language by their keys. */
const textsIn = (language) =>
  Object.assign(
    {},
    ...readdirSync(join(texts, language)).map((name) => JSON.parse(readFileSync(join(texts, language, name), 'utf8'))),
  );

const isOfGuests = (name) => name.startsWith('guest/');

/** Keys by the module that brings their texts: one that is loaded late, the start of a page, or `en.ts` for both pages. */
function keysByModule(inputs) {
  const textOf = (entry) => {
    const reached = new Set([`web/src/${entry}`]);
    for (const path of reached) {
      for (const { path: other } of inputs[path].imports) {
        if (inputs[other] && !lateTexts.some((each) => other === `web/src/${each}`)) reached.add(other);
      }
    }
    const sources = [...reached].filter((path) => /^web\/src\/(?!texts).*\.tsx?$/.test(path));
    return sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  };
  const [member, guest, ...late] = ['main.ts', 'guest/main.ts', ...lateTexts].map(textOf);
  const keys = new Map(['texts/en.ts', 'guest/start.tsx', 'start.tsx', ...lateTexts].map((name) => [name, []]));
  for (const key of Object.keys(textsIn('en'))) {
    // Keys may be put together, such as `job.state.${state}`.
    const begin = `${key.slice(0, key.lastIndexOf('.'))}.\${`;
    const has = (text) => [`'${key}'`, `"${key}"`, `\`${begin}`].some((word) => text.includes(word));
    const parts = lateTexts.filter((_, at) => has(late[at]));
    const users = [...parts, ...(has(member) ? ['start.tsx'] : []), ...(has(guest) ? ['guest/start.tsx'] : [])];
    const ofGuests = users.filter(isOfGuests);
    const isCommon = ofGuests.length > 0 && ofGuests.length < users.length;
    const start = ofGuests.length > 0 ? 'guest/start.tsx' : 'start.tsx';
    keys.get(isCommon ? 'texts/en.ts' : users.length === 1 ? users[0] : start).push(key);
  }
  return keys;
}

/** Keys of a page, in the order of their texts in another language. */
const keysOfPage = (keys, folder) =>
  [...keys].flatMap(([name, each]) => (name === 'texts/en.ts' || (folder === '') !== isOfGuests(name) ? each : []));

/** Adds to modules what they need before their own code: the start of their page, and texts. English is in the code. */
const withTexts = (keys) => ({
  name: 'texts',
  setup({ onLoad, onResolve }) {
    const english = textsIn('en');
    const textsOf = (name) => JSON.stringify(Object.fromEntries(keys.get(name).map((key) => [key, english[key]])));
    onResolve({ filter: /^texts:/ }, ({ path }) => ({ path: path.slice('texts:'.length), namespace: 'texts' }));
    onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => {
      const at = keysOfPage(keys, isOfGuests(path) ? 'guest/' : '').indexOf(keys.get(path)[0]);
      return {
        contents: `import { addEnglish } from './texts/index.ts';\naddEnglish(${textsOf(path)}, ${at});`,
        resolveDir: src,
      };
    });
    onLoad({ filter: /[\\/]web[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => {
      const name = relative(src, path).replaceAll('\\', '/');
      if (name === 'texts/en.ts') return { contents: `export const en = ${textsOf(name)};` };
      const before = [
        late.test(name) && join(src, /^guest\//.exec(name)?.[0] ?? '', 'start.tsx'),
        keys.has(name) && `texts:${name}`,
      ].filter(Boolean);
      if (before.length === 0) return undefined;
      const imports = before.map((each) => `import ${JSON.stringify(each)};\n`);
      return { contents: imports.join('') + readFileSync(path, 'utf8'), loader: 'tsx' };
    });
  },
});

/** Writes a file for each folder of another language. Returns their addresses as JSON, which the page holds. */
function addTexts(files, keys, folder) {
  const languages = readdirSync(texts).filter((name) => /^[\w-]+$/.test(name) && name !== 'en');
  const addresses = languages.map((language) => {
    const translated = textsIn(language);
    const bytes = Buffer.from(JSON.stringify(keysOfPage(keys, folder).map((key) => translated[key])));
    const name = `${language}-${hashOf(bytes)}.json`;
    files.set(name, bytes);
    return [language, base + name];
  });
  return JSON.stringify(Object.fromEntries(addresses));
}

async function textOfModule() {
  const rows = {};
  for (const [name, bytes] of [...(await filesOfPage())].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    rows[name] = {
      type: types[name.split('.').at(-1)],
      etag: hashOf(bytes),
      br: brotliCompressSync(bytes, { params }).toString('base64'),
    };
  }
  return `export const files = ${JSON.stringify(rows, null, 1)};\n`;
}

export async function writePage(folder) {
  mkdirSync(folder, { recursive: true });
  // Whole or not at all: several processes may write at once.
  const beside = join(folder, `page-files.js.${process.pid}`);
  writeFileSync(beside, await textOfModule());
  renameSync(beside, join(folder, 'page-files.js'));
}

const changedAt = (path) => {
  const found = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...found.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
};

/** Address of a module of the page of this checkout, made anew when a source is newer. */
export async function moduleOfCheckout() {
  const folder = join(root, 'node_modules/.cache/portico-ui');
  const file = join(folder, 'page-files.js');
  const newest = Math.max(
    changedAt(join(web, 'src')),
    ...[join(web, 'index.html'), fileURLToPath(import.meta.url)].map((path) => statSync(path).mtimeMs),
  );
  if (!existsSync(file) || statSync(file).mtimeMs < newest) await writePage(folder);
  return `${pathToFileURL(file).href}?${Math.round(statSync(file).mtimeMs)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await moduleOfCheckout();
