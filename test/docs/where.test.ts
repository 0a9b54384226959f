import { existsSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { edgeService } from '../../src/entry/edge.ts';
import { withService } from '../support/service.ts';
import { databases, named, wherePage } from './where-page.ts';

const onEdge = (database: string) => edgeService({ PORTICO_DATABASE: database, PORTICO_LOG_LEVEL: 'error' });

function openEdge() {
  const edge = onEdge(databases.remote.example);
  onTestFinished(() => edge.close());
  return edge;
}

it('a service on an edge has the routes of a server', async () => {
  const { service } = await withService({ start: false });
  const listed = ({ routes }: typeof service) => routes.map(({ method, path }) => `${method} ${path}`);
  expect(listed(openEdge())).toEqual(listed(service));
});

it.each(Object.entries(databases))(
  'a database %s is used on an edge only where its row says so',
  async (_kind, row) => {
    const open = () => onEdge(row.example);
    if (row.hosts.includes('edge')) await open().close();
    else {
      expect(row.edge).toMatch(/^no: /);
      expect(open).toThrow('Cannot open');
    }
  },
);

it('each host does the kinds of work that name it, and no other', async () => {
  const { service } = await withService({ start: false });
  const edge = openEdge();
  const done = ({ metrics }: typeof service) =>
    [...metrics.render().matchAll(/^portico_work_waiting\{kind="(.*)"\}/gm)].map(([, name]) => name).sort();
  const declared = (host: 'loop' | 'edge') =>
    service.kinds
      .filter(({ hosts }) => hosts.includes(host))
      .map(({ name }) => name)
      .sort();
  expect(done(service)).toEqual(declared('loop'));
  expect(done(edge)).toEqual(declared('edge'));
  expect(done(edge)).toContain('deliveries');
  expect(edge.kinds.map(({ name }) => name)).toEqual(service.kinds.map(({ name }) => name));
});

it('the page has a row for each kind of work, with what it does and where', async () => {
  const { service } = await withService({ start: false });
  const page = wherePage(service.kinds);
  for (const { name, says } of service.kinds) expect(page).toContain(`| \`${name}\` | ${says} | `);
  expect(page).toContain('| `deliveries` | Delivers notifications | yes | after changes |');
  const [kind] = service.kinds;
  const moved = wherePage([{ ...kind!, name: 'scan', says: 'Reads storages', hosts: ['loop'] }]);
  expect(moved).toContain('| `scan` | Reads storages | yes | no |');
});

it('names tests that there are', () => {
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
