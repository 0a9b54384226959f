import { expect, it } from 'vitest';
import { specificFirst } from '../../src/http/routing.ts';

const ordered = (...paths: readonly string[]) => specificFirst(paths.map((path) => ({ path }))).map(({ path }) => path);

it('a word comes before a name, and a name before the rest of a path', () => {
  expect(ordered('/a/:rest{.+}', '/a/:name', '/a/word')).toEqual(['/a/word', '/a/:name', '/a/:rest{.+}']);
});

it('a shorter path between them in the list does not keep a word behind a name', () => {
  const paths = ['/a/:group/:storage', '/a/:group', '/a/:group/metadata'];
  for (const list of [paths, paths.toReversed(), [paths[1]!, paths[0]!, paths[2]!]]) {
    const found = ordered(...list);
    expect(found.indexOf('/a/:group/metadata'), list.join()).toBeLessThan(found.indexOf('/a/:group/:storage'));
  }
});

it('routes that say as much keep their order', () => {
  expect(ordered('/b/:x', '/a/:y', '/c/:z')).toEqual(['/b/:x', '/a/:y', '/c/:z']);
});
