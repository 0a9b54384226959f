import { readdirSync, readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pageFiles } from '../../src/entry/page.ts';
import type { PageFile } from '../../src/room/context.ts';
import { en } from '../src/texts/en.ts';

const files = await pageFiles();
const kilobytes = (group: readonly PageFile[], form: 'gzip' | 'br'): number =>
  group.reduce((sum, file) => sum + (file[form]?.size ?? 0), 0) / 1024;
const named = (pattern: RegExp): readonly PageFile[] =>
  Object.entries(files).flatMap(([name, file]) => (pattern.test(name) ? [file] : []));

const textOf = (name: string): string => gunzipSync(files[name]!.gzip!.read() as Uint8Array).toString();

/** Names of files that the browser asks for before it draws: the page names them, those of the library among them. `more`: loaded with what is asked for. */
function namesOf(page: string, more: RegExp): ReadonlySet<string> {
  const later = Object.keys(files).filter((name) => more.test(name));
  const names = [...textOf(page).matchAll(/(?:src|href)="\/ui\/([\w-]+\.\w+)/g)].map(([, name]) => name!);
  const reached = new Set([...names, ...later]);
  for (const name of reached) {
    if (!name.endsWith('.js')) continue;
    // Static imports only: pages that are loaded later stand in import().
    for (const [, other] of textOf(name).matchAll(/(?:from|import)\s*"\/ui\/([\w-]+\.js)"/g)) reached.add(other!);
  }
  return reached;
}

const firstView = (ending: string, page = 'index.html', more = /^$/): readonly PageFile[] =>
  [...namesOf(page, more)].filter((name) => name.endsWith(ending)).map((name) => files[name]!);

/** Loaded where the browser has no HLS, and with a stream. */
const hls = /^hls-/;

describe('the page stays small', () => {
  it.each([
    ['JavaScript of the first view', firstView('.js'), 'gzip', 54],
    ['JavaScript of the list of a guest', firstView('.js', 'guest.html'), 'gzip', 16],
    ['JavaScript of an item of a guest', firstView('.js', 'guest.html', /^item-/), 'gzip', 44],
    ['JavaScript of the page of an item', firstView('.js', 'index.html', /^page-/), 'gzip', 102],
    ['styles of the first view', firstView('.css'), 'gzip', 8.5],
    ['all but hls.js with gzip', named(/^(?!hls-)/), 'gzip', 243],
    ['all but hls.js with Brotli', named(/^(?!hls-)/), 'br', 217],
    ['hls.js', named(hls), 'br', 110],
  ] as const)('%s', (name, group, form, max) => {
    const size = kilobytes(group, form);
    console.log(`${name}: ${size.toFixed(1)} of ${max} KB`);
    expect(size).toBeGreaterThan(0.5);
    expect(size).toBeLessThanOrEqual(max);
  });

  it.each(['index.html', 'guest.html'])('all that %s loads before it draws is asked for at once', (page) => {
    const named = [...textOf(page).matchAll(/(?:src|href)="\/ui\/([\w-]+\.js)/g)].map(([, name]) => name!);
    expect(named.toSorted()).toEqual([...namesOf(page, /^$/)].filter((name) => name.endsWith('.js')).toSorted());
  });

  it.each([
    ['the first view', 'index.html', /^$/],
    ['the page of an item', 'index.html', /^(?:page|more-tabs)-.*js$/],
    ['pages of operators', 'index.html', /^operator-pages-.*js$/],
    ['pages of users', 'index.html', /^user-pages-.*js$/],
    ['other late parts', 'index.html', /^(?:later|tray|dialog|access-dialog|selection-form|when-asked)-.*js$/],
    ['an item and uploads of a guest', 'guest.html', /^(?:item|uploads)-.*js$/],
  ])('%s brings the texts that it shows', (_part, page, more) => {
    const code = [...namesOf(page, more)]
      .filter((name) => name.endsWith('.js'))
      .map(textOf)
      .join('\n');
    const shown = Object.keys(en).filter((key) => new RegExp(`"${key.replaceAll('.', '\\.')}"(?!:)`).test(code));
    expect(shown.length).toBeGreaterThan(40);
    expect(shown.filter((key) => !code.includes(`"${key}":`))).toEqual([]);
  });

  it('has small pictures in its guide', () => {
    const pictures = readdirSync('docs/pictures').map(
      (name) => [name, statSync(`docs/pictures/${name}`).size] as const,
    );
    expect(pictures.length).toBeGreaterThan(2);
    const max = (name: string) => (name === 'tour.webp' ? 160 : 60) * 1024;
    expect(pictures.filter(([name, size]) => !/\.(?:webp|svg)$/.test(name) || size > max(name))).toEqual([]);
  });

  it('has no packages but those that it names', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(Object.keys(dependencies).filter((name) => /preact/.test(name))).toEqual([]);
  });
});
