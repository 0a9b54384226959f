import { expect, it } from 'vitest';
import { newGroup, newUser, people } from '../../support/cast.ts';
import { describeMatrix, type Sent, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import {
  newNotification,
  notificationDocument,
  onCreate,
  onModify,
  parkedRows,
  readyLanes,
  waiting,
  withBean,
} from './support.ts';

const member = (group: string, userName: string): Sent => newGroup(group, { userList: { user: [{ userName }] } });
const remove = (target: string): Sent => ({ as: admin, request: `DELETE /API${target}` });
const put = (target: string, body: object): Sent => ({ as: admin, request: `PUT /API${target}`, body });

/** Requests, and what waits after them. */
const rows: readonly (readonly [name: string, given: readonly Sent[], waits: readonly string[]])[] = [
  ['tells a notification of its event', [newNotification(onCreate), newGroup('crew')], ['VX-1 group/create crew']],
  ['tells it of no other event', [newNotification(onModify), newGroup('crew')], []],
  ['tells nobody where there is nobody', [newGroup('crew')], []],
  [
    'tells each of several events of one change, in order',
    [newNotification({ group: { create: '', modify: '' } }), member('crew', 'alice')],
    ['VX-1 group/create crew', 'VX-1 group/modify crew'],
  ],
  [
    'tells every notification that matches',
    [newNotification(onCreate), newNotification(onCreate), newNotification(onModify), newGroup('crew')],
    ['VX-1 group/create crew', 'VX-2 group/create crew'],
  ],
  [
    'tells one of one entity of that entity only',
    [
      newGroup('crew'),
      newGroup('other'),
      newNotification(onModify, {}, '/group/crew'),
      newGroup('other', { description: 'x' }),
      newGroup('crew', { description: 'x' }),
    ],
    ['VX-1 group/modify crew'],
  ],
  [
    'tells of a deletion',
    [newGroup('crew'), newNotification({ group: { delete: '' } }), remove('/group/crew')],
    ['VX-1 group/delete crew'],
  ],
  [
    'tells nobody who was deleted before',
    [newNotification(onCreate), remove('/group/notification/VX-1'), newGroup('crew')],
    [],
  ],
  [
    'keeps for one that is deleted what was committed before',
    [newNotification(onCreate), newGroup('crew'), remove('/group/notification/VX-1'), newGroup('other')],
    ['VX-1 group/create crew'],
  ],
  [
    'tells by the trigger that holds now, and not again by the one before',
    [
      newNotification(onCreate),
      newGroup('crew'),
      put('/group/notification/VX-1', notificationDocument(onModify)),
      newGroup('other'),
      newGroup('other', { description: 'x' }),
    ],
    ['VX-1 group/create crew', 'VX-1 group/modify other'],
  ],
  ['never tells a placeholder by itself', [newNotification(undefined, {}, ''), newGroup('crew')], []],
  [
    'tells no group notification of users',
    [newNotification({ group: { create: '', modify: '', delete: '' } }), newUser(['zoe', 'p'])],
    [],
  ],
];

const lanesOf = async (world: World): Promise<string[]> =>
  (await world.service.store.read('SELECT notification_id, lane FROM queue ORDER BY notification_id')).map((row) =>
    row.join(' '),
  );

describeMatrix('matching', (entry) => {
  it.each(rows)('%s', async (_name, given, expected) => {
    const world = await entry.open();
    await prepare(world, [...people, ...given]);
    expect(await waiting(world)).toEqual(expected);
  });

  it('commits what happened and who is told together, or neither', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification({ group: { create: '', modify: '' } })]);
    const before = await world.events();
    const refused = await world.send(member('crew', 'nobody'));
    expect(refused.status).toBe(404);
    expect(await world.events()).toEqual(before);
    expect(await waiting(world)).toEqual([]);
  });

  it('makes a lane ready with the first event, and only then', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate), newNotification(onModify, { url: 'http://other.example/' })]);
    expect(await readyLanes(world)).toEqual([]);
    await prepare(world, [newGroup('crew')]);
    expect(await readyLanes(world)).toEqual(['http:http://hooks.example/in']);
  });

  it('makes one lane of what goes to one endpoint or names one group', async () => {
    const world = await entry.open({ security: withBean('Mail') });
    await prepare(world, [
      newNotification(onCreate, { url: 'http://ann:secret@Hooks.example:80/in' }),
      newNotification(onCreate, { url: 'http://hooks.example/in' }),
      newNotification(onCreate, { url: 'http://hooks.example/in?x' }),
      newNotification(onCreate, { group: ' desk ' }),
      newNotification(onCreate, { group: 'desk', url: 'http://elsewhere.example/' }),
      { ...newNotification(onCreate), body: { action: { ejb: { bean: 'Mail', method: 'send' } }, trigger: onCreate } },
    ]);
    expect(await lanesOf(world)).toEqual([
      'VX-1 http:http://hooks.example/in',
      'VX-2 http:http://hooks.example/in',
      'VX-3 http:http://hooks.example/in?x',
      'VX-4 group:desk',
      'VX-5 group:desk',
      'VX-6 ejb:Mail#send',
    ]);
  });

  it('moves what waits to the lane of a new address, and takes away a lane that nobody is in', async () => {
    const world = await entry.open();
    await prepare(world, [
      newNotification(onCreate),
      newGroup('crew'),
      put('/group/notification/VX-1', notificationDocument(onCreate, { url: 'http://mended.example/' })),
    ]);
    expect(await waiting(world)).toEqual(['VX-1 group/create crew']);
    expect(await readyLanes(world)).toContain('http:http://mended.example/');
    await prepare(world, [
      newNotification(onModify, { url: 'http://idle.example/' }),
      remove('/group/notification/VX-2'),
    ]);
    const lanes = await world.service.store.read('SELECT name FROM lane');
    expect(lanes.flat()).not.toContain('http:http://idle.example/');
  });

  it('deletes the notifications of a group with it, but tells them of that', async () => {
    const world = await entry.open();
    await prepare(world, [
      newGroup('crew'),
      newNotification({ group: { delete: '', create: '' } }, {}, '/group/crew'),
      newNotification(onModify, {}, '/group/crew'),
      remove('/group/crew'),
      newGroup('crew'),
    ]);
    expect(await waiting(world)).toEqual(['VX-1 group/delete crew']);
    const list = await world.send({
      as: admin,
      request: 'GET /API/group/crew/notification',
      headers: { accept: 'text/plain' },
    });
    expect([list.status, list.body]).toEqual([200, '']);
    const left = await world.service.store.read('SELECT id FROM notification');
    expect(left).toEqual([['VX-1']]);
    await world.service.store.commit(
      { changes: [{ sql: 'DELETE FROM outbox', args: [] }], events: [] },
      { user: 'test' },
    );
    expect(await world.service.store.read('SELECT id FROM notification')).toEqual([]);
  });

  it('parks what goes round in a circle, and nothing that only claims to', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    const deep = world.service.rooms.notifications.depth.headersFor(7);
    const forged = { 'portico-depth': '99.AAAAAAAAAAAAAAAA' };
    const sent = (name: string, headers: Readonly<Record<string, string>>) => ({ ...newGroup(name), headers });
    await prepare(world, [
      sent('seventh', world.service.rooms.notifications.depth.headersFor(6)),
      sent('eighth', deep),
      sent('traced', { tracestate: `other=1, ${deep['tracestate']}` }),
      sent('forged', forged),
    ]);
    expect(await waiting(world)).toEqual(['VX-1 group/create seventh', 'VX-1 group/create forged']);
    expect(await parkedRows(world)).toEqual(['VX-1 group/create eighth loop', 'VX-1 group/create traced loop']);
  });
});
