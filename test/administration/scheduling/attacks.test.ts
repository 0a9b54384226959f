import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carryOutRequest } from '../../../src/administration/scheduling/scheduled-work.ts';
import { findRequest } from '../../../src/administration/scheduling/store.ts';
import { newUser } from '../../support/cast.ts';
import { basic, type Sent, type World } from '../../support/matrix.ts';
import { receiving, register } from '../../support/receiver.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, testSettings } from '../../support/service.ts';
import {
  allowRunAs,
  byToken,
  newKey,
  newToken,
  removeUser,
  setPassword,
  setStatus,
  switchTo,
} from '../../support/ways.ts';
import { maker, other } from '../../support/world.ts';
import { at, collectionNames, later, newCollection, openScheduling, outcome, pass, scheduled, see } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await openScheduling({ settings: { outboundAllow: ['127.0.0.1'], maxScheduled: 3 } });
});
afterAll(() => world.close());

let count = 0;

/** Somebody new who makes collections, and the request for one with a name of its own. */
async function newMaker() {
  const name = `maker-${++count}`;
  const who: Credentials = [name, `password of ${name}`];
  await prepare(world, [newUser(who, ['_collection_read', '_collection_write'])]);
  return { name, who, sent: { ...newCollection(`late-${name}`), as: who } };
}

/** The same with an account that acts for them. */
async function newPair() {
  const made = await newMaker();
  const portal: Credentials = [`portal-${made.name}`, 'password of a portal'];
  await prepare(world, [newUser(portal, ['_runas'], { runAs: true })]);
  const acting = { ...made.sent, as: portal, headers: { runas: made.name } };
  return { ...made, portal, acting };
}

const notMade = async (name: string) => expect(await collectionNames(world)).not.toContain(`late-${name}`);
const leaveGroup = (user: string, group: string) => ({
  as: admin,
  request: `PUT /API/group/${group}`,
  body: { userList: { user: [{ userName: user, remove: true }] } },
});
const refusedLater = (status: number, says: string) => ['BAD_REQUEST', status, expect.stringContaining(says)];

/** Each time nothing happens at the time of the request, and its answer says why. */
describe('scheduling does not outlast the right to', () => {
  it.each<readonly [string, (name: string) => Promise<unknown>, string]>([
    [
      'a role that is taken away',
      (name) => prepare(world, [leaveGroup(name, '_collection_write')]),
      '_collection_write',
    ],
    ['a user who is disabled', (name) => switchTo(world, name, false), 'to be enabled'],
    ['a user who is deleted', (name) => removeUser(world, name), 'to exist'],
    [
      'a user who is deleted and whose name another one gets',
      async (name) => {
        await removeUser(world, name);
        await prepare(world, [newUser([name, 'p'], ['_collection_write'])]);
      },
      'to exist',
    ],
    ['a password that was stolen and changed', (name) => setPassword(world, name, 'another'), 'password'],
  ])('%s', async (_what, end, says) => {
    const { name, sent } = await newMaker();
    expect(await outcome(world, sent, () => end(name))).toEqual(refusedLater(403, says));
    await notMade(name);
  });

  it('an access key that was stolen and switched off', async () => {
    const { name, sent } = await newMaker();
    const { id, pair } = await newKey(world, name);
    const end = () => prepare(world, [setStatus(name, id, 'INACTIVE')]);
    expect(await outcome(world, { ...sent, as: pair }, end)).toEqual(refusedLater(403, id));
    await notMade(name);
  });

  it.each<readonly [string, (name: string) => Promise<unknown>, string]>([
    ['act for others', (name) => allowRunAs(world, `portal-${name}`, false), 'act for others'],
    ['act for a user who is disabled', (name) => switchTo(world, name, false), 'to be enabled'],
    ['act as an account that is disabled', (name) => switchTo(world, `portal-${name}`, false), 'portal'],
  ])('%s', async (_what, end, says) => {
    const { name, acting } = await newPair();
    expect(await outcome(world, acting, () => end(name))).toEqual(refusedLater(403, says));
    await notMade(name);
  });

  it('act by a token that another account asked for', async () => {
    const { name, sent, portal } = await newPair();
    const token = await newToken(world, { as: portal, headers: { runas: name } });
    const byIt: Sent = { ...sent, as: undefined, ...byToken(token) };
    const end = () => allowRunAs(world, portal[0], false);
    expect(await outcome(world, byIt, end)).toEqual(refusedLater(403, 'act for others'));
    await notMade(name);
  });
});

describe('an attacker who schedules', () => {
  it('does not evade the veto of a receiver', async () => {
    const { name, sent } = await newMaker();
    const receiver = await receiving();
    receiver.script({ status: 422, body: 'Not today' });
    const trigger = { collection: { create: '' } };
    const id = await register(world, { url: receiver.address, synchronous: true }, trigger, '/collection');
    expect(await outcome(world, sent)).toEqual(refusedLater(400, 'Not today'));
    expect(receiver.received).toHaveLength(1);
    await notMade(name);
    await prepare(world, [{ as: admin, request: `DELETE /API/collection/notification/${id}` }]);
  });

  it('acts in the name of the account that came in, also in the log', async () => {
    const { name, who, acting, portal } = await newPair();
    const { id } = await scheduled(world, acting);
    await pass(world);
    expect(await collectionNames(world)).toContain(`late-${name}`);
    const line = world.lines.find((each) => each['id'] === `scheduled-${id}`);
    expect(line).toMatchObject({ user: portal[0], runAs: name });
    expect((await see(world, id, who)).user).toBe(name);
  });

  it('becomes nobody else by headers of the request, which are not kept', async () => {
    const { acting } = await newPair();
    const { id } = await scheduled(world, { ...acting, headers: { ...acting.headers, cookie: 'a=b' } });
    const [row] = await world.service.store.read('SELECT headers FROM scheduled_request WHERE id = ?', [id]);
    expect(JSON.parse(String(row![0]))).toEqual([['accept', 'application/json']]);
  });

  it.each([
    ['about scheduled requests', { request: 'DELETE /API/scheduled-request' }],
    ['that gives an account a password', { as: admin, request: 'PUT /API/user/maker/password', body: 'new' }],
    ['that makes a user', { as: admin, request: 'POST /API/user', body: { userName: 'u', password: 'p' } }],
    ['for a token', { request: 'GET /API/token' }],
    ['that makes an access key', { as: admin, request: 'POST /API/user/maker/key' }],
    ['that grants access', { as: admin, request: 'PUT /API/group/_administrator', body: {} }],
    ['for all events, which never ends', { as: admin, request: 'GET /API/event' }],
    ['with a password in an address', { request: 'POST /API/collection?name=ftp://u:p@host/x' }],
    ['with a password as a parameter', { request: 'POST /API/collection?name=x&password=p' }],
    ['with a password in a document', { request: 'POST /API/collection', body: { name: 'x', password: 'p' } }],
    [
      'with a secret as key and value',
      { request: 'POST /API/collection', body: { metadata: { field: [{ key: 'api_token', value: 't' }] } } },
    ],
    [
      'with a password in XML',
      {
        request: 'POST /API/collection',
        headers: { 'content-type': 'application/xml' },
        body: '<CollectionDocument><name>x</name><dbPassword>p</dbPassword></CollectionDocument>',
      },
    ],
  ])('has no request kept %s', async (_what, asked: Sent) => {
    const rows = () => world.service.store.read('SELECT max(id) FROM scheduled_request');
    const before = await rows();
    const { status } = await world.send(later(world, asked));
    expect([status >= 400 && status < 500, await rows()]).toEqual([true, before]);
  });

  it('leaves no password, token or key in the database', async () => {
    const { name, who, sent } = await newMaker();
    const { pair } = await newKey(world, name);
    const token = await newToken(world, { as: who });
    for (const how of [{ as: who }, { as: pair }, { as: undefined, ...byToken(token) }])
      await scheduled(world, { ...sent, ...how });
    const rows = JSON.stringify(await world.service.store.read('SELECT * FROM scheduled_request'));
    for (const secret of [who[1], pair[1], token, 'asic ']) expect(rows).not.toContain(secret);
  });

  it('does not see, read or delete the requests of others', async () => {
    const { who, sent } = await newMaker();
    const { id } = await scheduled(world, sent);
    await pass(world);
    const asked = ['GET ', 'DELETE ', 'GET /response'].map(async (what) => {
      const [method, rest = ''] = what.split(' ');
      return (await world.send({ as: other, request: `${method} /API/scheduled-request/${id}${rest}` })).status;
    });
    expect(await Promise.all(asked)).toEqual([404, 404, 404]);
    expect((await world.send({ as: other, request: 'DELETE /API/scheduled-request' })).status).toBe(200);
    expect((await see(world, id, who)).id).toBe(id);
  });

  it('has a bounded number of requests that wait, and of others that are kept', async () => {
    const { name, who } = await newMaker();
    const make = (index: number) => scheduled(world, { ...newCollection(`${name}-${index}`), as: who }, index);
    for (const index of [1, 2, 3]) await make(index);
    const more = await world.send(later(world, { ...newCollection('more'), as: who }));
    expect([more.status, more.headers.get('portico-error')]).toEqual([429, 'too-many-scheduled']);
    // Not at the cost of somebody else.
    await scheduled(world, { ...newCollection('theirs'), as: other });
    await pass(world, 3);
    for (const index of [4, 5, 6]) await make(index);
    await pass(world, 6);
    const sql = 'SELECT count(*) FROM scheduled_request WHERE user = ?';
    expect(await world.service.store.read(sql, [name])).toEqual([[3]]);
    const all = [1, 2, 3, 4, 5, 6].map((index) => `${name}-${index}`);
    expect(await collectionNames(world)).toEqual(expect.arrayContaining(all));
  });

  it('begins no circle of deliveries anew: a request tells how many led to it', async () => {
    const { depth } = world.service.rooms.notifications;
    const { who, sent } = await newMaker();
    const { id } = await scheduled(world, { ...sent, headers: depth.headersFor(3) });
    await pass(world, 120);
    expect((await see(world, id, who)).state).toBe('SUCCESS');
    const sql = `SELECT depth FROM event WHERE name = 'collection/create' ORDER BY sequence DESC LIMIT 1`;
    expect(await world.service.store.read(sql)).toEqual([[4]]);
  });

  it('gets no type from this host that a browser runs', async () => {
    const { who, sent } = await newMaker();
    const { id } = await scheduled(world, sent);
    await pass(world);
    const change = `UPDATE scheduled_request SET content_type = 'text/html' WHERE id = ?`;
    await world.service.store.commit({ changes: [{ sql: change, args: [id] }], events: [] }, { user: 'test' });
    const { headers } = await world.send({ as: who, request: `GET /API/scheduled-request/${id}/response` });
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toContain('attachment');
  });

  it('has no answer kept that nobody is to store', async () => {
    const answer = () => new Response('a credential', { headers: { 'cache-control': 'no-store' } });
    const parts = { carryOut: async () => answer(), services: { depthHeaders: () => ({}) }, settings: testSettings };
    const { id } = await scheduled(world, newCollection('x'));
    const row = (await findRequest(world.service.store, { id }))!;
    const result = await carryOutRequest(parts as unknown as Parameters<typeof carryOutRequest>[0], row);
    expect(result).toMatchObject({ state: 'SUCCESS', status: 200, response: null });
    await prepare(world, [{ as: maker, request: `DELETE /API/scheduled-request/${id}` }]);
  });

  it('meets the filters of the chain again, from the address of then', async () => {
    const asked = new Request('http://portico.test/API/whoami', {
      headers: { authorization: basic(maker), schedule: at(world, 5) },
    });
    expect((await world.service.fetch(asked, { address: '192.0.2.7' })).status).toBe(202);
    await pass(world);
    const line = world.lines.findLast(({ event }) => event === 'request');
    expect(line).toMatchObject({ path: '/whoami', from: '192.0.2.7', status: 200 });
  });
});
