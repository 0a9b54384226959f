import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingTable } from '../../src/composition/settings.ts';
import { changeable } from '../../src/core/settings/kinds.ts';
import { variableOf } from '../../src/core/settings/read.ts';
import { migrationVariables } from '../../src/entry/commands/migrate-from.ts';
import { anchorsOf, readAllPages } from './pages.ts';

const pages = await readAllPages();
const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
const variables = new Map<string, string>(
  Object.entries(changeable(settingTable)).map(([name, { fallback }]) => [
    variableOf(name),
    String(fallback ?? '') || 'none',
  ]),
);

/** Where a link of a page leads: a path, and an anchor there. Links to other machines are nobody's to check here. */
const linksOf = (path: string, text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [file, anchor] = target.split('#');
      return { target, file: file === '' ? path : join(dirname(path), file!), anchor };
    });

describe.each(pages)('$path', ({ path, text }) => {
  it('has links that lead to files and headings', () => {
    const broken = linksOf(path, text).filter(
      ({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !anchors.get(file)?.has(anchor)),
    );
    expect(broken.map(({ target }) => target)).toEqual([]);
  });

  it('has no row and no entry twice, as merges of two versions leave them', () => {
    const begun = text.match(/^(?:\| .*?(?= \|)|- \*\*[^*]+\*\*)/gm) ?? [];
    const rows = begun.filter((begin) => begin.length > 60 || begin.startsWith('-'));
    expect(rows.filter((begin, index) => rows.indexOf(begin) !== index)).toEqual([]);
  });

  it('names files that exist', () => {
    const quoted = /`((?:\.ci|deploy|docs|examples|filters|plugins|realms|scripts|src|test)\/[\w./-]+)`/g;
    const isThere = (file: string) => existsSync(file) || existsSync(join(dirname(path), file));
    expect([...text.matchAll(quoted)].map(([, file]) => file!).filter((file) => !isThere(file))).toEqual([]);
  });

  it('names settings that exist, with their defaults', () => {
    const named = [...text.matchAll(/PORTICO_[A-Z_]+/g)].map(([name]) => name);
    expect(named.filter((name) => !variables.has(name) && !migrationVariables.includes(name))).toEqual([]);
    const shown = [...text.matchAll(/^\| `(PORTICO_\w+)` \| `?([^`|]+?)`? \|/gm)];
    for (const [, name, value] of shown) expect([name, value]).toEqual([name, variables.get(name!)]);
  });
});

describe('the docs', () => {
  it('are all in their index', () => {
    const indexes = ['docs/README.md', 'docs/decisions/README.md', 'docs/reference/api.md'];
    const listed = new Set(
      pages
        .filter(({ path }) => indexes.includes(path))
        .flatMap(({ path, text }) => linksOf(path, text))
        .map(({ file }) => file),
    );
    const docs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && path !== indexes[0]);
    expect(docs.filter((path) => !listed.has(path))).toEqual([]);
  });

  it('begin with a README of at most six kilobytes', () => {
    const { text } = pages.find(({ path }) => path === 'README.md')!;
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(6 * 1024);
  });
});
