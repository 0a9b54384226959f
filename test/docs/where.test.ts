import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { edgeService } from '../../src/entry/edge.ts';
import { openService } from '../support/service.ts';
import { databases, rows } from './where-page.ts';

const onEdge = (database: string) => edgeService({ PORTICO_DATABASE: database, PORTICO_LOG_LEVEL: 'error' });

it('a service on an edge has the routes of a server', async () => {
  const server = await openService({ start: false });
  const edge = onEdge(databases.remote.example);
  const named = ({ routes }: typeof edge) => routes.map(({ method, path }) => `${method} ${path}`);
  expect(named(edge)).toEqual(named(server.service));
  await edge.close();
  await server.close();
});

it.each(Object.values(databases))('$what: on an edge $onEdge', async ({ example, onEdge: usable }) => {
  const open = () => onEdge(example);
  if (usable) await open().close();
  else expect(open).toThrow('Cannot open');
});

it('each row names tests that there are', () => {
  expect(rows.flatMap(({ shownBy }) => shownBy).filter((path) => !existsSync(path))).toEqual([]);
  expect(rows.filter(({ shownBy }) => shownBy.length === 0)).toEqual([]);
});
