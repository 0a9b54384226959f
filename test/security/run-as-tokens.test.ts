import { expect, it } from 'vitest';
import { describeMatrix, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import {
  acting,
  alice,
  allowRunAs,
  byToken,
  json,
  lastLine,
  newKey,
  newToken,
  openRunners,
  portal,
  sendWell,
  setPassword,
  setStatus,
  switchTo,
  whoIs,
} from '../support/ways.ts';

describeMatrix('run-as and tokens', (entry) => {
  const open = () => openRunners(entry.open);
  const actingToken = (world: World, name: string, query = '') =>
    newToken(world, { as: portal, headers: { runas: name } }, query);

  it('a token that a caller asks for while acting is the user’s, and still names who acts', async () => {
    const world = await open();
    const token = await actingToken(world, 'alice');
    expect(await whoIs(world, byToken(token))).toBe('alice');
    expect(lastLine(world)).toMatchObject({ user: 'portal', runAs: 'alice' });
    const own = await newToken(world, { as: alice });
    expect(await whoIs(world, byToken(own))).toBe('alice');
    expect(lastLine(world)).toMatchObject({ user: 'alice' });
    expect(lastLine(world)).not.toHaveProperty('runAs');
  });

  it.each<readonly [string, (world: World) => Promise<unknown>]>([
    ['is disabled', (world) => switchTo(world, 'portal', false)],
    [
      'was disabled and enabled again',
      (world) => switchTo(world, 'portal', false).then(() => switchTo(world, 'portal', true)),
    ],
    ['gets another password', (world) => setPassword(world, 'portal', 'another')],
    ['loses the option', (world) => allowRunAs(world, 'portal', false)],
    [
      'loses the role',
      (world) =>
        prepare(world, [
          {
            as: admin,
            request: 'PUT /API/group/_runas',
            body: { userList: { user: [{ userName: 'portal', remove: true }] } },
          },
        ]),
    ],
    ['acts for somebody who gets another password', (world) => setPassword(world, 'alice', 'another')],
    ['acts for somebody who is disabled', (world) => switchTo(world, 'alice', false)],
  ])('such a token ends when its caller %s', async (_what, end) => {
    const world = await open();
    const token = await actingToken(world, 'alice', 'autoRefresh=true');
    expect(await whoIs(world, byToken(token))).toBe('alice');
    await end(world);
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
  });

  it('such a token ends with the key of its caller', async () => {
    const world = await open();
    const { id, pair } = await newKey(world, 'portal');
    const token = await newToken(world, { as: pair, headers: { runas: 'alice' } });
    expect(await whoIs(world, byToken(token))).toBe('alice');
    await prepare(world, [setStatus('portal', id, 'INACTIVE')]);
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
  });

  it('the user finds such a token in their list, with who acts by it and without that caller’s key, and ends it', async () => {
    const world = await open();
    const { id, pair } = await newKey(world, 'portal');
    const token = await newToken(world, { as: pair, headers: { runas: 'alice' } });
    const { body } = await sendWell(world, { as: alice, request: 'GET /API/user/alice/tokens', headers: json });
    expect(JSON.parse(body)).toMatchObject({ token: [{ actor: 'portal', autoRefresh: false }] });
    expect(body).not.toContain(id);
    await sendWell(world, { as: alice, request: 'DELETE /API/user/alice/tokens' });
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
  });

  it('a caller with _runas launders nothing through the token of an administrator', async () => {
    const world = await open();
    const first = await actingToken(world, 'admin');
    const second = await newToken(world, byToken(first));
    for (const token of [first, second]) {
      const how = byToken(token);
      await sendWell(world, { ...how, request: 'GET /API/configuration/properties' });
      const key = await world.send({ ...how, request: 'POST /API/user/admin/key' });
      expect([key.status, key.headers.get('portico-error')]).toEqual([403, 'not-allowed']);
      const long = await world.send({ ...how, request: 'GET /API/token?seconds=61' });
      expect([long.status, long.headers.get('portico-error')], 'no longer than any other').toEqual([
        403,
        'not-allowed',
      ]);
      expect(lastLine(world)).toMatchObject({ user: 'portal', runAs: 'admin' });
      // The administrator may act for others, and the caller goes on being who acts.
      const twice = { ...how, headers: { ...how.headers, runas: 'alice' } };
      expect(await whoIs(world, twice)).toBe('alice');
      expect(lastLine(world)).toMatchObject({ user: 'portal', runAs: 'alice' });
      expect((await world.send({ ...twice, request: 'POST /API/user/alice/key' })).status).toBe(403);
    }
    const long = await world.send(acting(portal, 'admin', 'GET /API/user/alice/token?seconds=61'));
    expect(long.status).toBe(403);
    await switchTo(world, 'portal', false);
    expect(await whoIs(world, byToken(second))).toBe('401 unknown-token');
  });

  it('an administrator gives out tokens of others either way, and is not in them', async () => {
    const world = await open();
    const token = await newToken(world, { as: admin, headers: { runas: 'alice' } });
    expect(await whoIs(world, byToken(token))).toBe('alice');
    expect(lastLine(world)).not.toHaveProperty('runAs');
    expect((await world.send(acting(admin, 'alice', 'GET /API/token?seconds=61'))).status, 'as alice').toBe(403);
  });
});
