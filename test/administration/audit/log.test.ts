import { expect, it } from 'vitest';
import type { AuditLog } from '../../../src/administration/audit/routes.ts';
import { newUser, people, reader } from '../../support/cast.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { describeMatrix, openWorld, type Sent, type World } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

type Entry = NonNullable<AuditLog['entry']>[number];

async function logOf(world: World, query = ''): Promise<readonly Entry[]> {
  const answer = await world.send({
    as: admin,
    request: `GET /API/log?${query}`,
    headers: { accept: 'application/json' },
  });
  expect(answer.status, answer.body).toBe(200);
  return (JSON.parse(answer.body) as AuditLog).entry ?? [];
}

/** Log entries since the set-up of the world, oldest first, without reads of the log itself. */
const told = (entries: readonly Entry[]) =>
  entries
    .filter(({ path }) => path !== '/log')
    .map(({ username, runAs, method, path, responseCode, reason }) =>
      [username || '-', ...(runAs ? [`as ${runAs}`] : []), method, path, responseCode, reason].join(' '),
    );

const whoami = (more: Partial<Sent> = {}): Sent => ({ request: 'GET /API/whoami', ...more });

describeMatrix('the audit log', (entry) => {
  it('has each change with who made it, as whom, from where, and no secret of it', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(['alice', 'p'], ['_group_write'])]);
    await world.send({
      as: admin,
      request: 'PUT /API/group/crew?clear=false&token=abc;note=x%20y',
      headers: { runas: 'alice', 'x-request-id': 'request-1' },
      body: {},
    });
    const [change] = await logOf(world, 'path=/group&sort=desc');
    expect(change).toMatchObject({
      username: 'admin',
      runAs: 'alice',
      method: 'PUT',
      path: '/group/crew',
      queryParameters: expect.stringContaining('clear=false'),
      contentType: 'application/json',
      responseCode: 200,
      reason: 'password',
      requestId: 'request-1',
    });
    expect(change!.queryParameters).toContain('token=***');
    expect(JSON.stringify(change)).not.toContain('abc');
  });

  it.each([
    ['sig', 'https://h/a.mov?sv=1&sig=canary'],
    ['X-Amz-Signature', 'https://h/a.mov?X-Amz-Signature=canary&X-Amz-Date=1'],
    ['token', 'https://h/a.mov?token=canary'],
    ['sig inside an address in it', `https://h/?u=${encodeURIComponent('https://i/?a=1&sig=canary')}`],
  ])(
    'a reader of the log, or of its export, opens an address with the %s of its parameter uri: it is hidden',
    async (_name, uri) => {
      const world = await entry.open();
      await world.send({ as: admin, request: `POST /API/import?uri=${encodeURIComponent(uri)}` });
      const [kept] = await logOf(world, 'path=/import&sort=desc');
      expect(kept!.queryParameters).toContain('***');
      const { status, body } = await world.send({ as: admin, request: 'GET /API/log/export' });
      expect([status, body.includes('/import'), `${JSON.stringify(kept)}${body}`.includes('canary')]).toEqual([
        200,
        true,
        false,
      ]);
    },
  );

  it('has refusals with their reasons, and alike ones as one', async () => {
    const world = await entry.open();
    await prepare(world, people);
    for (let time = 0; time < 3; time++) await world.send(whoami({ as: ['alice', 'wrong'] }));
    await world.send(whoami());
    await world.send({ as: reader, request: 'POST /API/user', body: { userName: 'x' } });
    const entries = await logOf(world, 'sort=asc');
    const refused = entries.filter(({ responseCode }) => responseCode > 200);
    expect(
      refused.map(({ username, path, responseCode, reason, count }) => [username, path, responseCode, reason, count]),
    ).toEqual([
      ['', '/whoami', 401, 'wrong-password', 3],
      ['', '/whoami', 401, 'credentials-missing', undefined],
      ['reader', '/user', 403, 'role-missing', undefined],
    ]);
  });

  it('has a caller when they come, and not with every request, where reads are turned off', async () => {
    const world = await entry.open({ settings: { auditReads: 0 } });
    for (let time = 0; time < 3; time++) await world.send(whoami({ as: admin }));
    expect(told(await logOf(world))).toEqual(['admin * /* 200 password']);
    await world.clock.advance(61 * 60_000);
    await world.send(whoami({ as: admin }));
    expect(told(await logOf(world))).toHaveLength(2);
  });

  it('has a change that failed, but not what nobody asked for or got', async () => {
    const world = await entry.open();
    await world.send({ as: admin, request: 'PUT /API/group/_new' });
    await world.send({ as: admin, request: 'PUT /API/group/a%20' });
    await world.send({ request: 'GET /health' });
    await world.send({ request: 'POST /APIinit' });
    expect(told(await logOf(world, 'sort=asc'))).toEqual([
      'admin PUT /group/_new 403 role-fixed',
      'admin PUT /group/a  400 bad-value',
    ]);
  });

  it('is read by path, user, method and time, in pages, newest first', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(['alice', 'p'])]);
    await world.clock.advance(10_000);
    await prepare(world, [newUser(['bob', 'p']), { as: admin, request: 'PUT /API/group/crew' }]);
    await world.send(whoami({ as: ['alice', 'p'] }));
    const paths = async (query: string) => (await logOf(world, query)).map(({ path }) => path);
    expect(await paths('path=/user')).toEqual(['/user', '/user']);
    expect(await paths('path=/API/us*')).toEqual(['/user', '/user']);
    expect(await paths('path=/us&wildcard=false')).toEqual([]);
    expect(await paths('path=/group/crew&wildcard=false')).toEqual(['/group/crew']);
    expect(await paths('username=alice')).toEqual(['/whoami']);
    expect(await paths('method=put')).toEqual(['/group/crew']);
    await world.send({ as: ['alice', 'p'], request: 'DELETE /API/group/crew' });
    expect(await paths('refused=true')).toEqual(['/group/crew']);
    expect(await paths('refused=true&method=PUT')).toEqual([]);
    expect(await paths('path=/user&starttime=2030-01-01T00:00:05Z')).toEqual(['/user']);
    expect(await paths('path=/user&endtime=2030-01-01T00:00:05.000%2B0000')).toEqual(['/user']);
    expect(await paths('first=1&rows=1&sort=asc')).toEqual(['/user']);
    const counted = await world.send({
      as: admin,
      request: 'GET /API/log?performCount=true&rows=0&path=/user',
      headers: { accept: 'application/json' },
    });
    expect(JSON.parse(counted.body)).toEqual({ count: 2, entry: [] });
    for (const bad of ['starttime=yesterday', 'first=-1', 'rows=x', 'sort=up', 'wildcard=2', 'refused=2']) {
      expect([bad, (await world.send({ as: admin, request: `GET /API/log?${bad}` })).status]).toEqual([bad, 400]);
    }
  });

  it('belongs to administrators', async () => {
    const world = await entry.open();
    await prepare(world, people);
    expect((await world.send({ as: reader, request: 'GET /API/log' })).status).toBe(403);
    expect((await world.send({ request: 'GET /API/log' })).status).toBe(401);
  });
});

it('forgets what is older than its setting', async () => {
  const world = await openWorld('fetch', { settings: { auditDays: 7 } });
  await world.send(whoami());
  await logOf(world);
  await world.clock.advance(8 * 24 * 60 * 60_000);
  await world.send(whoami());
  await world.service.tick();
  expect(told(await logOf(world))).toEqual(['- GET /whoami 401 credentials-missing']);
});

it('writes what waits when the service ends, and keeps it while the database is away', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  world.expectErrors('audit-not-written');
  await world.send(whoami());
  database.fail('write');
  await world.clock.advance(1_000);
  expect(world.lines.some(({ event }) => event === 'audit-not-written')).toBe(true);
  database.mend();
  expect(told(await logOf(world))).toEqual(['- GET /whoami 401 credentials-missing']);
});

it('keeps a flood of different refusals within bounds, and says how many there were', async () => {
  const world = await openWorld('fetch', { settings: { auditPaths: 3 } });
  for (let each = 0; each < 10; each++) {
    await world.send({ request: `GET /API/path-${each}` });
    await world.clock.advance(500);
  }
  const [folded, ...exact] = (await logOf(world, 'sort=desc')).filter(({ path }) => path !== '/log');
  expect(exact.map(({ path, count }) => [path, count])).toEqual([
    ['/path-2', undefined],
    ['/path-1', undefined],
    ['/path-0', undefined],
  ]);
  expect(folded).toMatchObject({
    timestamp: '2030-01-01T00:00:01.500+0000',
    lastTime: '2030-01-01T00:00:04.500+0000',
    method: '*',
    path: '/*',
    responseCode: 401,
    reason: 'credentials-missing',
    count: 7,
  });
});
