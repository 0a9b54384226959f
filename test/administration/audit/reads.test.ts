import { expect, it } from 'vitest';
import type { AuditLog } from '../../../src/administration/audit/routes.ts';
import type { Answered } from '../../../src/http/handler.ts';
import { Parameters } from '../../../src/security/parameters.ts';
import { newUser } from '../../support/cast.ts';
import { describeMatrix, openWorld, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { openRecorder } from './support.ts';

const headers = { accept: 'application/json' };
const get = (request: string, more: object = {}) => ({ as: admin, request: `GET /API${request}`, headers, ...more });

async function logOf(world: World, query: string) {
  const { status, body } = await world.send(get(`/log?${query}`));
  expect(status, body).toBe(200);
  return (JSON.parse(body) as AuditLog).entry ?? [];
}

describeMatrix('the log of requests', (entry) => {
  it('lists every call with its parameters, user, whom they act for, and status; secrets are masked', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(['alice', 'p'], ['_user_read'])]);
    await world.send(get('/whoami'));
    await world.send(get('/storage;first=1?state=NONE&token=abc'));
    await world.send(get('/storage;first=1?state=NONE&token=abc'));
    await world.send(get('/whoami', { headers: { ...headers, runas: 'alice' } }));
    await world.send(get('/whoami', { headers: { ...headers, runas: 'alice' } }));
    await world.send(get('/storage/VX-999'));
    await world.send({ ...get(''), request: 'PUT /API/item?number=1', headers: { ...headers }, body: {} });
    const told = (await logOf(world, 'sort=asc&path=/')).map(
      ({ username, runAs, method, path, queryParameters, matrixParameters, responseCode }) =>
        [username, runAs ?? '-', method, path, queryParameters, matrixParameters, responseCode].join(' '),
    );
    const storage = 'admin - GET /storage state=NONE&token=*** first=1 200';
    expect(told.filter((line) => line === storage)).toHaveLength(2);
    expect(told.filter((line) => line === 'admin alice GET /whoami   200')).toHaveLength(2);
    expect(told).toContain('admin - GET /storage/VX-999   404');
    expect(told).toContain('admin - PUT /item number=1  200');
    const below = await logOf(world, 'path=/storage&method=GET&username=admin&performCount=true');
    expect(below.map(({ path }) => path)).toEqual(['/storage/VX-999', '/storage', '/storage']);
    expect(await logOf(world, 'path=/storage&rows=1&first=1')).toHaveLength(1);
  });
});

it('an operator turns the recording of reads off, and a login tells who came, and not what they read', async () => {
  const world = await openWorld('fetch', { settings: { auditReads: 0 } });
  for (let times = 0; times < 3; times++) await world.send(get('/storage?number=3'));
  const entries = await logOf(world, '');
  expect(
    entries.map(({ username, method, path, queryParameters, reason }) => [
      username,
      method,
      path,
      queryParameters,
      reason,
    ]),
  ).toEqual([['admin', '*', '/*', '', 'password']]);
});

const answered = (path: string, at: number, parameters?: Parameters): Answered => ({
  method: 'GET',
  status: 200,
  address: '192.0.2.1',
  trace: { id: 'a', came: at, path, user: 'alice', proof: 'password', ...(parameters && { parameters }) } as never,
});

const readsOf = (world: Awaited<ReturnType<typeof openRecorder>>) =>
  world.store.read('SELECT user, path, query, count FROM audit_read ORDER BY sequence');

it('reads are gathered beside the requests and written together, and wait while the database is away', async () => {
  let away = true;
  const world = await openRecorder({
    before: async () => {
      if (away) throw new Error('away');
    },
  });
  for (let at = 0; at < 4; at++) world.recorder.answered(answered(`/${at}`, at, new Parameters([['a', `${at}`]])));
  await world.clock.advance(5_000);
  expect(await readsOf(world)).toEqual([]);
  away = false;
  await world.clock.advance(30_000);
  expect(await readsOf(world)).toEqual([1, 2, 3].map((at) => ['alice', `/${at}`, `a=${at}`, 1]));
  await world.close();
});

it('a flood of reads takes bounded memory: those beyond are counted in one entry', async () => {
  const world = await openRecorder();
  for (let at = 0; at < 7_001; at++) world.recorder.answered(answered('/a', at));
  await world.recorder.flush();
  const rows = await readsOf(world);
  expect([rows.length, rows.at(-1)]).toEqual([5_001, [null, '/*', null, 2_000]]);
  await world.close();
});

it('reads go before changes and refusals: the oldest beyond their number, and those that are too old', async () => {
  const world = await openRecorder({ settings: { auditReads: 10, auditReadDays: 1 } });
  world.recorder.answered({ ...answered('/refused', 0), status: 403 });
  for (let at = 0; at < 31; at++) world.recorder.answered(answered(`/${at}`, world.clock.now() + at));
  await world.recorder.flush();
  while (await world.sweep());
  expect((await readsOf(world)).map(([, path]) => path)).toEqual(Array.from({ length: 10 }, (_, at) => `/${at + 21}`));
  await world.clock.advance(2 * 24 * 60 * 60_000);
  while (await world.sweep());
  expect(await readsOf(world)).toEqual([]);
  expect((await world.rows()).map(({ path }) => path)).toContain('/refused');
  await world.close();
});
