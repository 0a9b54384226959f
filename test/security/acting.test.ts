import { describe, expect, it } from 'vitest';
import { notificationRoutes } from '../../src/administration/notifications/routes.ts';
import { anyCaller, type Route } from '../../src/http/route.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { shareOfRows } from '../support/long.ts';
import { describeMatrix, type Entry, type Sent, shareOf, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { boss, byToken, type How, newToken, portal, prepareRunners } from '../support/ways.ts';
import { databaseAfter } from '../support/world.ts';
import { everyRoute, filled, nameOf } from './roles/routes.ts';
import { ruleOf } from './roles/rules.ts';
import { storageOf, storageRowsOf } from './roles/storages.ts';

/**
 * `portal` has the role `_runas` and no other. It acts for `boss`, an administrator, on every route that writes.
 * Each route declares what happens then.
 */

const writing = everyRoute.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS');
const actsFor = (as: Credentials, name: string): How => ({ as, headers: { runas: name } });

/** Everything that is stored, but what the service writes about the request itself. */
async function stored(world: World): Promise<string> {
  const { store } = world.service;
  const tables = await store.read(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('audit', 'serial')`,
  );
  const hasRows = tables.map(([name]) => `SELECT '${name}' WHERE EXISTS (SELECT 1 FROM "${name}")`);
  const withRows = await store.read(hasRows.join(' UNION ALL '));
  const rows = withRows.map(async ([name]) => [name, await store.read(`SELECT * FROM "${name}"`)]);
  return JSON.stringify(await Promise.all(rows));
}

type Asked = Omit<Sent, 'as'>;

const statusOf = async (world: World, how: How, asked: Asked) =>
  (await world.send({ ...asked, ...how, headers: { ...asked.headers, ...how.headers } })).status;

async function isRefused(world: World, how: How, sent: Asked): Promise<void> {
  const before = await stored(world);
  const { status, headers, body } = await world.send({
    ...sent,
    ...how,
    headers: { ...sent.headers, ...how.headers, accept: 'application/json' },
  });
  expect([sent.request, status, headers.get('portico-error')]).toEqual([sent.request, 403, 'not-allowed']);
  expect(body).toContain('header RunAs');
  expect(await stored(world), `${sent.request} changes nothing, and no event tells of it`).toBe(before);
}

const put = (path: string, body?: Sent['body']) => ({ request: `PUT /API${path}`, body });
const remove = (path: string) => ({ request: `DELETE /API${path}` });
const groups = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });
const metadata = { field: [{ key: 'a', value: 'b' }] };

/** Routes that refuse some requests of a caller that only acts: what it may, and what it may not. */
const partly: Readonly<Record<string, { readonly may: readonly Sent[]; readonly mayNot: readonly Sent[] }>> = {
  'PUT /user/:name': {
    may: [
      put('/user/boss', { userName: 'boss', realName: 'The boss', metadata }),
      // As clients send a document back.
      put('/user/boss', { userName: 'boss', realName: 'B', runAs: false, groupList: groups('_administrator') }),
    ],
    mayNot: [
      put('/user/boss', { userName: 'boss', password: 'of the portal' }),
      put('/user/boss', { userName: 'chief' }),
      put('/user/boss', { userName: 'boss', alias: ['chief'] }),
      put('/user/boss', { userName: 'boss', runAs: true }),
      put('/user/boss', { userName: 'boss', groupList: groups('crew') }),
      put('/user/boss', { userName: 'boss', groupList: { group: [{ groupName: '_administrator', remove: true }] } }),
      put('/user/alice', { userName: 'alice', realName: 'A' }),
      put('/user/portal', { userName: 'portal', groupList: groups('_administrator') }),
      put('/user/fresh'),
    ],
  },
  'PUT /user/:name/realname': {
    may: [put('/user/boss/realname', 'The boss')],
    mayNot: [put('/user/alice/realname', 'A')],
  },
  'DELETE /user/:name/tokens': { may: [remove('/user/boss/tokens')], mayNot: [remove('/user/alice/tokens')] },
  'DELETE /user/:name/tokens/:id': { may: [remove('/user/boss/tokens/T')], mayNot: [remove('/user/alice/tokens/T')] },
  'PUT /user/:name/metadata': {
    may: [put('/user/boss/metadata', metadata)],
    mayNot: [put('/user/alice/metadata', metadata)],
  },
  'DELETE /user/:name/metadata': { may: [remove('/user/boss/metadata')], mayNot: [remove('/user/alice/metadata')] },
  'PUT /user/:name/metadata/:key{.+}': {
    may: [put('/user/boss/metadata/a', 'b')],
    mayNot: [put('/user/alice/metadata/a', 'b')],
  },
  'DELETE /user/:name/metadata/:key{.+}': {
    may: [remove('/user/boss/metadata/a')],
    mayNot: [remove('/user/alice/metadata/a')],
  },
  'PUT /storage/:storage/auto-import': {
    may: [put(`/storage/${storageOf('boss')}/auto-import`, { tag: ['original'] })],
    mayNot: [put(`/storage/${storageOf('boss')}/auto-import`, { user: 'boss' })],
  },
  'PUT /metadata-field/field-group/:group': {
    may: [put('/metadata-field/field-group/fresh', { field: [{ name: 'x_fresh', type: 'date' }] })],
    mayNot: [put('/metadata-field/field-group/fresh', { access: [{ user: 'portal', permission: 'DELETE' }] })],
  },
  'PUT /group/:name': {
    may: [put('/group/fresh'), put('/group/crew', { description: 'changed', metadata })],
    mayNot: [
      put('/group/_group_write', { userList: { user: [{ userName: 'portal' }] } }),
      put('/group/crew', { parentGroupList: groups('_group_write') }),
      put('/group/crew', { childGroupList: groups('_runas') }),
      put('/group/other', { userList: { user: [{ userName: 'portal' }] } }),
      put('/group/full?clear=true', {}),
    ],
  },
};

/** Where a valid request needs more than the one below. */
const tokenOfBoss = {
  sql: `INSERT INTO token SELECT 'digest', 'T', id, 1, NULL, NULL, NULL, NULL, NULL, 'token', 1, 0, 1, 1, 9e15, NULL, 'password', NULL, NULL, NULL, NULL, 0 FROM user WHERE name = 'boss'`,
};

const withCast = databaseAfter(castOf);
const openActing = async (open: Entry['open']): Promise<World> => open({ database: await withCast() });

async function castOf(world: World): Promise<void> {
  await prepareRunners(world);
  const full = newGroup('full', { userList: { user: [{ userName: 'alice' }] } });
  await prepare(world, [newGroup('crew'), full]);
  await storageRowsOf(world, 'boss');
}

const ofNotifications = notificationRoutes({ settings: {}, entities: {} } as never).flatMap((group) => group.make());

describe('what a caller that only acts may do', () => {
  it('a route that writes and does not say it does not compile', () => {
    const handle = () => ({ status: 200 });
    // @ts-expect-error: it has no answer.
    const unanswered: Route = { method: 'PUT', path: '/x', says: 'x', access: anyCaller, produces: [], handle };
    expect(unanswered.acting).toBeUndefined();
  });

  it('is said by every route that writes', () => {
    const every = [...writing, ...ofNotifications.filter(({ method }) => method !== 'GET')];
    expect(every.filter(({ acting }) => acting === undefined).map(nameOf)).toEqual([]);
  });

  it('is tried both ways where a route refuses only some requests', () => {
    const some = writing.filter(({ acting }) => acting !== 'allowed' && acting !== 'refused');
    expect(Object.keys(partly).toSorted()).toEqual(some.map(nameOf).toSorted());
  });
});

/** Routes of an entity's maker: an administrator who acts for another is not that person. */
const inPerson = new Set(['POST /share/:share/token']);

describeMatrix('a caller that only acts for an administrator', (entry) => {
  // Routes that only have to be allowed name what they need by themselves, so one service is enough for them.
  const shared = entry.shared(castOf);
  for (const [number, route] of shareOf(entry, [...writing.entries()])) {
    const name = nameOf(route);
    const only = actsFor(portal, boss[0]);

    if (route.acting === 'refused') {
      it(`is refused ${name}, which an administrator who acts may use`, async () => {
        const world = await openActing(entry.open);
        const { given, rows, request, allowed = 200 } = ruleOf(route);
        const token = await newToken(world, only);
        await prepare(world, given?.('portal'));
        await rows?.(world, 'portal');
        for (const how of shareOfRows(2, [only, byToken(token)], number >> 1))
          await isRefused(world, how, request('portal'));
        expect(inPerson.has(name) ? [404] : [allowed, 201, 204]).toContain(
          await statusOf(world, actsFor(admin, boss[0]), request('portal')),
        );
      });
    } else if (route.acting === 'allowed') {
      it(`may use ${name}, as the administrator may`, async () => {
        const world = shared();
        const { given, rows, request, allowed = 299 } = ruleOf(route);
        const who = `acting-${number}`;
        await prepare(world, [newUser([who, 'p'])]);
        await prepare(world, given?.(who));
        await rows?.(world, who, boss[0]);
        expect(await statusOf(world, only, request(who))).toBeLessThanOrEqual(allowed);
      });
    } else {
      it(`may use ${name} for what does not outlast the right to act, and for nothing else`, async () => {
        const world = await openActing(entry.open);
        const token = await newToken(world, only);
        await world.service.store.commit({ changes: [{ ...tokenOfBoss, args: [] }], events: [] }, { user: 'test' });
        for (const sent of partly[name]!.mayNot) {
          await isRefused(world, only, sent);
          await isRefused(world, byToken(token), sent);
        }
        for (const sent of partly[name]!.may)
          expect([sent.request, await statusOf(world, only, sent)]).toEqual([sent.request, 200]);
      });
    }
  }

  it('makes and changes no notification and no secret of one, and operates those that are there', async () => {
    const world = await openActing(entry.open);
    const refused: string[] = [];
    for (const route of ofNotifications) {
      if (route.method === 'GET') continue;
      const request = `${route.method} /API${filled(route.path)}`;
      if (route.acting === 'refused') {
        await isRefused(world, actsFor(portal, boss[0]), { request, body: {} });
        refused.push(nameOf(route));
      }
      // The notification is not there: an administrator who acts is told that, and so is the caller of other routes.
      const how = actsFor(route.acting === 'refused' ? admin : portal, boss[0]);
      expect([request, (await statusOf(world, how, { request, body: {} })) === 403]).toEqual([request, false]);
    }
    const kinds = new Set(refused.map((name) => name.replace(/ .*(?=\/notification)/, ' ').replace(/\/+/g, '/')));
    expect([...kinds].toSorted()).toEqual([
      'POST /notification',
      'POST /notification/:notification/secret',
      'PUT /notification/:notification',
    ]);
  });
});
