import { describe, expect, it } from 'vitest';
import { groupRoutes } from '../../src/identity/groups/routes.ts';
import { userRoutes } from '../../src/identity/users/routes.ts';
import { operationRoutes } from '../../src/operations/routes.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix, type Sent } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

/** Every route: who may use it, and a request that somebody who may gets 200 for. */
interface Rule {
  readonly route: string;
  readonly needs: 'nothing' | 'any caller' | `_${string}`;
  readonly request: (who: string) => Pick<Sent, 'request' | 'body'>;
}

const get = (target: string) => () => ({ request: `GET ${target}` });

const rules: readonly Rule[] = [
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
    const routes = [...userRoutes(nothing), ...groupRoutes(nothing), ...operationRoutes(nothing)];
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
