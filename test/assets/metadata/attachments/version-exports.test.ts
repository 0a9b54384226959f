import { expect, it } from 'vitest';
import { newestVersion } from '../../../../src/extensions/projects/store.ts';
import { newItem } from '../../../support/assets.ts';
import { openWorld } from '../../../support/matrix.ts';
import { by, json, send } from '../../../support/requests.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';

const at = (samples: number, rate = 25) => ({ samples, timeBase: { numerator: 1, denominator: rate } });
const cut = (item: string, from: number, to: number, rate = 25) => ({
  track: [{ segment: [{ item, sourceTrack: 1, in: at(from, rate), out: at(to, rate) }] }],
});
const title = { timespan: [{ field: [{ name: 'title', value: [{ value: 'Fine cut' }] }] }] };
const project = '/API/collection/VX-1';
const version = '/API/collection/VX-2';

/** The project VX-1 of the owner, and its version VX-2 of the items VX-1 and VX-2. The item VX-3 is somebody else's. */
async function opened(sequence: readonly object[]) {
  const world = await openWorld('fetch');
  for (const sent of [
    ...givenTo('assets'),
    by('POST /API/collection/project', { name: 'Film' }, json, owner),
    ...[owner, owner, stranger].map((whose) => newItem('', whose)),
    by(`POST ${project}/version`, { item: [{ id: 'VX-2' }, { id: 'VX-1' }], sequence, metadata: title }, json, owner),
  ]) {
    await send(world, sent);
  }
  return world;
}

it('the sequence of a version is an EDL, and nothing happens', async () => {
  const world = await opened([cut('VX-1', 0, 50)]);
  const before = await world.sequence();
  const answer = await send(world, by(`GET ${version}/version/export?type=edl`, undefined, json, owner));
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Fine cut.edl"/);
  expect(answer.body.split('\r\n').slice(0, 4)).toEqual([
    'TITLE: Fine cut',
    'FCM: NON-DROP FRAME',
    '',
    '001  VX1      V     C        00:00:00:00 00:00:02:00 00:00:00:00 00:00:02:00',
  ]);
  expect(await world.events(before)).toEqual([]);
});

it('several sequences are one document for Final Cut Pro, in which an item is one file', async () => {
  const sequences = [{ ...cut('VX-1', 0, 50), id: 'long' }, cut('VX-1', 0, 75), cut('VX-1', 0, 30, 30)];
  const world = await opened(sequences);
  const item = [{ id: 'VX-1', path: 'file:///media/one.mov' }];
  const answer = await send(world, by(`POST ${version}/version/export?type=fcp`, { item }, json, owner));
  const all = (form: RegExp) => Array.from(answer.body.matchAll(form), ([, found]) => found);
  expect(all(/<sequence id="([^"]*)"/g)).toEqual(['long', 'VX-2-2', 'VX-2-3']);
  expect(all(/<sequence id="[^"]*"><name>([^<]*)/g)).toEqual(['long', 'Fine cut 2', 'Fine cut 3']);
  expect(all(/<clipitem id="([^"]*)"/g)).toEqual(['clipitem-1', 'clipitem-2', 'clipitem-3']);
  // The length of a file is counted in pictures, so another rate has another file.
  expect(all(/<file id="([^"]*)"/g)).toEqual(['file-1', 'file-1', 'file-2']);
  expect(all(/<pathurl>([^<]*)/g)).toEqual(['file:///media/one.mov', 'file:///media/one.mov']);
  expect(all(/<file id="file-1">.*?<duration>(\d+)/g)).toEqual(['75']);
  const list = await world.send(by(`GET ${version}/version/export?type=edl`, undefined, json, owner));
  expect([list.status, list.body]).toEqual([400, expect.stringContaining('Expected at most 1 in the format')]);
  const told = await world.send(by(`GET ${version}/version/export?type=edl&dryRun=true`, undefined, json, owner));
  expect([told.status, told.body]).toEqual([200, expect.stringMatching(/<problem><type>sequence<\/type>/)]);
});

it('in the own format a version is a document that makes the same version again', async () => {
  const world = await opened([cut('VX-1', 0, 50)]);
  const { body } = await send(world, by(`GET ${version}/version/export`, undefined, {}, owner));
  expect(body).toMatch(/<ProjectVersionDocument .*<item><id>VX-2<\/id><\/item><item><id>VX-1<\/id><\/item><sequence>/s);
  const xml = { 'content-type': 'application/xml' };
  await send(world, by(`POST ${project}/version`, body, xml, owner));
  const again = await send(world, by('GET /API/collection/VX-3/version/export', undefined, {}, owner));
  expect(again.body).toBe(body.replace('<id>VX-2</id>', '<id>VX-3</id>'));
});

it('of a project, the newest version that has sequences is exported', async () => {
  const world = await opened([cut('VX-1', 0, 50)]);
  const read = () => send(world, by(`GET ${project}/version/export`, undefined, {}, owner));
  expect((await read()).body).toContain('<id>VX-2</id>');
  await send(world, by(`POST ${project}/version`, { sequence: [cut('VX-2', 0, 5)] }, json, owner));
  await send(world, by(`POST ${project}/version`, {}, json, owner));
  expect((await read()).body).toContain('<id>VX-3</id>');
});

it('the newest version of a project is found without a look at its items', async () => {
  const { store } = (await opened([cut('VX-1', 0, 50)])).service;
  const plans: string[] = [];
  const reader = {
    async read(sql: string, args: readonly (string | number)[]) {
      for (const row of await store.read(`EXPLAIN QUERY PLAN ${sql}`, args)) plans.push(String(row[3]));
      return store.read(sql, args);
    },
  };
  expect(await newestVersion(reader as never, { project: 'VX-1' })).toEqual([{ id: 'VX-2' }]);
  expect(plans[0]).toMatch(/^SEARCH collection_member .*\(collection_id=\? AND member_type=\?\)/);
});

it.each([
  ['a collection that is no version', 'GET /API/collection/VX-3/version/export', undefined, owner, 404],
  ['a version out of sight', `GET ${version}/version/export`, undefined, stranger, 403],
  ['an unknown format', `GET ${version}/version/export?type=aaf`, undefined, owner, 501],
  ['a sequence in the body', `POST ${version}/version/export`, { sequence: {} }, owner, 400],
  ['an address to write to', `POST ${version}/version/export?uri=file:///tmp/a`, undefined, owner, 501],
])('is refused: %s', async (_title, request, body, as, status) => {
  const world = await opened([cut('VX-1', 0, 50)]);
  await send(world, by('POST /API/collection', { name: 'Plain' }, json, owner));
  expect((await world.send(by(request, body, json, as))).status).toBe(status);
});
