import { fieldsOfSearch } from './fields.js';
import MiniSearch from './minisearch.js';

const { root, page } = document.documentElement.dataset;

/** A light page becomes dark, and a dark one light, also after the next load. */
const lookButton = document.querySelector('#look');
const dark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.look ?? (dark.matches ? 'dark' : 'light')) === 'dark';
const nameLook = () => {
  lookButton.textContent = isDark() ? 'Light' : 'Dark';
};
lookButton.addEventListener('click', () => {
  const look = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.look = look;
  localStorage.setItem('look', look);
  nameLook();
});
dark.addEventListener('change', nameLook);
nameLook();

/** Versions lie beside each other. A page that another version lacks leads to its first page. */
const versionSelect = document.querySelector('#version');
const current = versionSelect.value;
fetch(`${root}/../versions.json`)
  .then((answer) => (answer.ok ? answer.json() : [current]))
  .catch(() => [current])
  .then((versions) => {
    versionSelect.replaceChildren(
      ...versions.map((name) => new Option(name, name, name === current, name === current)),
    );
  });
versionSelect.addEventListener('change', async () => {
  const other = `${root}/../${versionSelect.value}/`;
  const { ok } = await fetch(other + page, { method: 'HEAD' });
  location.href = other + (ok ? page : 'index.html');
});

/** What is wider than the page scrolls by the keyboard, too. */
function reachScrolling() {
  for (const element of document.querySelectorAll('.scroll')) {
    if (element.scrollWidth <= element.clientWidth) element.removeAttribute('tabindex');
    else element.tabIndex = 0;
  }
}
reachScrolling();
new ResizeObserver(reachScrolling).observe(document.querySelector('main'));

/** A link to a route opens it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener('hashchange', openTarget);
openTarget();

document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' });

const maxResults = 12;
const input = document.querySelector('#search');
const results = document.querySelector('#results');
let index;
/** The index is asked for once somebody searches. */
const indexOf = () => {
  index ??= fetch(`${root}/assets/search.json`)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, fieldsOfSearch));
  return index;
};
const options = { prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false), boost: { title: 3, of: 2 } };

async function search() {
  const words = input.value.trim();
  const made = await indexOf();
  if (words !== input.value.trim()) return;
  const all = made.search(words, { ...options, combineWith: 'AND' });
  const sections = all.length > 0 ? all : made.search(words, options);
  const entries = sections.slice(0, maxResults).map(({ id, title, of, begins }) => {
    const link = document.createElement('a');
    link.href = `${root}/${id}`;
    const parts = { strong: title, small: of, span: begins };
    link.append(
      ...Object.entries(parts).map(([tag, text]) => Object.assign(document.createElement(tag), { textContent: text })),
    );
    const entry = document.createElement('li');
    entry.append(link);
    return entry;
  });
  results.hidden = words === '';
  results.querySelector('ol').replaceChildren(...entries);
  results.querySelector('p').textContent =
    sections.length === 0 ? 'Nothing has these words' : `${sections.length} sections`;
}
const hide = () => {
  results.hidden = true;
};
input.addEventListener('focus', indexOf);
input.addEventListener('input', search);
addEventListener('keydown', (event) => {
  const isInField = event.target.matches('input, textarea, select');
  if (event.key === '/' && !isInField) {
    event.preventDefault();
    input.focus();
  }
  const links = [...results.querySelectorAll('a')];
  const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (results.hidden || !event.target.closest('search')) return;
  if (event.key === 'Escape') {
    input.focus();
    hide();
  } else if (event.key === 'Enter' && event.target === input) links[0]?.click();
  else if (steps) {
    event.preventDefault();
    const at = links.indexOf(document.activeElement) + steps;
    (at < 0 ? input : links[Math.min(at, links.length - 1)])?.focus();
  }
});
addEventListener('click', (event) => {
  if (!event.target.closest('search') || event.target.closest('a')) hide();
});
