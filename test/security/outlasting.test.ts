import { describe, expect, it } from 'vitest';
import { newNotification, onCreate, waiting } from '../administration/notifications/support.ts';
import { trusting } from '../filters/support.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { claims, pair, signed } from '../support/keys.ts';
import { describeMatrix, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import {
  alice,
  boss,
  byToken,
  type How,
  newKey,
  newToken,
  openRunners,
  portal,
  storeOAuth2,
  toldOf,
  whoIs,
} from '../support/ways.ts';

const carol: Credentials = ['carol', 'a long pass phrase'];
const asBoss: How = { as: portal, headers: { runas: boss[0] } };
const makeKey = 'POST /API/user/carol/key';
const setPassword = 'PUT /API/user/carol/password';

const statusOf = async (world: World, how: How, request: string, body?: string | object) => {
  const { status, headers } = await world.send({ ...how, request, body });
  return `${status} ${headers.get('portico-error') ?? ''}`.trim();
};

/** Carol and Dora are known to another realm. */
const security = {
  file: 'security.ini',
  plugins: [],
  text: `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
elsewhere = portico.StaticRealm
elsewhere.users = carol:of another realm, dora:secret
securityManager.realms = $serviceRealm, $elsewhere
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
};

/** Temporary or revocable credentials do not turn into permanent ones. */
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
  });

  it('is no password of a token, an access key or a bearer token: deleting a key would not be final', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(carol)]);
    const { id, pair: key } = await newKey(world, 'carol', { as: carol });
    await storeOAuth2(world, trusting(pair('P-256 issuer')));
    const text = signed(pair('P-256 issuer'), claims({ user: 'carol' }));
    const lent: readonly How[] = [
      { as: key },
      byToken(await newToken(world, { as: carol })),
      byToken(await newToken(world, { as: key })),
      { headers: { authorization: `Bearer ${text}` } },
    ];
    for (const how of lent) {
      expect(await whoIs(world, how)).toBe('carol');
      expect(await statusOf(world, how, setPassword, 'of a thief')).toBe('403 not-allowed');
      expect(await statusOf(world, how, 'PUT /API/user/carol', { userName: 'carol', password: 'of a thief' })).toBe(
        '403 role-missing',
      );
    }
    await prepare(world, [{ as: admin, request: `DELETE /API/user/carol/key/${id}` }]);
    expect(await whoIs(world, { as: ['carol', 'of a thief'] })).toBe('401 wrong-password');
    expect(await whoIs(world, { as: carol })).toBe('carol');
  });

  it('is a password by the password itself, also a remembered one, and by administrators however they come in', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(carol), newUser(['robot', 'of the robot'])]);
    expect(await whoIs(world, { as: carol })).toBe('carol');
    const hashes = world.scrypt.calls.length;
    expect(await statusOf(world, { as: carol }, setPassword, 'another pass phrase')).toBe('200');
    expect(world.scrypt.calls.length - hashes, 'only the new password is hashed').toBe(1);
    const token = byToken(await newToken(world, { as: admin }));
    const { pair: key } = await newKey(world, 'admin');
    for (const how of [token, { as: key }, { ...token, headers: { ...token.headers, runas: 'robot' } }])
      expect(await statusOf(world, how, 'PUT /API/user/robot/password', 'set anew')).toBe('200');
    expect(await statusOf(world, token, 'PUT /API/user/admin/password', 'of the administrator')).toBe('200');
  });

  it('is no password of the password of another realm, which that realm can take back', async () => {
    const world = await entry.open({ security });
    await prepare(world, [newUser(carol)]);
    const there: How = { as: ['carol', 'of another realm'] };
    expect(await whoIs(world, there)).toBe('carol');
    expect(await statusOf(world, there, setPassword, 'of her own')).toBe('403 not-allowed');
    expect(await statusOf(world, { as: carol }, setPassword, 'of her own')).toBe('200');
  });

  it('is no first password of a user whom another realm lets in', async () => {
    const world = await entry.open({ security });
    await prepare(world, [{ as: admin, request: 'PUT /API/user/dora' }]);
    const setFirst = (as: Credentials) => statusOf(world, { as }, 'PUT /API/user/dora/password', 'of her own');
    const own: How = { as: ['dora', 'of her own'] };
    expect(await setFirst(['dora', 'secret'])).toBe('403 not-allowed');
    expect(await statusOf(world, own, 'GET /API/whoami')).toMatch(/^401/);
    expect(await setFirst(admin)).toBe('200');
    expect(await statusOf(world, own, 'GET /API/whoami')).toBe('200');
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

  describe.each<readonly [string, (world: World) => Promise<How>]>([
    ['with the header', async () => asBoss],
    ['by a token that was made while acting', async (world) => byToken(await newToken(world, asBoss))],
  ])('is nothing that a portal which acts for an administrator makes %s', (_by, comeIn) => {
    /** After the attack the administrators take everything from the portal. */
    async function endPortal(world: World): Promise<void> {
      await prepare(world, [{ as: admin, request: 'DELETE /API/user/portal?hard=true' }]);
    }

    it('not bearer tokens of its own, by its own key in the configuration', async () => {
      const world = await openRunners(entry.open);
      const how = await comeIn(world);
      const own = trusting(pair('P-256 portal'));
      expect(await statusOf(world, how, 'PUT /API/configuration/auth', own)).toBe('403 not-allowed');
      await endPortal(world);
      const text = signed(pair('P-256 portal'), claims({ user: 'admin' }));
      expect(await toldOf(world, text)).not.toContain('200');
      await storeOAuth2(world, own);
      expect(await toldOf(world, text), 'the token would have let it in').toBe('200 admin');
    });

    it('not a user with a password and groups', async () => {
      const world = await openRunners(entry.open);
      const how = await comeIn(world);
      const password = 'a long pass phrase';
      for (const groupName of ['_user_read', '_configuration_read', '_administrator']) {
        const document = { userName: 'mine', password, groupList: { group: [{ groupName }] } };
        expect(await statusOf(world, how, 'POST /API/user', document)).toBe('403 not-allowed');
      }
      expect(await statusOf(world, how, 'PUT /API/user/mine')).toBe('403 not-allowed');
      await endPortal(world);
      expect(await whoIs(world, { as: ['mine', password] })).toBe('401 unknown-user');
    });

    it('not an administrator who was disabled, by enabling the account again', async () => {
      const world = await openRunners(entry.open);
      const former: Credentials = ['former', 'a long pass phrase'];
      await prepare(world, [newUser(former, ['_administrator']), { as: admin, request: 'DELETE /API/user/former' }]);
      expect(await statusOf(world, await comeIn(world), 'PUT /API/user/former/enable')).toBe('403 not-allowed');
      await endPortal(world);
      expect(await whoIs(world, { as: former })).toBe('401 user-disabled');
    });

    it('not longer tokens for everybody, by userTokenMaxInterval', async () => {
      const world = await openRunners(entry.open);
      const how = await comeIn(world);
      const property = { key: 'userTokenMaxInterval', value: '999999999' };
      const properties = '/API/configuration/properties';
      expect(await statusOf(world, how, `PUT ${properties}`, property)).toBe('403 not-allowed');
      expect(await statusOf(world, how, `PUT ${properties}/a`, '1')).toBe('403 not-allowed');
      expect(await statusOf(world, how, `POST ${properties}`, { property: [property] })).toBe('403 not-allowed');
      expect(await statusOf(world, { as: alice }, 'GET /API/token?seconds=61')).toBe('403 not-allowed');
    });

    it('not rights of its own account, by memberships and by parents of groups', async () => {
      const world = await openRunners(entry.open);
      await prepare(world, [newGroup('crew', { userList: { user: [{ userName: 'portal' }] } })]);
      const how = await comeIn(world);
      const group = { group: [{ groupName: '_group_write' }] };
      for (const [request, body] of [
        ['PUT /API/group/_group_write/user/portal'],
        ['PUT /API/group/_group_write/group/crew'],
        ['PUT /API/group/crew', { parentGroupList: group }],
        ['PUT /API/user/portal/groups', group],
        ['PUT /API/user/portal', { userName: 'portal', groupList: group }],
      ] as const)
        expect(await statusOf(world, how, request, body), request).toBe('403 not-allowed');
      expect(await statusOf(world, { as: portal }, 'PUT /API/group/fresh')).toBe('403 role-missing');
    });

    it('not pages of another origin that may call the API', async () => {
      const world = await openRunners(entry.open);
      const entries = { entry: [{ request: { origin: ['https://evil.example'] }, response: { allowOrigin: '*' } }] };
      const request = 'PUT /API/configuration/cors';
      expect(await statusOf(world, await comeIn(world), request, entries)).toBe('403 not-allowed');
    });

    it('not a notification, which would tell its receiver of events after the portal is gone', async () => {
      const world = await openRunners(entry.open);
      const { request, body } = newNotification(onCreate);
      expect(await statusOf(world, await comeIn(world), request, body as object)).toBe('403 not-allowed');
      await endPortal(world);
      await prepare(world, [newGroup('crew')]);
      expect(await waiting(world)).toEqual([]);
    });
  });
});
