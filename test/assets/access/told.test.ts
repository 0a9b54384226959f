import { expect, it } from 'vitest';
import { useFile } from '../../support/files.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';
import { ann, ben, givenTo, storageRows } from '../../support/world.ts';
import { ask, collection, gives, item } from './support.ts';

const http = { http: { url: 'http://hooks.example/in' } };
const watching = { action: http, trigger: { metadata: { modify: '' } } };

it('access: a notification of one item is parked with a reason once whose it is may not read the item', async () => {
  const world = await openWorld('fetch');
  for (const sent of givenTo('access')) await send(world, sent);
  const watch = ask(ben, 'POST /API/item/VX-1/notification', watching);
  for (const sent of [item(ann), gives(ann, 'item/VX-1', { user: 'ben', permission: 'READ' }), watch])
    await send(world, sent);
  const write = async (title: string) => {
    const timespan = [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: title }] }] }];
    await send(world, ask(ann, 'PUT /API/item/VX-1/metadata', { timespan }));
    // The receiver does not answer, so the event before waits for its next attempt.
    await world.clock.advance(600_000);
    await world.service.tick(1000);
    const [row = []] = await world.service.store.read(
      'SELECT state, error, says FROM attempt ORDER BY id DESC LIMIT 1',
    );
    return row;
  };
  expect((await write('one'))[1]).not.toBe('unreadable');
  const { body } = await world.send(ask(ann, 'GET /API/item/VX-1/access'));
  const entry = (JSON.parse(body) as { access: { id: string; permission: string }[] }).access.find(
    ({ permission }) => permission === 'READ',
  )!;
  await send(world, ask(ann, `DELETE /API/item/VX-1/access/${entry.id}`));
  expect(await write('two')).toEqual([
    'parked',
    'unreadable',
    'Expected a user who may read the item VX-1: ben may not any more',
  ]);
  // The notification goes on by itself when the right is there again.
  await send(world, gives(ann, 'item/VX-1', { user: 'ben', permission: 'READ' }));
  expect((await write('three'))[1]).not.toBe('unreadable');
});

it('access: whose notification cannot be told is not asked before a change either', async () => {
  const world = await openWorld('fetch');
  for (const sent of givenTo('access')) await send(world, sent);
  for (const sent of [item(ann), gives(ann, 'item/VX-1', { user: 'ben', permission: 'READ' })]) await send(world, sent);
  const asked = { action: { http: { ...http.http, synchronous: true } }, trigger: watching.trigger };
  const change = () => {
    const timespan = [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'x' }] }] }];
    return world.send(ask(ann, 'PUT /API/item/VX-1/metadata', { timespan }));
  };
  await send(world, ask(ben, 'POST /API/item/VX-1/notification', asked));
  expect((await change()).status).toBe(503);
  await send(world, ask(ann, 'POST /API/item/VX-1/access', { user: 'ben', permission: 'NONE', priority: 5 }));
  expect((await change()).status).toBe(200);
  await world.service.tick(1000);
  const rows = await world.service.store.read(`SELECT error FROM attempt WHERE state = 'parked'`);
  expect(rows).toEqual([['unreadable']]);
});

const until = (year: number) => ({ expiryTime: `${year}-01-01T00:00:00.000Z` });
const locked = { deletionLock: { modify: '' } };

it.each([
  ['collection', 'collection/VX-1', { collection: { metadata: { modify: '' } } }],
  ['lock of an item', 'item/VX-1', locked],
  ['lock of a file', 'file/VX-1', locked],
] as const)(
  'access: a notification about one %s is told while whose it is may read that',
  async (_name, place, trigger) => {
    const world = await openWorld('fetch');
    for (const sent of givenTo('access')) await send(world, sent);
    for (const role of ['collection', 'deletion_lock'])
      await send(world, by(`PUT /API/group/_${role}_notification_write/user/ben`));
    for (const sent of [item(ann), collection(ann)]) await send(world, sent);
    await storageRows(world);
    await send(world, by('POST /API/storage/VX-1/file?path=a.mov&state=CLOSED'));
    await useFile(world, 'VX-1', 'VX-1 VX-7 VX-8');
    const readable = place.replace('file/', 'item/');
    await send(world, gives(ann, readable, { user: 'ben', permission: 'READ' }));
    if (trigger === locked) await send(world, by(`POST /API/${place}/deletion-lock`, until(2090)));
    const at = trigger === locked ? 'deletion-lock/VX-1' : place;
    await send(world, ask(ben, `POST /API/${at}/notification`, { action: http, trigger }));
    let year = 2090;
    const change = async () => {
      const field = [{ name: 'title', value: [{ value: `${++year}` }] }];
      const metadata = { timespan: [{ start: '-INF', end: '+INF', field }] };
      const changed =
        trigger === locked ? by(`PUT /API/${at}`, until(year)) : by(`PUT /API/${place}/metadata`, metadata);
      await send(world, changed);
      await world.clock.advance(600_000);
      await world.service.tick(1000);
      const [row = []] = await world.service.store.read('SELECT error FROM attempt ORDER BY id DESC LIMIT 1');
      return row[0];
    };
    expect(await change()).not.toBeOneOf([undefined, 'unreadable']);
    await send(world, by(`POST /API/${readable}/access`, { user: 'ben', permission: 'NONE', priority: 5 }));
    expect(await change()).toBe('unreadable');
  },
);
