import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';

/** Markdown of a page to HTML, and to the sections that a search looks at. */

const { dirname, join, relative } = posix;
const md = new MarkdownIt({ html: true });
export const { escapeHtml } = md.utils;

/** Path of a page on the site. */
export const htmlPath = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');

/** As a forge makes the anchors of headings. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

const textOf = ({ content, children }) =>
  (children ?? [])
    .map((child) => (child.type === 'softbreak' || child.type === 'html_inline' ? ' ' : child.content))
    .join('') || content;

/** Title of a page, without code marks. */
export const titleOf = (text) => /^# (.+)$/m.exec(text)[1].replaceAll('`', '');

/** Files of the repository that a page links to or shows: path, and whether it is a picture. */
export const targetsOf = (path, text) =>
  [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^\w+:/.test(target))
    .map((target) => fileOf(path, target));

/** Pages of the reference with a row for each route. Such a row is too wide for a page. */
export const isOfApi = (path) => path.startsWith('docs/reference/api/');

/** A folder stands for its README. */
function fileOf(path, target) {
  const file = join(dirname(path), target).replace(/\/$/, '');
  return existsSync(file) && statSync(file).isDirectory() ? join(file, 'README.md') : file;
}

/** Path of a file that is no page. A browser shows it as text. */
export const copyPath = (file) => (/\.(?:svg|webp)$/.test(file) ? file : `${file}.txt`);

/** Comments say what tests do with blocks. No other HTML is let through. */
md.renderer.rules.html_block = () => '';
md.renderer.rules.html_inline = (tokens, index) =>
  /^<br>$/.test(tokens[index].content) ? '<br>' : escapeHtml(tokens[index].content);
md.renderer.rules.table_open = () => '<div class="scroll"><table>';
md.renderer.rules.table_close = () => '</table></div>';
md.renderer.rules.fence = (tokens, index) =>
  `<pre class="scroll"><code>${escapeHtml(tokens[index].content)}</code></pre>\n`;
md.renderer.rules.route = (tokens, index) => tokens[index].content;
md.renderer.rules.image = (tokens, index, _options, { path, isFilm }) => {
  const file = fileOf(path, tokens[index].attrGet('src'));
  const image = `<img src="${escapeHtml(tokens[index].attrGet('src'))}" alt="${escapeHtml(tokens[index].content)}">`;
  // Readers can stop what moves.
  return isFilm(file) ? `<details open><summary>The film</summary>${image}</details>` : image;
};

/** Where a link leads on the site. Undefined: nowhere, as the file is on no page. */
function hrefOf(href, { path, pages }) {
  if (/^(?:\w+:|#)/.test(href)) return href;
  const [target, anchor] = href.split('#');
  const file = fileOf(path, target);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (pages.has(file)) return relative(dirname(path), htmlPath(file)) + hash;
  return existsSync(file) ? relative(dirname(path), copyPath(file)) : undefined;
}

function resolveLinks(tokens, environment) {
  for (const { children } of tokens) {
    let isLost = false;
    for (const [index, token] of (children ?? []).entries()) {
      if (token.type === 'link_open') {
        const href = token.attrGet('href');
        const resolved = hrefOf(href, environment);
        isLost = resolved === undefined;
        if (isLost) token.type = 'text';
        else token.attrSet('href', resolved);
        const page = environment.pages.get(fileOf(environment.path, href));
        // An index names files; readers of the site know pages by their titles.
        if (page && children[index + 1].content.endsWith('.md')) children[index + 1].content = page.title;
      } else if (token.type === 'link_close' && isLost) token.type = 'text';
    }
  }
}

/** HTML, headings and sections of a page. `pages` has all pages by their paths. */
export function render({ path, text, pages, isFilm }) {
  const environment = { path, pages, isFilm };
  const tokens = md.parse(text, environment);
  const anchors = new Map();
  const anchorOf = (title) => {
    const slug = slugOf(title);
    const count = anchors.get(slug) ?? 0;
    anchors.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
  const headings = [];
  const sections = [];
  const begin = (title, anchor) => sections.push({ title, anchor, text: '' });
  resolveLinks(tokens, environment);
  const shown = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token.type === 'heading_open') {
      const title = textOf(tokens[at + 1]);
      const level = Number(token.tag[1]);
      const anchor = anchorOf(title);
      token.attrSet('id', anchor);
      if (level === 2) headings.push({ title, anchor });
      begin(title, level === 1 ? '' : anchor);
      shown.push(token, tokens[++at]);
    } else if (token.type === 'table_open' && isOfApi(path) && textOf(tokens[at + 4]) === 'request') {
      const end = tokens.findIndex(({ type }, index) => index > at && type === 'table_close');
      for (const route of routesOf(tokens.slice(at, end), environment)) {
        const anchor = anchorOf(route.request);
        shown.push(Object.assign(new token.constructor('route', '', 0), { content: route.html(anchor) }));
        begin(route.request, anchor);
        sections.at(-1).text = route.text;
      }
      at = end;
    } else {
      if (token.type === 'inline' || token.type === 'fence') sections.at(-1).text += `${textOf(token)} `;
      shown.push(token);
    }
  }
  return { html: md.renderer.render(shown, md.options, environment), headings, sections };
}

function* routesOf(tokens, environment) {
  const inline = tokens.filter(({ type }) => type === 'inline');
  const width = tokens.filter(({ type }) => type === 'th_open').length;
  const names = inline.slice(0, width).map(textOf);
  for (let at = width; at < inline.length; at += width) {
    const cells = new Map(names.map((name, index) => [name, inline[at + index]]));
    const request = textOf(cells.get('request'));
    const [method, template] = request.split(' ');
    const htmlOf = (name) => md.renderer.renderInline(cells.get(name).children, md.options, environment);
    const facts = names
      .filter((name) => name !== 'request' && name !== 'what' && cells.get(name).content !== '')
      .map((name) => {
        const entries = htmlOf(name).split('<br>');
        const list = entries.map((entry) => `<li>${entry}</li>`).join('');
        return `<dt>${name}</dt><dd>${entries.length > 1 ? `<ul>${list}</ul>` : entries[0]}</dd>`;
      });
    yield {
      request,
      text: [...cells.values()].slice(1).map(textOf).join(' '),
      html: (anchor) =>
        `<details class="route" id="${anchor}" data-route="${escapeHtml(request)}"><summary><code class="method">${method}</code> <code>${escapeHtml(template)}</code> <span>${htmlOf('what')}</span></summary><dl>${facts.join('')}</dl></details>\n`,
    };
  }
}
