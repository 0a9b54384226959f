import { expect, it } from 'vitest';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import { basic, describeMatrix, listenFor, openWorld, type World } from '../support/matrix.ts';
import { sendRaw } from '../support/raw.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import {
  acting,
  allowRunAs,
  boss,
  byToken,
  type How,
  json,
  lastLine,
  newKey,
  newToken,
  openRunners,
  optionOnly,
  plain,
  portal,
  roleOnly,
  runners,
  sendWell,
  whoIs,
} from '../support/ways.ts';

const told = (name: string) => ({ status: 200, says: { exact: name } }) as const;
const refused = (code: string, ...contains: string[]) =>
  ({ status: 403, answers: { 'portico-error': code, reason: null }, says: { contains } }) as const;
const unusable = (reason: string) =>
  ({ status: 401, answers: { reason, 'www-authenticate': null, 'content-type': null }, says: { exact: '' } }) as const;

const rows: readonly Scenario[] = [
  { name: 'a caller with role and option acts for a user', ...acting(portal, 'alice'), ...told('alice') },
  {
    name: 'the header counts in any case',
    as: portal,
    request: 'GET /API/whoami',
    headers: { RUNAS: 'alice' },
    ...told('alice'),
  },
  { name: 'an alias is the user whose alias it is', ...acting(portal, 'al'), ...told('alice') },
  { name: 'the first administrator may', ...acting(admin, 'alice'), ...told('alice') },
  {
    name: 'the roles of the user decide: what alice may',
    ...acting(portal, 'alice', 'PUT /API/group/crew'),
    body: {},
    status: 200,
    events: [['group/create', 'crew']],
  },
  {
    name: 'the roles of the user decide: not what the caller may',
    ...acting(portal, 'alice', 'GET /API/user'),
    ...refused('role-missing'),
  },
  {
    name: 'the roles of the user decide: an administrator gives theirs up',
    ...acting(admin, 'plain', 'GET /metrics'),
    ...refused('role-missing'),
  },
  {
    name: 'run-as without the role is refused',
    ...acting(plain, 'alice'),
    ...refused('run-as-role-missing', 'Expected the role _runas or _administrator'),
  },
  {
    name: 'the option alone is not enough',
    ...acting(optionOnly, 'alice'),
    ...refused('run-as-role-missing'),
  },
  {
    name: 'the role alone is not enough, and the refusal says how the option is set',
    ...acting(roleOnly, 'alice'),
    ...refused('run-as-option-off', 'Expected the Run-As option on the account "role-only"', 'PUT /user/role-only'),
  },
  {
    name: 'another administrator than the first needs the option, too',
    ...acting(boss, 'alice'),
    ...refused('run-as-option-off', '"boss"'),
  },
  {
    name: 'a caller who may not act for anybody does not learn whether there is such a user',
    ...acting(plain, 'ghost'),
    ...refused('run-as-role-missing'),
  },
  {
    name: 'an unknown user is 401 as any wrong credentials, and the header Reason says why',
    ...acting(portal, 'ghost'),
    ...unusable('User was not found: ghost'),
  },
  { name: 'oneself is nobody else: it needs nothing', ...acting(plain, 'plain'), ...told('plain') },
  { name: 'oneself by an alias, for a caller who may act', ...acting(portal, 'door'), ...told('portal') },
  {
    name: 'an administrator is a user like any other: a caller with _runas acts for one',
    ...acting(portal, 'admin', 'GET /API/configuration/properties'),
    status: 200,
  },
  {
    name: 'a caller with _runas who acts for an administrator makes nobody an access key',
    ...acting(portal, 'admin', 'POST /API/user/alice/key'),
    ...refused('not-allowed', 'Expected the user in person, or the role _administrator'),
  },
  {
    name: 'a caller with _runas who acts for a user makes them no access key',
    ...acting(portal, 'alice', 'POST /API/user/alice/key'),
    ...refused('not-allowed'),
  },
  {
    name: 'an administrator who acts for a user makes them an access key',
    ...acting(admin, 'alice', 'POST /API/user/alice/key'),
    status: 200,
    events: [['user/modify', 'alice']],
  },
  {
    name: 'the secret of a key of the user is not told to who acts for them',
    ...acting(portal, 'alice', 'GET /API/user/alice/key'),
    status: 200,
    says: { lacks: ['secret'] },
  },
  {
    name: 'nobody acts for anybody without coming in',
    request: 'GET /API/whoami',
    headers: { runas: 'alice' },
    status: 401,
  },
  {
    name: 'the password of the caller counts, not that of the user',
    ...acting(['portal', 'password of alice'], 'alice'),
    status: 401,
  },
  {
    name: 'the header RunAs has no effect on an open path',
    request: 'GET /health/live',
    headers: { runas: 'ghost' },
    status: 200,
  },
];

/** Header lines as they came over the wire, and what came of them: a name, or status and reason. */
const smuggled: readonly (readonly [what: string, lines: readonly string[], outcome: string])[] = [
  ['run_as', ['run_as: alice'], 'portal'],
  ['Run-As', ['Run-As: alice'], 'portal'],
  ['X-RunAs', ['X-RunAs: alice'], 'portal'],
  ['RunAs in a cookie', ['Cookie: RunAs=alice'], 'portal'],
  ['two headers', ['RunAs: alice', 'RunAs: jorg'], '400 bad-header'],
  ['two headers in two cases', ['RunAs: alice', 'runas: plain'], '400 bad-header'],
  ['the same header twice', ['RunAs: alice', 'RunAs: alice'], '400 bad-header'],
  ['a second, empty header', ['RunAs: alice', 'RunAs:'], '400 bad-header'],
  ['run_as beside RunAs', ['run_as: admin', 'RunAs: alice', 'Run-As: boss'], 'alice'],
  ['a comma', ['RunAs: alice,plain'], '400 bad-header'],
  ['a comma before', ['RunAs: ,alice'], '400 bad-header'],
  ['a comma after', ['RunAs: alice,'], '400 bad-header'],
  ['an empty value', ['RunAs:'], '400 bad-header'],
  ['blanks alone', ['RunAs:   \t '], '400 bad-header'],
  ['blanks around, which belong to no value', ['RunAs: \t alice \t'], 'alice'],
  ['a blank inside', ['RunAs: al ice'], '401 run-as-unknown-user'],
  ['a no-break space after, as UTF-8', ['RunAs: alice\xc2\xa0'], '400 bad-header'],
  ['a tab inside', ['RunAs: alice\tplain'], '400 bad-header'],
  ['a NUL after', ['RunAs: alice\0'], '400 malformed-request'],
  ['a bare CR', ['RunAs: alice\rX-Other: plain'], '400 malformed-request'],
  ['a bare LF, which ends a line to some and not to others', ['RunAs: alice\nX-Other: plain'], '400 malformed-request'],
  ['a blank before the colon', ['RunAs : alice'], '400 malformed-request'],
  ['a C1 control character, as UTF-8', ['RunAs: alice\xc2\x85'], '400 bad-header'],
  ['a name in UTF-8', ['RunAs: j\xc3\xb6rg'], 'jörg'],
  ['a name in Latin-1', ['RunAs: j\xf6rg'], '400 bad-header'],
  ['an overlong form of "a"', ['RunAs: \xc1\xa1lice'], '400 bad-header'],
  ['half a surrogate pair', ['RunAs: \xed\xa0\xbd'], '400 bad-header'],
  ['another Unicode form of the name', ['RunAs: jo\xcc\x88rg'], '401 run-as-unknown-user'],
  ['full-width letters', ['RunAs: \xef\xbd\x81lice'], '401 run-as-unknown-user'],
  ['a character of four bytes', ['RunAs: \xf0\x9f\x94\x91'], '401 run-as-unknown-user'],
  ['the name in another case', ['RunAs: Alice'], '401 run-as-unknown-user'],
  ['the name of the service itself', ['RunAs: system'], '401 run-as-unknown-user'],
  ['a percent-encoded name', ['RunAs: %61lice'], '401 run-as-unknown-user'],
  ['a name in quotes', ['RunAs: "alice"'], '401 run-as-unknown-user'],
  ['a pattern', ['RunAs: %'], '401 run-as-unknown-user'],
  ['a query of the database', ["RunAs: ' OR 1=1 --"], '401 run-as-unknown-user'],
  ['a name that is too long', [`RunAs: ${'a'.repeat(256)}`], '400 bad-header'],
  ['a disabled user', ['RunAs: gone'], '401 run-as-disabled-user'],
  ['an administrator', ['RunAs: admin'], 'admin'],
];

const rowsOf = async (world: World, sql: string) => (await world.service.store.read(sql)).map((row) => row.join(' '));

describeMatrix('run-as', (entry) => {
  itHolds(entry, rows, { given: runners });

  const open = () => openRunners(entry.open);

  it('acts whatever the caller came in with', async () => {
    const world = await open();
    const key = await newKey(world, 'portal');
    const ways: readonly How[] = [
      { as: portal },
      { as: ['door', portal[1]] },
      { as: key.pair },
      byToken(await newToken(world, { as: portal })),
      byToken(await newToken(world, { as: key.pair })),
    ];
    for (const how of ways) {
      const headers = { ...how.headers, runas: 'alice' };
      expect(await whoIs(world, { ...how, headers })).toBe('alice');
      expect(lastLine(world)).toMatchObject({ user: 'portal', runAs: 'alice' });
      expect(await whoIs(world, { ...how, headers: { ...headers, runas: 'gone' } })).toBe('401 run-as-disabled-user');
    }
  });

  it('a disabled user is 401, and the header Reason says why', async () => {
    const world = await open();
    const answer = await world.send(acting(portal, 'gone'));
    expect([answer.status, answer.headers.get('reason'), answer.body]).toEqual([401, 'User is disabled: gone', '']);
  });

  it('both names are in the log line, in the event and in the audit log', async () => {
    const world = await open();
    const before = (await world.events()).length;
    await sendWell(world, { ...acting(portal, 'alice', 'PUT /API/group/crew'), body: {} });
    expect(lastLine(world)).toMatchObject({ user: 'portal', runAs: 'alice', status: 200 });
    expect((await rowsOf(world, 'SELECT user, run_as, name FROM event')).slice(before)).toEqual([
      'portal alice group/create',
    ]);
    expect(await rowsOf(world, `SELECT user, run_as, status FROM audit WHERE path = '/group/crew'`)).toEqual([
      'portal alice 200',
    ]);
  });

  it('both names are in the log line of each refusal', async () => {
    const world = await open();
    const lines: unknown[] = [];
    for (const sent of [
      acting(portal, 'alice', 'GET /API/user'),
      acting(portal, 'ghost'),
      acting(portal, 'gone'),
      acting(plain, 'alice'),
      acting(roleOnly, 'alice'),
      acting(portal, 'alice,plain'),
    ]) {
      await world.send(sent);
      const { user, runAs, reason } = lastLine(world);
      lines.push([user, runAs, reason]);
    }
    expect(lines).toEqual([
      ['portal', 'alice', 'role-missing'],
      ['portal', 'ghost', 'run-as-unknown-user'],
      ['portal', 'gone', 'run-as-disabled-user'],
      ['plain', 'alice', 'run-as-role-missing'],
      ['role-only', 'alice', 'run-as-option-off'],
      ['portal', undefined, 'bad-header'],
    ]);
  });

  it('the option and the role count at the next request, either way', async () => {
    const world = await open();
    const crew = (userName: string, remove: boolean) => ({
      as: admin,
      request: 'PUT /API/group/_runas',
      body: { userList: { user: [{ userName, remove }] } },
    });
    const now = () => world.send(acting(portal, 'alice')).then(({ status }) => status);
    expect(await now()).toBe(200);
    await allowRunAs(world, 'portal', false);
    expect(await now()).toBe(403);
    await allowRunAs(world, 'portal', true);
    expect(await now()).toBe(200);
    await prepare(world, [crew('portal', true)]);
    expect(await now()).toBe(403);
    await prepare(world, [crew('portal', false)]);
    expect(await now()).toBe(200);
    await allowRunAs(world, 'boss', true);
    expect(await whoIs(world, { as: boss, headers: { runas: 'alice' } })).toBe('alice');
  });
});

it.each(smuggled)('run-as smuggling: %s', async (_what, lines, outcome) => {
  const world = await openRunners((options) => openWorld('fetch', options));
  const headers = [`Authorization: ${basic(portal)}`, ...lines];
  const { status, body, headers: answered } = await sendRaw(await listenFor(world), { target: '/API/whoami', headers });
  const reason = lastLine(world)?.['reason'];
  expect(status === 200 ? body : `${status} ${reason}`).toBe(outcome);
  if (status === 200) expect(lastLine(world)).toMatchObject({ user: 'portal' });
  for (const value of answered.values()) expect(value).toMatch(/^[\x20-\x7e]*$/);
});

it('run-as smuggling: a folded line stands for nobody, whatever the parser makes of it', async () => {
  const world = await openRunners((options) => openWorld('fetch', options));
  const headers = [`Authorization: ${basic(portal)}`, 'RunAs: alice', ' plain'];
  const { status } = await sendRaw(await listenFor(world), { target: '/API/whoami', headers });
  expect([400, 401]).toContain(status);
});

it('run-as smuggling: no parameter and no body stands for the header', async () => {
  const world = await openRunners((options) => openWorld('fetch', options));
  for (const request of ['GET /API/whoami?RunAs=alice', 'GET /API/whoami;runas=alice', 'GET /API/whoami?runas=alice'])
    expect((await sendWell(world, { as: portal, request })).body).toBe('portal');
});

const withChain = (chain: string, more: readonly string[] = []): SecurityInput => ({
  file: 'security.ini',
  plugins: [],
  text: [
    '[main]',
    'serviceRealm = com.service.security.auth.DefaultServiceRealm',
    'tokenAuth = com.service.security.auth.TokenAuthenticationFilter',
    'securityManager.realms = $serviceRealm, $iniRealm',
    '[users]',
    'elsa = password of elsa, _runas, _administrator',
    ...more,
    '[urls]',
    `/** = ${chain}`,
  ].join('\n'),
});

it('the filters that come after the login look at the roles of the user', async () => {
  const security = withChain('tokenAuth[permissive], authcBasic, roles[_group_write]');
  const world = await openWorld('fetch', { security });
  const group = await world.service.store.read(`SELECT id FROM "group" WHERE name = '_group_write'`);
  const join = {
    sql: `INSERT INTO group_user (group_id, user_id) SELECT ?, id FROM user WHERE name = 'admin'`,
    args: [group[0]![0]!],
  };
  await world.service.store.commit({ changes: [join], events: [] }, { user: 'test' });
  await prepare(world, runners);
  expect(await whoIs(world, { as: portal })).toMatch(/^403 /);
  expect(await whoIs(world, { as: portal, headers: { runas: 'alice' } })).toBe('alice');
  expect(await whoIs(world, { as: admin, headers: { runas: 'plain' } })).toMatch(/^403 /);
  expect(lastLine(world)).toMatchObject({ user: 'admin', runAs: 'plain' });
});

it('a caller whom only another realm knows acts for nobody, whatever roles that realm grants', async () => {
  const world = await openRunners((options) =>
    openWorld('fetch', { ...options, security: withChain('tokenAuth[permissive], authcBasic') }),
  );
  const elsa: How = { as: ['elsa', 'password of elsa'] };
  expect(await whoIs(world, elsa)).toBe('elsa');
  expect(await whoIs(world, { ...elsa, headers: { runas: 'alice' } })).toBe('403 run-as-role-missing');
  const answer = await world.send({ ...elsa, request: 'GET /API/token', headers: json });
  expect([answer.status, JSON.parse(answer.body).notFound?.id], 'a token is of a service user').toEqual([404, 'elsa']);
});
