import { expect, it } from 'vitest';
import { newItem } from '../../support/assets.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, json, jsonOf, send } from '../../support/requests.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';

const path = '/API/collection/VX-1/version';
const time = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
const segment = { item: 'VX-2', sourceTrack: 1, in: time(0), out: time(50), sourceIn: time(0), sourceOut: time(50) };
const sequence = [{ track: [{ audio: false, segment: [segment] }] }];
const title = { timespan: [{ field: [{ name: 'title', value: [{ value: 'Fine cut' }] }] }] };

/** A project of the owner, and three items, the third of somebody else. */
async function open() {
  const world = await openWorld('fetch');
  const project = by('POST /API/collection/project', { name: 'Film' }, json, owner);
  for (const sent of [...givenTo('assets'), project, newItem('', owner), newItem('', owner), newItem('', stranger)]) {
    await send(world, sent);
  }
  return world;
}

it('a version of a project is a collection in it, with items, sequences and metadata', async () => {
  const world = await open();
  await send(world, by('PUT /API/external-id/ns', { pattern: 'clip.*' }));
  await send(world, by('PUT /API/item/VX-2/external-id/clip2', undefined, json, owner));
  const { sequence: before } = (await world.events()).at(-1)!;
  const version = { item: [{ id: 'VX-1' }, { externalId: 'clip2' }, { id: 'VX-1' }], sequence, metadata: title };
  const answer = await send(world, by(`POST ${path}`, version, json, owner));
  expect(JSON.parse(answer.body)).toEqual({ uri: ['VX-2'] });
  expect(answer.headers.get('location')).toMatch(/\/collection\/VX-2$/);
  expect((await world.events(before)).map(({ name, entity }) => `${name} ${entity}`)).toEqual([
    'collection/create VX-2',
    'collection/metadata/modify VX-2',
    'collection/metadata/modify VX-2',
    'collection/modify VX-1',
  ]);
  expect(await jsonOf(world, 'GET /API/collection/VX-1', owner)).toMatchObject({
    name: 'Film',
    content: [{ id: 'VX-2', type: 'collection' }],
  });
  const made = await jsonOf(world, 'GET /API/collection/VX-2', owner);
  expect(made).toMatchObject({
    id: 'VX-2',
    name: 'Fine cut',
    content: [
      { id: 'VX-1', type: 'item' },
      { id: 'VX-2', type: 'item' },
    ],
    sequence,
  });
});

it('a version stays what it was, and goes with its sequences alone', async () => {
  const world = await open();
  for (const item of ['VX-1', 'VX-2']) {
    await send(world, by(`POST ${path}`, { item: [{ id: item }], sequence }, json, owner));
  }
  const contentOf = async (id: string) =>
    (await jsonOf<{ content: object[] }>(world, `GET /API/collection/${id}`)).content;
  expect([await contentOf('VX-2'), await contentOf('VX-3')]).toMatchObject([[{ id: 'VX-1' }], [{ id: 'VX-2' }]]);
  await send(world, by('DELETE /API/collection/VX-2', undefined, json, owner));
  expect(await contentOf('VX-1')).toMatchObject([{ id: 'VX-3' }]);
  const kept = await world.service.store.read(`SELECT owner_id FROM attachment WHERE kind = 'version-sequences'`);
  expect(kept).toEqual([['VX-3']]);
  // A version without sequences shows none, and answers its id as text.
  const bare = await send(world, by(`POST ${path}`, {}, { accept: 'text/plain' }, owner));
  expect(bare.body).toBe('VX-4\r\n');
  expect(await jsonOf(world, 'GET /API/collection/VX-4', owner)).not.toHaveProperty('sequence');
});

it.each([
  ['an item that is not there', { item: [{ id: 'VX-9' }] }, 404, owner],
  ['an item that the caller may not read', { item: [{ id: 'VX-3' }] }, 403, owner],
  ['an address of an item', { item: [{ uri: 'file:///clip.mov' }] }, 400, owner],
  [
    'a sequence of an unknown item',
    { sequence: [{ track: [{ segment: [{ item: 'VX-9', sourceTrack: 1 }] }] }] },
    404,
    owner,
  ],
  [
    'a sequence of an item out of sight',
    { sequence: [{ track: [{ segment: [{ item: 'VX-3', sourceTrack: 1 }] }] }] },
    404,
    owner,
  ],
  ['51 sequences', { sequence: Array.from({ length: 51 }, () => ({})) }, 400, owner],
  ['a project of somebody else', {}, 403, stranger],
] as const)('refuses %s, and makes nothing', async (_what, version, status, as) => {
  const world = await open();
  const { sequence: before } = (await world.events()).at(-1)!;
  expect((await world.send(by(`POST ${path}`, version, json, as))).status).toBe(status);
  expect(await world.events(before)).toEqual([]);
});
