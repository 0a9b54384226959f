import { describe, expect, it } from 'vitest';
import { below, match, pathOf, queryOf, searchOf } from '../../src/match.ts';

describe('the router', () => {
  it.each([
    ['/', '/', {}],
    ['/item/{id}', '/item/VX-1', { id: 'VX-1' }],
    ['/user/{name}', '/user/a%2Fb', { name: 'a/b' }],
    ['/user/{name}', '/user/anna.berg', { name: 'anna.berg' }],
    ['/user/{name}', '/user/%zz', { name: '%zz' }],
    ['/item/{id}', '/item/', undefined],
    ['/item/{id}', '/item', undefined],
    ['/item/{id}', '/item/VX-1/more', undefined],
    ['/me', '/ME', undefined],
  ])('finds in %s for %s: %j', (pattern, path, params) => {
    expect(match(pattern, path)).toEqual(params);
  });

  it.each([
    ['/ui', '/'],
    ['/ui/', '/'],
    ['/ui/item/VX-1/', '/item/VX-1'],
    ['/uix', '/uix'],
  ])('reads %s as %s', (pathname, path) => {
    expect(below(pathname)).toBe(path);
  });

  it('gives back in an address what was put in', () => {
    const query = { q: 'a&b=c ä/?#', sort: 'title' };
    expect(queryOf(searchOf(query))).toEqual(query);
    expect(searchOf({ q: '', page: undefined })).toBe('');
    expect(match('/user/{name}', pathOf('/user/{name}', { name: 'a/b?c#d' }))).toEqual({ name: 'a/b?c#d' });
  });
});
