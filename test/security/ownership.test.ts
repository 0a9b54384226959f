import { describe, expect, it } from 'vitest';
import { mailSettings } from '../administration/notifications/mail/support.ts';
import { alice, newGroup, newUser } from '../support/cast.ts';
import { type Answer, describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { everyRoute, nameOf } from './roles/routes.ts';

/** Every route about one user, what the user itself gets for it, and what it is sent. Nobody else without a role gets anything. */
const routes: readonly (readonly [route: string, self: 200 | 403, body?: Sent['body']])[] = [
  ['GET /user/:name', 200],
  ['PUT /user/:name', 403, { userName: 'alice', realName: 'Queen' }],
  ['DELETE /user/:name', 403],
  ['PUT /user/:name/enable', 403],
  ['GET /user/:name/realname', 200],
  ['PUT /user/:name/realname', 403, 'Queen'],
  ['PUT /user/:name/alias/:alias', 403],
  ['DELETE /user/:name/alias/:alias', 403],
  ['GET /user/:name/access', 200],
  ['PUT /user/:name/password', 200, alice[1]],
  ['PUT /user/:name/validate', 200, alice[1]],
  ['GET /user/:name/token', 200],
  ['POST /user/:name/link', 403],
  ['GET /user/:name/tokens', 200],
  ['DELETE /user/:name/tokens', 200],
  ['DELETE /user/:name/tokens/:id', 200],
  ['GET /user/:name/key', 200],
  ['POST /user/:name/key', 200],
  ['GET /user/:name/key/:key', 200],
  ['PUT /user/:name/key/:key', 200, { name: 'laptop' }],
  ['DELETE /user/:name/key/:key', 200],
  ['GET /user/:name/mail', 200],
  ['PUT /user/:name/mail', 200, { address: 'ann@example.com' }],
  ['DELETE /user/:name/mail', 200],
  ['GET /user/:name/second-factor', 200],
  ['POST /user/:name/second-factor/offer', 403, { kind: 'TOTP' }],
  ['POST /user/:name/second-factor', 403, { name: 'phone' }],
  ['POST /user/:name/second-factor/recovery', 403],
  ['PUT /user/:name/second-factor/:factor', 403, { name: 'phone' }],
  ['DELETE /user/:name/second-factor/:factor', 403],
  ['DELETE /user/:name/second-factor', 403],
  ['GET /user/:name/password/salt', 403],
  ['POST /user/:name/password/salt', 403],
  ['GET /user/:name/groups', 200],
  ['PUT /user/:name/groups', 403, { group: [{ groupName: 'crew' }] }],
  ['GET /user/:name/roles', 200],
  ['GET /user/:name/allgroups', 200],
  ['GET /user/:name/belongstogroup/:group', 200],
  ['GET /security/explain', 200],
  ['GET /user/:name/graph', 200],
  ['GET /user/:name/graph/dot', 200],
  ['GET /user/:name/metadata', 200],
  ['PUT /user/:name/metadata', 403, { field: [{ key: 'k', value: 'w' }] }],
  ['DELETE /user/:name/metadata', 403],
  ['GET /user/:name/metadata/:key{.+}', 200],
  ['PUT /user/:name/metadata/:key{.+}', 403, 'w'],
  ['DELETE /user/:name/metadata/:key{.+}', 403],
  ['PUT /user/:name/provisioned', 403],
  ['DELETE /user/:name/provisioned', 403],
  ['PUT /group/:name/user/:user', 403],
  ['DELETE /group/:name/user/:user', 403],
];

/** Routes about a session of the user, which none of these callers has: `test/identity/second-factor` tries them. */
const ofSessions = new Set(routes.map(([route]) => route).filter((route) => /^(?!GET).*second-factor/.test(route)));

const mallory: Credentials = ['mallory', 'password of mallory'];
const writer: Credentials = ['writer', 'password of writer'];

/** Routes that are answered 501 for all, such as those between sites, are about nobody. */
const isAboutUser = (path: string) =>
  /\/user\/:|\/explain$/.test(path) && !/\/site-rule|\/access\/explain|\/resync/.test(path);

/** The request of a route about that user, whose alias is `al` and who has the key `k`. */
function about(user: string, [route, , body]: (typeof routes)[number], as?: Credentials): Sent {
  const path = route
    .replace(/\/user\/:(?:name|user)/, `/user/${user}`)
    .replace(/\/security\/explain$/, `/security/explain?user=${user}&target=/API/user/${user}`)
    .replace(/\/group\/:name|:group$/, (part) => part.replace(/:\w+/, 'crew'))
    .replace(':alias', 'al')
    .replace(/:key\{\.\+\}|:key|:id|:factor/, 'k')
    .replace(' ', ' /API');
  return { as, request: path, body };
}

/** Inserts a token, a second factor and a key of that user, all under the id `k`. */
async function tokenAndKey(world: World, user: string): Promise<void> {
  const rows = [
    `INSERT INTO token SELECT 'digest', 'k', id, 1, NULL, NULL, NULL, NULL, NULL, 'token', 1, 0, 1, 1, 4e12, NULL, 'password', NULL, NULL, NULL, NULL, 0 FROM user WHERE name = ?`,
    `INSERT INTO second_factor SELECT 'k', id, 'TOTP', '', '', NULL, NULL, NULL, 0, 1, NULL FROM user WHERE name = ?`,
    `INSERT INTO access_key SELECT 'k', id, NULL, '', 1, 1 FROM user WHERE name = ?`,
  ];
  const changes = rows.map((sql) => ({ sql, args: [user] }));
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

/** Found by its id once only. */
const isOnce = (route: string) => route.startsWith('DELETE') && /:(?:key|id)$/.test(route);

async function populate(world: World): Promise<void> {
  await prepare(world, [
    newGroup('crew'),
    newUser(alice, [], { alias: ['al'], metadata: { field: [{ key: 'k', value: 'v' }] } }),
    newUser(mallory),
    newUser(writer, ['_user_metadata_write']),
  ]);
  await tokenAndKey(world, 'alice');
}

/** All of an answer but what names whom it was about. */
const shapeOf = ({ status, headers, body }: Answer, name: string) => [
  status,
  headers.get('portico-error'),
  body.replaceAll(name, 'USER'),
];

const declared = new Map(everyRoute.map((route) => [nameOf(route), route.access.needs]));

describe('the table', () => {
  it('has every route about a user', () => {
    expect(routes.map(([route]) => route).sort()).toEqual([...declared.keys()].filter(isAboutUser).sort());
  });

  it('says what each route declares of the user itself', () => {
    const open = routes.filter(([, self]) => self === 200).map(([route]) => route);
    const told = [...declared]
      .filter(([, { orSelf }]) => orSelf !== undefined && orSelf.role === undefined)
      .filter(([route]) => !ofSessions.has(route));
    expect(told.map(([route]) => route).sort()).toEqual(open.sort());
  });
});

describeMatrix('what is about a user', (entry) => {
  for (const route of routes) {
    it(`${route[0]} is for administrators and holders of its role, and for the user: ${route[1]}`, async () => {
      const world = await entry.open({ settings: mailSettings(1) });
      await populate(world);
      const before = await world.sequence();
      const status = async (as?: Credentials) => (await world.send(about('alice', route, as))).status;
      expect(await status(), 'nobody').toBe(401);
      expect(await status(mallory), 'another user').toBe(403);
      expect(await status(['alice', 'a guess']), 'with a wrong password').toBe(401);
      expect(await world.sequence(), 'a refusal changes nothing').toBe(before);
      expect(await status(alice), 'the user').toBe(route[1]);
      if (route[1] === 403) expect(await world.sequence(), 'a refusal changes nothing').toBe(before);
      const forAdministrators = declared.get(route[0])!.role !== 'any caller';
      expect(await status(admin), 'an administrator').toBe(!forAdministrators ? 403 : isOnce(route[0]) ? 404 : 200);
    });

    it(`${route[0]} tells nobody without a role who exists`, async () => {
      const world = await entry.open({ settings: mailSettings(1) });
      await populate(world);
      const known = await world.send(about('alice', route, mallory));
      const unknown = await world.send(about('ghost', route, mallory));
      expect(shapeOf(unknown, 'ghost')).toEqual(shapeOf(known, 'alice'));
    });
  }

  it('lets a user with _user_metadata_write change its own metadata, and nobody else’s', async () => {
    const world = await entry.open();
    await populate(world);
    for (const route of routes.filter(([name]) => name.includes('metadata'))) {
      const [name] = route;
      const reads = name.startsWith('GET');
      expect([name, (await world.send(about('alice', route, writer))).status]).toEqual([name, 403]);
      await prepare(world, [{ as: admin, request: 'PUT /API/user/writer/metadata/k', body: 'v' }]);
      expect([name, (await world.send(about('writer', route, writer))).status]).toEqual([name, 200]);
      if (!reads) expect((await world.events()).at(-1)).toMatchObject({ entity: 'writer', user: 'writer' });
    }
  });

  it('takes an alias of the caller for another user: only its name is its own', async () => {
    const world = await entry.open();
    await populate(world);
    const own = await world.send({ as: ['al', alice[1]], request: 'GET /API/user/alice' });
    const byAlias = await world.send({ as: ['al', alice[1]], request: 'GET /API/user/al' });
    expect([own.status, byAlias.status]).toEqual([200, 403]);
  });
});
