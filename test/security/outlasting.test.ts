import { expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { boss, openRunners, portal } from '../support/runners.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { byToken, type How, newKey, newToken } from '../support/ways.ts';

const carol: Credentials = ['carol', 'a long pass phrase'];
const makeKey = 'POST /API/user/carol/key';

const statusOf = async (world: World, how: How, request: string, body?: string | object) => {
  const { status, headers } = await world.send({ ...how, request, body });
  return `${status} ${headers.get('portico-error') ?? ''}`.trim();
};

/** What was lent for a while, or can be taken back, is not turned into what stays. */
describeMatrix('what outlasts what it was made with', (entry) => {
  it('is no key of a token, and none of another key: a thief would keep it when they are ended', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(carol)]);
    const token = await newToken(world, { as: carol });
    const { pair } = await newKey(world, 'carol', { as: carol });
    expect(await statusOf(world, byToken(token), makeKey)).toBe('403 not-allowed');
    expect(await statusOf(world, { as: pair }, makeKey)).toBe('403 not-allowed');
    expect(await statusOf(world, { as: carol }, makeKey)).toBe('200');
    expect(await statusOf(world, byToken(await newToken(world, { as: admin })), makeKey)).toBe('200');
  });

  it('is no password that somebody sets who only acts for its owner, or for an administrator', async () => {
    const world = await openRunners(entry.open);
    const acting = (name: string): How => ({ as: portal, headers: { runas: name } });
    for (const [as, user] of [
      ['alice', 'alice'],
      [boss[0], 'alice'],
      [boss[0], boss[0]],
    ] as const) {
      const request = `PUT /API/user/${user}/password`;
      expect(await statusOf(world, acting(as), request, 'of the portal'), `${as} ${user}`).toBe('403 not-allowed');
    }
    const document = { userName: 'alice', password: 'of the portal' };
    expect(await statusOf(world, acting(boss[0]), 'PUT /API/user/alice', document)).toBe('403 not-allowed');
    expect(await statusOf(world, acting(boss[0]), 'PUT /API/user/alice', { userName: 'alice', realName: 'A' })).toBe(
      '200',
    );
  });

  it('is no role that amounts to every other one, however it is given', async () => {
    const world = await openRunners(entry.open);
    const how: How = { as: portal, headers: { runas: boss[0] } };
    const me = portal[0];
    const group = { group: [{ groupName: '_administrator' }] };
    for (const [request, body] of [
      [`PUT /API/group/_administrator/user/${me}`, undefined],
      [`PUT /API/user/${me}/groups?group=_administrator`, undefined],
      [`PUT /API/user/${me}`, { userName: me, groupList: group }],
      ['POST /API/user', { userName: 'mine', password: 'a long pass phrase', groupList: group }],
      [`PUT /API/user/${me}`, { userName: me, runAs: true }],
    ] as const) {
      expect(await statusOf(world, how, request, body), request).toMatch(/^40[034]/);
    }
    const roles = await world.send({
      as: admin,
      request: `GET /API/user/${me}/allgroups`,
      headers: { accept: 'text/plain' },
    });
    expect(roles.body).not.toContain('_administrator');
  });
});
