import { expect, it } from 'vitest';
import type { Plugin } from '../../../src/spi/index.ts';
import { newUser, people, reader } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const ask = (target: string, user?: string) =>
  `GET /API/security/explain?target=${encodeURIComponent(target)}${user ? `&user=${user}` : ''}`;
const asText = { headers: { accept: 'text/plain' } };

const rows: readonly Scenario[] = [
  {
    name: 'tells what nobody in particular would meet',
    as: admin,
    request: ask('/API/item/VX-1;first=1?x=2'),
    ...asText,
    status: 200,
    says: {
      contains: [
        'GET /item/VX-1\r\n',
        'Chain /** (line ',
        '  noSessionCreation: pass\r\n',
        '  tokenAuth: pass\r\n',
        '  oauth2Auth: pass\r\n',
        '  authcBasic: refuse credentials-missing 401\r\n',
        'Refused: 401 credentials-missing\r\n',
      ],
    },
  },
  {
    name: 'tells what a user would meet, whatever the password',
    as: admin,
    request: ask('/API/nowhere', 'reader'),
    ...asText,
    status: 200,
    says: {
      contains: [
        '  authcBasic: accept reader\r\nKnown to serviceRealm\r\n',
        'Roles in the service: _group_read, _user_read\r\n  _group_read: entered here\r\n',
        'Granted to reader\r\nNo route: 404\r\n',
      ],
    },
  },
  {
    name: 'tells the role that the route asks for, and whether the user has it',
    as: admin,
    request: ask('/API/user/bob', 'alice'),
    ...asText,
    status: 200,
    says: { contains: ['Route GET /user/:name asks for the role _user_read: alice lacks it, 403\r\n'] },
  },
  {
    name: 'tells that the user of the path may use a route, too',
    as: admin,
    request: ask('/API/user/alice', 'alice'),
    ...asText,
    status: 200,
    says: { contains: ['Route GET /user/:name asks for the role _user_read: alice may use it\r\n'] },
  },
  {
    name: 'tells of an entity of the path that the user with the role may not read',
    given: [{ as: admin, request: 'POST /API/import/placeholder?container=1' }],
    as: admin,
    request: ask('/API/item/VX-1', 'clerk'),
    ...asText,
    status: 200,
    says: {
      contains: [
        'Route GET /item/:item asks for the role _item_read: clerk may use it\r\nRefused by an entity of the path: 403 not-allowed. Expected an access entry that gives READ on the item',
      ],
    },
  },
  {
    name: 'tells of an entity of the path that is not there',
    as: admin,
    request: ask('/API/item/VX-9', 'clerk'),
    headers: { accept: 'application/json' },
    status: 200,
    says: {
      contains: [
        '"allowed":false,',
        '"missing":[{"what":"entity","name":"item VX-9","says":"The item VX-9 is not there"}]',
        '"entity":{"status":404,"reason":"no-such-entity"',
      ],
    },
  },
  {
    name: 'tells of a route that any caller may use',
    as: admin,
    request: ask('/API/whoami', 'alice'),
    ...asText,
    status: 200,
    says: { contains: ['Granted to alice\r\nRoute GET /whoami\r\n'] },
  },
  {
    name: 'tells that no realm knows a user',
    as: admin,
    request: ask('/API/user', 'nobody'),
    ...asText,
    status: 200,
    says: {
      contains: [
        '  authcBasic: refuse unknown-user 401\r\nKnown to no realm that was asked\r\n',
        'Refused: 401 unknown-user\r\n',
      ],
      lacks: ['Route'],
    },
  },
  {
    name: 'tells of a path that needs no credentials',
    as: admin,
    request: ask('/health/live'),
    ...asText,
    status: 200,
    says: { contains: ['Chain /health/** (built in)', 'Granted to anybody'] },
  },
  {
    name: 'is a document too',
    as: admin,
    request: ask('/API/x'),
    headers: { accept: 'application/json' },
    status: 200,
    says: { contains: ['"path":"/x","pattern":"/**"', '"granted":false'] },
  },
  {
    name: 'tells of a user alone, without a request',
    given: [
      { as: admin, request: 'PUT /API/group/desk' },
      { as: admin, request: 'PUT /API/group/_item_write/group/desk' },
      { as: admin, request: 'PUT /API/group/desk/user/clerk' },
    ],
    as: admin,
    request: 'GET /API/security/explain?user=clerk',
    ...asText,
    status: 200,
    says: {
      contains: [
        'Known to serviceRealm\r\nRoles in the service: _item_read, _item_write\r\n',
        '  _item_read: entered here\r\n  _item_write: through desk\r\n  desk: entered here\r\n',
      ],
      lacks: ['Chain', 'Route', 'Missing'],
    },
  },
  {
    name: 'names the role that is missing, and the groups that give it',
    given: [
      { as: admin, request: 'PUT /API/group/desk' },
      { as: admin, request: 'PUT /API/group/_user_read/group/desk' },
    ],
    as: admin,
    request: ask('/API/user/bob', 'clerk'),
    ...asText,
    status: 200,
    says: {
      contains: ['Missing: The role _user_read: no group of clerk gives it. Groups that give it: desk\r\n'],
    },
  },
  {
    name: 'names the level that is missing, and who owns the entity, also for a user without the role',
    given: [{ as: admin, request: 'POST /API/import/placeholder?container=1' }],
    as: admin,
    request: ask('/API/item/VX-1', 'alice'),
    ...asText,
    status: 200,
    says: {
      contains: [
        'asks for the role _item_read: alice lacks it, 403\r\nAsks for READ on the item VX-1: missing. No entry speaks for "alice", so nothing is allowed\r\n',
        'Missing: The role _item_read: no group of alice gives it\r\n',
        'Missing: READ on the item VX-1: No entry speaks for "alice", so nothing is allowed. The owner is admin\r\n',
      ],
    },
  },
  {
    name: 'names the entry that gives too little, and the level that the user has',
    given: [
      { as: admin, request: 'POST /API/import/placeholder?container=1' },
      {
        as: admin,
        request: 'POST /API/item/VX-1/access',
        headers: { 'content-type': 'application/json' },
        body: '{"permission":"READ","user":"clerk"}',
      },
      { as: admin, request: 'PUT /API/group/_item_write/user/clerk' },
    ],
    as: admin,
    request: `${ask('/API/item/VX-1', 'clerk')}&method=delete`,
    ...asText,
    status: 200,
    says: {
      contains: [
        'DELETE /item/VX-1\r\n',
        ' on the item VX-1: missing. ',
        'Gives READ to the user, on the item itself\r\n',
        ' on the item VX-1 (has READ): ',
        ' decides for "clerk": it is the only one that counts. The owner is admin\r\n',
      ],
    },
  },
  {
    name: 'tells that a user is disabled',
    given: [{ as: admin, request: 'DELETE /API/user/clerk' }],
    as: admin,
    request: ask('/API/item', 'clerk'),
    ...asText,
    status: 200,
    says: { contains: ['Missing: The user "clerk" is disabled\r\n'], lacks: ['Missing: The filter'] },
  },
  {
    name: 'tells of the last login, and nothing of its token',
    given: [{ as: ['clerk', 'p'], request: 'GET /API/token' }],
    as: admin,
    request: 'GET /API/security/explain?user=clerk',
    headers: { accept: 'application/json' },
    status: 200,
    says: { contains: ['"way":"password","realm":"serviceRealm"'], lacks: ['digest', 'address'] },
  },
  {
    name: 'tells a program that its one role is for other paths',
    given: [newUser(['robot', 'p'], ['_scim'])],
    as: admin,
    request: ask('/API/whoami', 'robot'),
    ...asText,
    status: 200,
    says: { contains: ['Missing: Expected a path below /scim: the role _scim alone is for nothing else\r\n'] },
  },
  {
    name: 'wants a target',
    as: admin,
    request: 'GET /API/security/explain',
    status: 400,
    says: { contains: ['target'] },
  },
  { name: 'refuses what a request would be refused for', as: admin, request: ask('/a%2fb'), status: 400 },
  { name: 'is for administrators', as: reader, request: ask('/x'), status: 403 },
];

describeMatrix('explain', (entry) =>
  itHolds(entry, rows, { given: [...people, newUser(['clerk', 'p'], ['_item_read'])] }),
);

describeMatrix('explain with other realms', (entry) => {
  const silentRealm: Plugin = {
    name: 'silent',
    version: '1.0.0',
    contract: 1,
    realms: {
      'test.SilentRealm': {
        says: 'Tells of users only when they log in.',
        create: () => ({ supports: () => false, authenticate: () => ({ answer: 'not-mine' }) }),
      },
    },
  };
  const text = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
silent = test.SilentRealm
strategy = org.apache.shiro.authc.pam.FirstSuccessfulStrategy
securityManager.authenticator.authenticationStrategy = $strategy
securityManager.realms = $serviceRealm, $iniRealm, $silent
[users]
gina = secret of gina, desk
[roles]
desk = item:read, item:write
[urls]
/user/** = noSessionCreation, tokenAuth[permissive], authcBasic, perms["item:write"]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`;
  const open = () => entry.open({ security: { text, file: 'security.ini', plugins: [silentRealm] } });

  it('tells what a realm grants, and what its filters make of it', async () => {
    const world = await open();
    const { body } = await world.send({ as: admin, request: ask('/API/user', 'gina'), ...asText });
    expect(body).toContain(
      '  perms: pass\r\nKnown to iniRealm; roles for filters desk; permissions item:read, item:write\r\n',
    );
    expect(body).toContain('Not asked, because only a login would tell: silent\r\nGranted to gina\r\n');
    expect(body).not.toContain('secret of gina');
  });

  it('takes a user for known whom only a login would tell', async () => {
    const world = await open();
    const headers = { accept: 'application/json' };
    const { body } = await world.send({ as: admin, request: ask('/API/whoami', 'someone'), headers });
    expect(JSON.parse(body)).toMatchObject({ granted: true, user: 'someone', known: [], silent: ['silent'] });
  });
});
