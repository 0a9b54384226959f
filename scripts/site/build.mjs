import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { fieldsOfSearch } from './browser/fields.js';
import { copyPath, escapeHtml, htmlPath, isOfApi, render, targetsOf, titleOf } from './markdown.mjs';

/**
 * `npm run docs:site` writes the documentation as a site into `dist-site/VERSION`. Folders of other versions there stay,
 * and the switch of versions lists them.
 */
const here = dirname(fileURLToPath(import.meta.url));
process.chdir(`${here}/../..`);
const read = (path) => readFileSync(path, 'utf8');
const { version } = JSON.parse(read('package.json'));
const out = 'dist-site';
const index = 'docs/README.md';

/** README and the index of the docs lead to every page. */
function readPages() {
  const pages = new Map();
  const waiting = ['README.md', index];
  for (const path of waiting) {
    if (pages.has(path) || !path.endsWith('.md') || !existsSync(path)) continue;
    const text = read(path);
    const targets = targetsOf(path, text);
    pages.set(path, { path, text, targets, title: titleOf(text) });
    waiting.push(...targets);
  }
  return pages;
}

const pages = readPages();
const files = new Set([...pages.values()].flatMap(({ targets }) => targets).filter((file) => !pages.has(file)));
const isFilm = (file) => file.endsWith('.webp') && readFileSync(file).includes('ANMF');

/** Groups of the navigation: what README lists outside of the docs, then the index by its folders. */
const listed = [
  'README.md',
  index,
  ...pages.get('README.md').targets.filter((path) => !path.startsWith('docs/')),
  ...pages.get(index).targets,
].filter((path) => pages.has(path));
const groupOf = (path) => /^docs\/(\w+)\//.exec(path)?.[1] ?? 'portico';
const groups = new Map();
for (const path of new Set(listed)) {
  const paths = groups.get(groupOf(path)) ?? [];
  // A group stands where the index ends it.
  groups.delete(groupOf(path));
  groups.set(groupOf(path), [...paths, path]);
}

/** A page that the navigation lacks is listed by the index of its folder. */
const parentOf = (path) => {
  const folder = posix.dirname(path);
  return [`${folder}.md`, `${folder}/README.md`, `${posix.dirname(folder)}/README.md`].find((each) =>
    listed.includes(each),
  );
};
const shortTitle = ({ title }) => title.split(':')[0];
const upper = (text) => text[0].toUpperCase() + text.slice(1);

function navigation(path) {
  const current = listed.includes(path) ? path : parentOf(path);
  const link = (to) =>
    `<li><a href="${posix.relative(posix.dirname(path), htmlPath(to))}"${to === path ? ' aria-current="page"' : to === current ? ' aria-current="true"' : ''}>${escapeHtml(shortTitle(pages.get(to)))}</a></li>`;
  return [...groups]
    .map(([name, paths]) => {
      const isOpen = paths.includes(current);
      return `<details${isOpen ? ' open' : ''}><summary>${upper(name)}</summary><ul>${paths.map(link).join('')}</ul></details>`;
    })
    .join('\n');
}

const policy = (path) =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'",
    // Readers try routes on a server of their own.
    `connect-src ${isOfApi(path) ? '*' : "'self'"}`,
  ].join('; ');

function document({ path, title }, { html, headings }) {
  const root = posix.relative(posix.dirname(path), '') || '.';
  const group = groupOf(path);
  const parent = listed.includes(path) ? undefined : parentOf(path);
  const trail = [upper(group), ...(parent ? [shortTitle(pages.get(parent))] : [])].map(escapeHtml).join(' › ');
  const contents =
    headings.length < 3
      ? ''
      : `<aside aria-label="On this page"><ul>${headings.map((each) => `<li><a href="#${each.anchor}">${escapeHtml(each.title)}</a></li>`).join('')}</ul></aside>`;
  return `<!doctype html>
<html lang="en" data-root="${root}" data-page="${htmlPath(path)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy(path)}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}${path === 'README.md' ? '' : ' · Portico'}</title>
<link rel="icon" href="${root}/assets/icon.svg">
<link rel="stylesheet" href="${root}/assets/site.css">
<script src="${root}/assets/look.js"></script>
<script type="module" src="${root}/assets/site.js"></script>
${isOfApi(path) ? `<script type="module" src="${root}/assets/try.js"></script>\n` : ''}</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header>
<button type="button" class="menu" popovertarget="pages">Pages</button>
<a class="brand" href="${root}/index.html"><img src="${root}/assets/icon.svg" alt="" width="24" height="24">Portico</a>
<search><input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off"><div id="results" class="results" hidden><p role="status"></p><ol></ol></div></search>
<select id="version" aria-label="Version"><option>${version}</option></select>
<button type="button" id="look">Dark</button>
</header>
<nav id="pages" popover aria-label="Pages">
${navigation(path)}
</nav>
<main id="main">
<p class="trail">${trail}</p>
${html}<footer>Portico ${version}, <code>${path}</code></footer>
</main>
${contents}
</body>
</html>
`;
}

const target = `${out}/${version}`;
function write(path, text) {
  mkdirSync(dirname(`${target}/${path}`), { recursive: true });
  writeFileSync(`${target}/${path}`, text);
}
function copy(from, to) {
  mkdirSync(dirname(`${target}/${to}`), { recursive: true });
  cpSync(from, `${target}/${to}`);
}

rmSync(target, { recursive: true, force: true });
const sections = [];
for (const page of pages.values()) {
  const rendered = render({ ...page, pages, isFilm });
  write(htmlPath(page.path), document(page, rendered));
  for (const { title, anchor, text } of rendered.sections) {
    const at = anchor === '' ? '' : `#${anchor}`;
    const of = anchor === '' ? upper(groupOf(page.path)) : shortTitle(page);
    sections.push({ id: htmlPath(page.path) + at, title, of, text: text.trim(), begins: text.trim().slice(0, 140) });
  }
}
for (const file of files) if (existsSync(file)) copy(file, copyPath(file));

const search = new MiniSearch(fieldsOfSearch);
search.addAll(sections);
write('assets/search.json', JSON.stringify(search));
for (const name of readdirSync(`${here}/browser`)) copy(`${here}/browser/${name}`, `assets/${name}`);
copy('web/src/style/icon.svg', 'assets/icon.svg');
copy(`${here}/node_modules/minisearch/dist/es/index.js`, 'assets/minisearch.js');
copy(`${here}/node_modules/minisearch/LICENSE.txt`, 'assets/minisearch.LICENSE.txt');
const cli = ['--import', 'tsx', 'src/entry/cli.ts', 'openapi'];
write('openapi.json', execFileSync(process.execPath, cli, { maxBuffer: 64 * 2 ** 20 }));

/** The newest first. */
const versions = readdirSync(out)
  .filter((name) => existsSync(`${out}/${name}/openapi.json`))
  .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
writeFileSync(`${out}/versions.json`, `${JSON.stringify(versions)}\n`);
writeFileSync(
  `${out}/index.html`,
  `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Portico</title><meta http-equiv="refresh" content="0; url=${versions[0]}/index.html"><a href="${versions[0]}/index.html">Portico ${versions[0]}</a></html>\n`,
);
console.log(`${target}: ${pages.size} pages, ${sections.length} sections`);
