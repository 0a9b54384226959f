import { readdirSync, readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pageFiles } from '../../src/entry/page.ts';
import type { PageFile } from '../../src/room/context.ts';

const files = await pageFiles();
const bytesOf = (base64 = ''): number => Buffer.from(base64, 'base64').length;
const kilobytes = (group: readonly PageFile[], form: 'gzip' | 'br'): number =>
  group.reduce((sum, file) => sum + bytesOf(file[form]), 0) / 1024;
const named = (pattern: RegExp): readonly PageFile[] =>
  Object.entries(files).flatMap(([name, file]) => (pattern.test(name) ? [file] : []));

/** Files that the browser asks for before it draws: index.html names them, those of the library among them. */
function firstView(ending: string): readonly PageFile[] {
  const start = gunzipSync(Buffer.from(files['index.html']!.gzip!, 'base64')).toString();
  const names = [...start.matchAll(/\/ui\/([\w-]+\.\w+)/g)].map(([, name]) => name!);
  const reached = new Set(names);
  for (const name of reached) {
    if (!name.endsWith('.js')) continue;
    const text = gunzipSync(Buffer.from(files[name]!.gzip!, 'base64')).toString();
    // What a file imports at once. Pages that are loaded later stand in import().
    for (const [, other] of text.matchAll(/(?:from|import)\s*"\/ui\/([\w-]+\.js)"/g)) reached.add(other!);
  }
  return [...reached].filter((name) => name.endsWith(ending)).map((name) => files[name]!);
}

/** Loaded where the browser has no HLS, and with a stream. */
const hls = /^hls-/;

describe('the page stays small', () => {
  it.each([
    ['JavaScript of the first view', firstView('.js'), 'gzip', 60],
    ['styles of the first view', firstView('.css'), 'gzip', 8],
    ['all but hls.js with gzip', named(/^(?!hls-)/), 'gzip', 168],
    ['all but hls.js with Brotli', named(/^(?!hls-)/), 'br', 150],
    ['hls.js', named(hls), 'br', 149],
  ] as const)('%s', (name, group, form, most) => {
    const size = kilobytes(group, form);
    console.log(`${name}: ${size.toFixed(1)} of ${most} KB`);
    expect(size).toBeGreaterThan(0.5);
    expect(size).toBeLessThanOrEqual(most);
  });

  it('has small pictures in its guide', () => {
    const pictures = readdirSync('docs/pictures').map(
      (name) => [name, statSync(`docs/pictures/${name}`).size] as const,
    );
    expect(pictures.length).toBeGreaterThan(2);
    expect(pictures.filter(([name, size]) => !/\.(?:webp|svg)$/.test(name) || size > 60 * 1024)).toEqual([]);
  });

  it('has no packages but those that it names', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(Object.keys(dependencies).filter((name) => /preact/.test(name))).toEqual([]);
  });
});
