import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * The web page as modules of text: `assets.js` for servers, `edge-assets.js` without the gzip forms for an edge. They
 * need no file system at run time. `npm run build` writes them into `dist`, and a checkout into `node_modules`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'web');
const base = '/ui/';

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
  target: 'es2022',
  publicPath: base,
  loader: { '.svg': 'file' },
};

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

/** Files of the page by their names: `[name, bytes]`. */
async function filesOfPage() {
  const files = new Map();
  const keep = (outputs) => {
    for (const { path, contents } of outputs) files.set(basename(path), Buffer.from(contents));
  };
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: ['web/src/main.ts'],
    outdir: 'web/out',
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
    plugins: [lateStyles(keep), smallSources],
  });
  keep(outputFiles);
  const outputOf = (source) =>
    Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === `web/src/${source}`);
  const start = outputOf('main.ts');
  // Everything of the first view is shared with the pages, so the entry itself only imports it.
  const [{ path }, ...others] = metafile.outputs[start].imports.filter(({ kind }) => kind === 'import-statement');
  if (others.length > 0) throw new Error(`Expected one file of the first view: ${others.map((each) => each.path)}`);
  files.delete(basename(start));
  const icon = readFileSync(join(web, 'src/style/icon.svg'));
  const iconName = `icon-${hashOf(icon)}.svg`;
  files.set(iconName, icon);
  const html = readFileSync(join(web, 'index.html'), 'utf8')
    .replace('{{icon}}', base + iconName)
    .replace('{{style}}', base + basename(metafile.outputs[start].cssBundle))
    .replace('{{script}}', base + basename(path));
  files.set('index.html', Buffer.from(html));
  await addGuestPage(files, keep, base + iconName);
  return files;
}

/** The page for guests shares no file with the other one but the icon. */
async function addGuestPage(files, keep, icon) {
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['web/src/guest/main.ts'],
    outdir: 'web/out',
    format: 'esm',
    entryNames: 'guest-[hash]',
  });
  keep(outputFiles);
  const named = (ending) => base + basename(outputFiles.find(({ path }) => path.endsWith(ending)).path);
  const html = readFileSync(join(web, 'src/guest/guest.html'), 'utf8')
    .replace('{{icon}}', icon)
    .replace('{{style}}', named('.css'))
    .replace('{{script}}', named('.js'));
  files.set('guest.html', Buffer.from(html));
}

const src = join(web, 'src');
const sources = () => readdirSync(src, { recursive: true, encoding: 'utf8' }).toSorted();

/**
 * Styles of pages and of the player come with them: the module of such a file waits until its style sheet is there. All
 * have one together: small files compress badly. Those of the library, which is seen first, are with those of the shell.
 */
function lateStyles(keep) {
  const isLate = (name) => /^(?:pages[\\/](?!library[\\/])|player[\\/]).*\.css$/.test(name);
  return {
    name: 'late-styles',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\.css$/ }, ({ path, importer }) => {
        const file = relative(src, join(dirname(importer), path));
        return isLate(file) ? { path: 'pages', namespace: 'late' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'late' }, async () => {
        const files = sources().filter(isLate);
        const { outputFiles } = await build({
          ...options,
          stdin: {
            contents: files.map((name) => `@import ${JSON.stringify(`./${name}`)};`).join(''),
            resolveDir: src,
            loader: 'css',
          },
          outdir: 'web/out',
          entryNames: 'pages-[hash]',
        });
        keep(outputFiles);
        const address = base + basename(outputFiles[0].path);
        const contents = `import { style } from './late-style.ts';\nawait style(${JSON.stringify(address)});\n`;
        return { contents, loader: 'js', resolveDir: join(src, 'style') };
      });
    },
  };
}

/** Files of the page that the browser loads on demand. */
const starts =
  /^(?:pages[\\/](?:(?:user|operator)-pages|item[\\/](?:page|form[\\/]selection-form)|(?:access[\\/]access-|shares[\\/])dialog|comments[\\/]view|upload[\\/]tray)|player[\\/]hls)\.tsx?$/;
const withStart = `import ${JSON.stringify(join(src, 'start.tsx'))};\n`;
const languages = /^texts[\\/](?!en)(\w\w)\.ts$/;

/**
 * Sources are made smaller before they are joined. Each file that is loaded on demand imports the start, so that all
 * code of the first view is one file. Texts of other languages have no keys.
 */
const smallSources = {
  name: 'small-sources',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]web[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => {
      const name = relative(src, path);
      const [, language] = languages.exec(name) ?? [];
      if (language) return bareTexts(language);
      if (!starts.test(name)) return undefined;
      return { contents: withStart + readFileSync(path, 'utf8'), loader: 'tsx' };
    });
  },
};

/** Texts of a language in the order of the English ones. */
async function bareTexts(language) {
  const contents = `import { en } from './texts/en.ts'; import { ${language} } from './texts/${language}.ts';
    export default Object.keys(en).map((key) => ${language}[key]);`;
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: src },
    format: 'esm',
    outdir: 'web/out',
  });
  const texts = (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)).default;
  return {
    contents: `${withStart}import { en } from './en.ts';
      const texts = ${JSON.stringify(texts)};
      export const ${language} = Object.fromEntries(Object.keys(en).map((key, at) => [key, texts[at]]));`,
    resolveDir: join(src, 'texts'),
  };
}

/** The texts of both modules. */
async function modulesOfPage() {
  const rows = {};
  for (const [name, bytes] of [...(await filesOfPage())].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    rows[name] = {
      type: types[name.split('.').at(-1)],
      etag: hashOf(bytes),
      br: brotliCompressSync(bytes, { params }).toString('base64'),
      gzip: gzipSync(bytes, { level: 9 }).toString('base64'),
    };
  }
  const onEdge = Object.fromEntries(Object.entries(rows).map(([name, { gzip: _, ...row }]) => [name, row]));
  const text = (files) => `export const files = ${JSON.stringify(files, null, 1)};\n`;
  return { 'assets.js': text(rows), 'edge-assets.js': text(onEdge) };
}

export async function writePage(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await modulesOfPage())) {
    // Whole or not at all: several processes may write at once.
    const beside = join(folder, `${name}.${process.pid}`);
    writeFileSync(beside, text);
    renameSync(beside, join(folder, name));
  }
}

const changedAt = (path) => {
  const found = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...found.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
};

/** Address of a module of the page of this checkout, made anew when a source is newer. */
export async function moduleOfCheckout(name) {
  const folder = join(root, 'node_modules/.cache/portico-ui');
  const file = join(folder, name);
  const newest = Math.max(
    changedAt(join(web, 'src')),
    ...[join(web, 'index.html'), fileURLToPath(import.meta.url)].map((path) => statSync(path).mtimeMs),
  );
  if (!existsSync(file) || statSync(file).mtimeMs < newest) await writePage(folder);
  return `${pathToFileURL(file).href}?${Math.round(statSync(file).mtimeMs)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await moduleOfCheckout('assets.js');
