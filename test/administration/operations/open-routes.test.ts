import { expect, it } from 'vitest';
import { apiVersion, programVersion } from '../../../src/core/lib/version.ts';
import { alice, people } from '../../support/cast.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const json = { accept: 'application/json' };
const component = [
  { name: 'API', version: apiVersion },
  { name: 'Portico', version: programVersion },
];

const rows: readonly Scenario[] = [
  {
    name: 'tells any caller its version',
    as: alice,
    request: 'GET /API/version',
    headers: json,
    status: 200,
    says: { jsonPart: { component } },
  },
  {
    name: 'tells it as text, a component a line',
    as: alice,
    request: 'GET /API/version',
    headers: { accept: 'text/plain' },
    status: 200,
    says: { exact: `API\t${apiVersion}\r\nPortico\t${programVersion}\r\n` },
  },
  { name: 'does not tell it to nobody', request: 'GET /API/version', status: 401, says: { exact: '' } },
  {
    name: 'tells a load balancer that it is online',
    request: 'GET /APInoauth/is-online/',
    status: 200,
    says: { exact: 'online' },
  },
  {
    name: 'converts no document of more than 64 KiB',
    request: 'PUT /APInoauth/debug/echo',
    headers: { 'content-type': 'application/xml' },
    body: `<URIListDocument>${' '.repeat(65_536)}</URIListDocument>`,
    status: 413,
    answers: { 'portico-error': 'body-too-large' },
  },
  { name: 'is live', request: 'GET /health/live', status: 200, says: { json: { live: true } } },
  {
    name: 'is ready when the database takes a write and has the schema',
    request: 'GET /health/ready',
    status: 200,
    answers: { 'content-type': 'application/json' },
    says: { json: { live: true, ready: true, database: 'writable', migrations: 'done', security: 'current' } },
  },
  { name: 'tells the same at /health', request: 'GET /health', status: 200, says: { jsonPart: { ready: true } } },
  {
    name: 'tests itself for anybody before the first login',
    request: 'GET /APInoauth/selftest/',
    headers: json,
    status: 200,
    says: {
      jsonPart: {
        name: 'selftest',
        status: 'ok',
        test: expect.arrayContaining(
          ['database', 'host', 'security', 'media'].map((name) => expect.objectContaining({ name, status: 'ok' })),
        ),
      },
    },
  },
  {
    name: 'tests one thing by its name',
    as: alice,
    request: 'GET /API/selftest/host',
    headers: json,
    status: 200,
    says: { jsonPart: { name: 'host', status: 'ok' }, lacks: ['database'] },
  },
  {
    name: 'says which tests there are',
    as: alice,
    request: 'GET /API/selftest/nothing',
    status: 404,
    says: { contains: ['Expected one of database, host'] },
  },
];

describeMatrix('operations', (entry) => {
  itHolds(entry, rows, { given: people });

  it('shows in the self-test what the host found out about itself', async () => {
    const world = await entry.open({ notices: ['The limit of open files is 1024'] });
    const answer = await world.send({ as: admin, request: 'GET /API/selftest', headers: json });
    const { status, test } = JSON.parse(answer.body);
    expect(status).toBe('warning');
    expect(test.slice(0, 3)).toMatchObject([
      { name: 'database' },
      { name: 'host', status: 'warning', message: ['The limit of open files is 1024'] },
      { name: 'security', status: 'ok' },
    ]);
  });
});

describeMatrix('a database that fails', (entry) => {
  const open = async () => {
    const database = faultyDatabase(await migratedDatabase());
    return { database, world: await entry.open({ database }) };
  };

  it('makes the service live but not ready, and ready again afterwards', async () => {
    const { database, world } = await open();
    const ready = async () => {
      const { status, body } = await world.send({ request: 'GET /health/ready' });
      return [status, JSON.parse(body)];
    };
    expect((await ready())[0]).toBe(200);
    database.fail('write');
    expect((await ready())[0], 'an answer is good for a second').toBe(200);
    await world.clock.advance(1000);
    expect(await ready()).toEqual([
      503,
      { live: true, ready: false, database: 'unavailable', migrations: 'done', security: 'current' },
    ]);
    expect((await world.send({ request: 'GET /health/live' })).status).toBe(200);
    database.fail('read', 'write');
    await world.clock.advance(1000);
    expect(await ready()).toEqual([503, { live: true, ready: false, database: 'unavailable', security: 'current' }]);
    database.mend();
    await world.clock.advance(1000);
    expect((await ready())[0]).toBe(200);
  });

  it('lets nobody in, and says that it is busy rather than that the password is wrong', async () => {
    const { database, world } = await open();
    await prepare(world, people);
    database.fail('read', 'write');
    for (const as of [admin, ['admin', 'wrong'] as const]) {
      const answer = await world.send({ as, request: 'GET /API/whoami' });
      expect([answer.status, answer.headers.get('portico-error')]).toEqual([503, 'store-unavailable']);
    }
    database.fail('write');
    expect((await world.send({ as: admin, request: 'GET /API/whoami' })).status, 'reading is enough').toBe(200);
    const created = await world.send({ as: admin, request: 'POST /API/user', body: { userName: 'bob' } });
    expect(created.status).toBe(503);
    database.mend();
    expect((await world.send({ as: admin, request: 'GET /API/user/bob' })).status).toBe(404);
  });

  it('is a failed self-test, still told in a document', async () => {
    const { database, world } = await open();
    database.fail('read', 'write');
    const answer = await world.send({ request: 'GET /APInoauth/selftest', headers: json });
    expect(answer.status).toBe(200);
    const { status, test } = JSON.parse(answer.body);
    expect(status).toBe('failed');
    expect(test.slice(0, 3)).toMatchObject([{ status: 'failed' }, { status: 'ok' }, { status: 'ok' }]);
  });

  it('asked a thousand times is probed once', async () => {
    const { world } = await open();
    const before = await world.service.store.read(`SELECT value FROM counter WHERE name = 'writable-at'`);
    await Promise.all(
      Array.from({ length: entry.name === 'fetch' ? 1000 : 50 }, () => world.send({ request: 'GET /health' })),
    );
    const after = await world.service.store.read(`SELECT value FROM counter WHERE name = 'writable-at'`);
    expect([before.length, after.length]).toEqual([0, 1]);
  });
});
