import { expect, it, onTestFinished } from 'vitest';
import { extensionRoutes } from '../../src/composition/extension-routes.ts';
import { extensionNames, withDependents } from '../../src/composition/extensions.ts';
import { rooms } from '../../src/composition/rooms.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { mergeExtensions } from '../../src/room/merge-rooms.ts';
import { admin, openService } from '../support/service.ts';

const authorization = `Basic ${btoa(admin.join(':'))}`;

async function openWithout(...without: string[]) {
  const opened = await openService({ settings: { without } });
  onTestFinished(opened.close);
  return async (request: string, body?: string) => {
    const [method = '', path = ''] = request.split(' ');
    const headers = { authorization, accept: 'application/json', ...(body && { 'content-type': 'application/xml' }) };
    const init = { method, headers, ...(body !== undefined && { body }) };
    const root = path.startsWith('/APInoauth/') ? '' : '/API';
    return opened.service.fetch(new Request(`http://test${root}${path}`, init));
  };
}

it.each(extensionNames)('without %s, its routes answer 501 with its name, and others work', async (name) => {
  const send = await openWithout(name);
  const absent = withDependents([name]);
  const lines = absent.flatMap((each) => extensionRoutes[each]!.trim().split('\n')).filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const answer = await send(line.replace(/:\w+(?:\{[^}]*\})?/g, 'x'));
    const text = await answer.text();
    const isNamed = absent.some((each) => text.includes(`the extension \\"${each}\\"`));
    expect([line, answer.status, isNamed]).toEqual([line, 501, true]);
  }
  expect((await send('GET /version')).status).toBe(200);
  expect((await send('GET /item')).status).toBe(200);
  expect((await send('GET /user/graph-lover')).status).toBe(404);
});

it('without stylesheets, parameters that name a projection answer 501, and the identity works', async () => {
  const send = await openWithout('stylesheets');
  const item = await send('POST /import/placeholder?container=1', '<MetadataDocument/>');
  const { id } = await item.json();
  const statuses: number[] = [];
  for (const name of ['p', 'default'])
    statuses.push((await send(`GET /item/${id}/metadata?projection=${name}`)).status);
  expect(statuses).toEqual([501, 200]);
});

it('without export templates, an export with a template answers 501', async () => {
  const send = await openWithout('export-templates');
  const { id } = await (await send('POST /import/placeholder?container=1', '<MetadataDocument/>')).json();
  expect((await send(`POST /item/${id}/export?template=t&uri=file:///x/`)).status).toBe(501);
});

it('without pictures, PNGs of graphs and waveforms answer 501, and graphs are told in DOT', async () => {
  const { service, close } = await openService({ settings: { without: ['pictures'] } });
  onTestFinished(close);
  async function send(path: string, accept: string, method = 'GET') {
    const headers = { authorization, accept };
    const answer = await service.fetch(new Request(`http://test/API${path}`, { method, headers }));
    return { status: answer.status, body: await answer.text() };
  }
  const { body } = await send('/import/placeholder?container=1', 'application/json', 'POST');
  const item = `/item/${(JSON.parse(body) as { readonly id: string }).id}`;
  const graphs = ['/user/graph', '/user/admin/graph', `${item}/access/graph`, `${item}/metadata/graph`];
  for (const path of [...graphs, `${item}/waveform/image`]) {
    const refused = await send(path, 'image/png');
    expect([path, refused.status]).toEqual([path, 501]);
    expect(refused.body).toContain('Expected the extension "pictures", which this service leaves out');
  }
  for (const path of graphs) {
    for (const form of [path, `${path}/dot`]) {
      const told = await send(form, 'text/vnd.graphviz');
      expect([form, told.status, told.body.slice(0, 7)]).toEqual([form, 200, 'digraph']);
    }
  }
});

it('makes the tables of an extension once it is there, and keeps them without it', async () => {
  const database = await openDatabase('memory:');
  const tables = async () => {
    const rows = await database.read("SELECT name FROM sqlite_master WHERE type = 'table'");
    return new Set(rows.map(([name]) => String(name)));
  };
  onTestFinished(() => database.close());
  const start = (...without: string[]) => openService({ settings: { without }, database });
  await start(...extensionNames);
  const chains = mergeExtensions(rooms).map(({ extension }) => extension);
  expect(chains.toSorted()).toEqual([
    'export-templates',
    'fixity',
    'logins',
    'loudness',
    'metadata-tables',
    'review',
    'runners',
    'scim',
    'shares',
    'stylesheets',
  ]);
  expect([(await tables()).has('sound'), (await tables()).has('item')]).toEqual([false, true]);
  await start();
  expect([(await tables()).has('sound'), (await tables()).has('export_template')]).toEqual([true, true]);
  await start(...extensionNames);
  expect((await tables()).has('sound')).toBe(true);
});

it('refuses unknown names of extensions', () => {
  expect(() => readSettings({ PORTICO_WITHOUT: 'captoins' })).toThrow(
    'Expected extensions in PORTICO_WITHOUT, of archives,',
  );
});
