import { describe, expect, it } from 'vitest';
import { plain } from '../../src/http/reply.ts';
import { anybody, type Route } from '../../src/http/route.ts';
import { below, type RouteGroup } from '../../src/http/route-group.ts';
import { tableOfGroups } from '../../src/http/route-table.ts';

const get = (path: string): Route => ({
  method: 'GET',
  path,
  says: 'A test.',
  access: anybody,
  produces: ['text/plain'],
  handle: () => plain(path),
});

/** A group that notes when its routes are made. */
function noting(segments: string | readonly string[], ...paths: string[]) {
  const group: RouteGroup & { made: number } = {
    ...below(segments, () => {
      group.made++;
      return paths.map(get);
    }),
    made: 0,
  };
  return group;
}

const asTheyAre = (route: Route) => route;

describe('a table of groups', () => {
  it('makes the routes below a segment for the first request to it, and once', () => {
    const items = noting('item', '/item', '/item/:item');
    const files = noting('file', '/file');
    const table = tableOfGroups([items, files], asTheyAre);
    expect([items.made, files.made]).toEqual([0, 0]);
    expect(table.find('GET', '/item/VX-1')).toMatchObject({
      route: { path: '/item/:item' },
      params: { item: 'VX-1' },
    });
    expect(table.methodsAt('/item')).toEqual(['GET']);
    expect([items.made, files.made]).toEqual([1, 0]);
  });

  it('makes the routes of entities ahead of requests, a group a step', () => {
    const items = noting('item', '/item');
    const shapes = noting('item', '/item/:item/shape');
    const files = noting('file', '/file');
    const table = tableOfGroups([items, shapes, files], asTheyAre);
    const made: (readonly number[])[] = [];
    for (const _ of table.warm()) made.push([items.made, shapes.made, files.made]);
    // The last step compiles their paths.
    expect(made).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 0],
    ]);
    expect([...table.warm()]).toEqual([]);
    expect(table.find('GET', '/item/VX-1/shape')).toBeDefined();
    expect(items.made).toBe(1);
  });

  it('makes a group of two segments once', () => {
    const both = noting(['item', 'file'], '/item', '/file');
    const table = tableOfGroups([both], asTheyAre);
    expect(['/item', '/file'].map((path) => table.find('GET', path)?.route.path)).toEqual(['/item', '/file']);
    expect(table.find('GET', '/item')!.route).toBe(table.all()[0]);
    expect(both.made).toBe(1);
  });

  it('makes nothing for a path that no group is about', () => {
    const items = noting('item', '/item/:item');
    const table = tableOfGroups([items], asTheyAre);
    for (const path of ['/', '/items', '/item%2FVX-1', '/Item/VX-1', '/constructor']) {
      expect([path, table.find('GET', path), table.methodsAt(path)]).toEqual([path, undefined, []]);
    }
    expect(items.made).toBe(0);
  });

  it('takes the most specific path, whatever group it is in', () => {
    const table = tableOfGroups(
      [below('item', () => [get('/item/:item')]), below('item', () => [get('/item/history')])],
      asTheyAre,
    );
    expect(table.find('GET', '/item/history')?.route.path).toBe('/item/history');
  });

  it('tells all routes in the order of the groups, each made into what is asked for', () => {
    const table = tableOfGroups(
      [below('item', () => [get('/item'), get('/item/:item')]), below('file', () => [get('/file')])],
      (route) => ({ ...route, says: `${route.path} again.` }),
    );
    expect(table.all().map(({ says }) => says)).toEqual(['/item again.', '/item/:item again.', '/file again.']);
    expect(table.find('GET', '/file')?.route.says).toBe('/file again.');
  });

  it('shares no route with another table', () => {
    const groups = [below('item', () => [get('/item')])];
    const [one, other] = [tableOfGroups(groups, asTheyAre), tableOfGroups(groups, asTheyAre)];
    expect(one.find('GET', '/item')!.route).not.toBe(other.find('GET', '/item')!.route);
  });

  it('refuses a group that does not name the segment of a route: nobody would find it', () => {
    const table = tableOfGroups([below('item', () => [get('/item'), get('/file/:file')])], asTheyAre);
    expect(() => table.all()).toThrow('Expected a group that names the first segment of its routes: "/file/:file"');
    expect(() => table.find('GET', '/item')).toThrow('"/file/:file"');
  });
});
