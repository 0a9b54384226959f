import { describe, expect, it } from 'vitest';
import { configurationRoutes } from '../../src/configuration/routes.ts';
import { accessKeyRoutes } from '../../src/identity/access-keys/routes.ts';
import { groupRoutes } from '../../src/identity/groups/routes.ts';
import { tokenRoutes } from '../../src/identity/tokens/routes.ts';
import { userRoutes } from '../../src/identity/users/routes.ts';
import { validateRoute } from '../../src/identity/users/validate.ts';
import { auditRoutes } from '../../src/operations/audit/routes.ts';
import { operationRoutes } from '../../src/operations/routes.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

/** Every route: who may use it, and a request that somebody who may gets 200 for. */
interface Rule {
  readonly route: string;
  readonly needs: 'nothing' | 'any caller' | `_${string}`;
  readonly request: (who: string) => Pick<Sent, 'request' | 'body'>;
  /** What the request is about, where it goes with it. */
  readonly given?: (world: World, who: string) => Promise<unknown>;
}

const get = (target: string) => () => ({ request: `GET ${target}` });

/** A token and an access key of `admin` with names of our own. */
const row = (sql: string) => (world: World, who: string) =>
  world.service.store.commit({ changes: [{ sql, args: [who] }], events: [] }, { user: 'test' });
const tokenOfAdmin = row(`INSERT INTO token SELECT 'digest of ' || ?1, ?1, id, 1, NULL, NULL, NULL, 1, 0, 1, 1, 9e15
  FROM user WHERE name = 'admin'`);
const keyOfAdmin = row(`INSERT INTO access_key SELECT ?1, id, NULL, '', 1, 1 FROM user WHERE name = 'admin'`);
const property = row(`INSERT INTO property VALUES (?1, '1', 1)`);

const ways: readonly Rule[] = [
  { route: 'GET /token', needs: 'any caller', request: get('/API/token') },
  { route: 'GET /user/:name/token', needs: '_administrator', request: get('/API/user/admin/token') },
  { route: 'GET /user/:name/tokens', needs: '_administrator', request: get('/API/user/admin/tokens') },
  {
    route: 'DELETE /user/:name/tokens',
    needs: '_administrator',
    request: () => ({ request: 'DELETE /API/user/admin/tokens' }),
  },
  {
    route: 'DELETE /user/:name/tokens/:id',
    needs: '_administrator',
    given: tokenOfAdmin,
    request: (who) => ({ request: `DELETE /API/user/admin/tokens/${who}` }),
  },
  { route: 'GET /user/:name/key', needs: '_administrator', request: get('/API/user/admin/key') },
  {
    route: 'POST /user/:name/key',
    needs: '_administrator',
    request: () => ({ request: 'POST /API/user/admin/key' }),
  },
  {
    route: 'GET /user/:name/key/:key',
    needs: '_administrator',
    given: keyOfAdmin,
    request: (who) => ({ request: `GET /API/user/admin/key/${who}` }),
  },
  {
    route: 'PUT /user/:name/key/:key',
    needs: '_administrator',
    given: keyOfAdmin,
    request: (who) => ({ request: `PUT /API/user/admin/key/${who}`, body: { status: 'INACTIVE' } }),
  },
  {
    route: 'DELETE /user/:name/key/:key',
    needs: '_administrator',
    given: keyOfAdmin,
    request: (who) => ({ request: `DELETE /API/user/admin/key/${who}` }),
  },
  {
    route: 'PUT /user/:name/validate',
    needs: '_runas',
    request: () => ({ request: 'PUT /API/user/admin/validate', body: admin[1] }),
  },
  { route: 'GET /configuration', needs: '_configuration_read', request: get('/API/configuration') },
  { route: 'GET /configuration/auth', needs: '_administrator', request: get('/API/configuration/auth') },
  {
    route: 'PUT /configuration/auth',
    needs: '_administrator',
    request: () => ({
      request: 'PUT /API/configuration/auth',
      body: { validationEndpoint: 'https://idp.example.com' },
    }),
  },
  {
    route: 'DELETE /configuration/auth',
    needs: '_administrator',
    request: () => ({ request: 'DELETE /API/configuration/auth' }),
  },
  {
    route: 'GET /configuration/properties',
    needs: '_configuration_read',
    request: get('/API/configuration/properties'),
  },
  {
    route: 'PUT /configuration/properties',
    needs: '_administrator',
    request: () => ({ request: 'PUT /API/configuration/properties', body: { key: 'a', value: '1' } }),
  },
  {
    route: 'POST /configuration/properties',
    needs: '_administrator',
    request: () => ({ request: 'POST /API/configuration/properties', body: { property: [{ key: 'a', value: '1' }] } }),
  },
  {
    route: 'GET /configuration/properties/:key',
    needs: '_configuration_read',
    given: property,
    request: (who) => ({ request: `GET /API/configuration/properties/${who}` }),
  },
  {
    route: 'DELETE /configuration/properties/:key',
    needs: '_administrator',
    given: property,
    request: (who) => ({ request: `DELETE /API/configuration/properties/${who}` }),
  },
  { route: 'GET /log', needs: '_administrator', request: get('/API/log') },
];

const rules: readonly Rule[] = [
  ...ways,
  { route: 'GET /whoami', needs: 'any caller', request: get('/API/whoami') },
  { route: 'GET /version', needs: 'any caller', request: get('/API/version') },
  { route: 'GET /user', needs: '_user_read', request: get('/API/user') },
  { route: 'GET /user/:name', needs: '_user_read', request: get('/API/user/admin') },
  {
    route: 'POST /user',
    needs: '_administrator',
    request: (who) => ({ request: 'POST /API/user', body: { userName: `made-by-${who}` } }),
  },
  { route: 'GET /group/:name', needs: '_group_read', request: get('/API/group/crew') },
  {
    route: 'PUT /group/:name',
    needs: '_group_write',
    request: () => ({ request: 'PUT /API/group/crew', body: { description: 'changed' } }),
  },
  { route: 'POST /APIinit', needs: 'nothing', request: () => ({ request: 'POST /APIinit' }) },
  { route: 'GET /APInoauth/is-online', needs: 'nothing', request: get('/APInoauth/is-online') },
  { route: 'GET /health', needs: 'nothing', request: get('/health') },
  { route: 'GET /health/live', needs: 'nothing', request: get('/health/live') },
  { route: 'GET /health/ready', needs: 'nothing', request: get('/health/ready') },
  { route: 'GET /metrics', needs: '_administrator', request: get('/metrics') },
  { route: 'GET /security/explain', needs: '_administrator', request: get('/API/security/explain?target=%2F') },
  { route: 'GET /selftest', needs: 'any caller', request: get('/API/selftest') },
  { route: 'GET /selftest/:test', needs: 'any caller', request: get('/API/selftest/database') },
  { route: 'GET /APInoauth/selftest', needs: 'nothing', request: get('/APInoauth/selftest') },
  { route: 'GET /APInoauth/selftest/:test', needs: 'nothing', request: get('/APInoauth/selftest/database') },
];

const callers: readonly (readonly [string, Credentials | undefined, (rule: Rule) => number])[] = [
  ['nobody', undefined, ({ needs }) => (needs === 'nothing' ? 200 : 401)],
  ['plain', ['plain', 'p'], ({ needs }) => (needs.startsWith('_') ? 403 : 200)],
  ['every-other-role', ['other', 'p'], ({ needs }) => (needs.startsWith('_') ? 403 : 200)],
  ['holder', ['holder', 'p'], () => 200],
  ['through-a-group', ['member', 'p'], () => 200],
  ['admin', admin, () => 200],
];

const gated = [...new Set(rules.map(({ needs }) => needs).filter((needs) => needs.startsWith('_')))];

describe('the table of routes', () => {
  it('has every route of the app', () => {
    const nothing = { settings: {}, store: {}, selfTest: { names: [] } } as never;
    const routes = [
      ...userRoutes(nothing),
      validateRoute(nothing),
      ...tokenRoutes(nothing),
      ...accessKeyRoutes(nothing),
      ...groupRoutes(nothing),
      ...configurationRoutes(nothing),
      ...auditRoutes(nothing),
      ...operationRoutes(nothing),
    ];
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    expect(rules.map(({ route }) => route).sort()).toEqual(known.sort());
  });
});

describeMatrix('who may do what', (entry) => {
  for (const rule of rules) {
    it(`${rule.route} needs ${rule.needs}`, async () => {
      const world = await entry.open();
      const role = rule.needs.startsWith('_') ? [rule.needs] : [];
      const others = gated.filter((name) => name !== rule.needs && name !== '_administrator');
      const above = { parentGroupList: { group: role.map((groupName) => ({ groupName })) } };
      await prepare(world, [
        newGroup('crew'),
        newGroup('outer', above),
        newGroup('inner', { parentGroupList: { group: [{ groupName: 'outer' }] } }),
        newUser(['plain', 'p']),
        newUser(['other', 'p'], others),
        newUser(['holder', 'p'], role),
        newUser(['member', 'p'], ['inner']),
      ]);
      for (const [who, as, expected] of callers) {
        await rule.given?.(world, who);
        const before = (await world.events()).length;
        const answer = await world.send({ as, ...rule.request(who) });
        expect([who, answer.status]).toEqual([who, expected(rule)]);
        if (answer.status > 200) expect((await world.events()).length, 'a refusal changes nothing').toBe(before);
        if (rule.route.startsWith('GET')) {
          const head = await world.send({ as, request: rule.request(who).request.replace('GET', 'HEAD') });
          expect([who, head.status, head.body]).toEqual([who, expected(rule), '']);
        }
      }
    });
  }
});
