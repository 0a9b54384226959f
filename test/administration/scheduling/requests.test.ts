import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outliving } from '../../support/databases.ts';
import { requestOf, type World } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin } from '../../support/service.ts';
import { maker, other, untilClosed } from '../../support/world.ts';
import {
  at,
  collectionNames,
  later,
  newCollection,
  openScheduling,
  outcome,
  pass,
  scheduled,
  see,
  type Told,
} from './support.ts';

let world: World;
beforeAll(async () => {
  world = await openScheduling();
});
afterAll(() => world.close());

const response = (id: number, as = maker) => world.send({ as, request: `GET /API/scheduled-request/${id}/response` });
const refusal = async (headers: Record<string, string>, request = newCollection('never').request) => {
  const answer = await world.send({ as: maker, request, headers: { accept: 'application/json', ...headers } });
  return [answer.status, answer.headers.get('portico-error')];
};

describe('a request with the header Schedule', () => {
  it('is kept, carried out at its time in the name of its caller, and its answer is kept', async () => {
    const answer = await world.send(later(world, newCollection('first')));
    const { id, ...told } = JSON.parse(answer.body) as Told;
    expect([answer.status, answer.headers.get('location')]).toEqual([
      202,
      `http://portico.test/API/scheduled-request/${id}`,
    ]);
    expect(told).toMatchObject({
      user: 'maker',
      state: 'WAITING',
      request: { uri: 'http://portico.test/API/collection?name=first', method: 'POST' },
    });
    expect(told).not.toHaveProperty('executed');
    await pass(world, 9);
    expect(await collectionNames(world)).not.toContain('first');
    expect((await see(world, id)).state).toBe('WAITING');
    expect((await response(id)).status).toBe(404);
    await pass(world, 1);
    expect(await see(world, id)).toMatchObject({
      state: 'SUCCESS',
      executed: expect.any(String),
      response: { statusCode: 200, hasBody: true, contentType: 'application/json' },
    });
    const kept = await response(id);
    expect([kept.status, JSON.parse(kept.body)]).toEqual([200, expect.objectContaining({ name: 'first' })]);
    expect(kept.headers.get('x-content-type-options')).toBe('nosniff');
    const made = (await world.events()).find(({ name, payload }) => name === 'collection/create' && payload);
    expect(made).toMatchObject({ user: 'maker' });
  });

  it('is answered with time, id and address to who reads text', async () => {
    const date = at(world, 5);
    const headers = { accept: 'text/plain', schedule: date };
    const { status, body } = await world.send({ as: maker, request: 'GET /API/whoami', headers });
    expect([status, body]).toEqual([
      202,
      expect.stringMatching(new RegExp(`^${date}\t(\\d+)\thttp://portico.test/API/scheduled-request/\\1\r\n$`)),
    ]);
  });

  it('keeps its body and its type', async () => {
    const body = { name: 'with a body' };
    const { id, request } = await scheduled(world, { request: 'POST /API/collection', body });
    expect(request.body).toBe(JSON.stringify(body));
    await pass(world);
    expect((await see(world, id)).state).toBe('SUCCESS');
    expect(await collectionNames(world)).toContain('with a body');
  });

  it('is carried out at once when its time has come already', async () => {
    const sent = { ...newCollection('at-once'), as: maker, headers: { schedule: at(world, 0) } };
    expect((await world.send(sent)).status).toBe(200);
    expect(await collectionNames(world)).toContain('at-once');
  });

  it('says what was refused when its time came', async () => {
    const { id } = await scheduled(world, { request: 'GET /API/collection/VX-999' });
    await pass(world);
    expect(await see(world, id)).toMatchObject({ state: 'BAD_REQUEST', response: { statusCode: 404 } });
    expect((await response(id)).body).toContain('VX-999');
  });

  it('is counted when it is refused, and does not say that the work with them fails', async () => {
    await scheduled(world, { request: 'GET /API/collection/VX-999' });
    await pass(world);
    const { body } = await world.send({ as: admin, request: 'GET /API/work', headers: { accept: 'application/json' } });
    const { work } = JSON.parse(body) as { readonly work: readonly Record<string, unknown>[] };
    const requests = work.find(({ kind }) => kind === 'scheduled-requests')!;
    expect(requests['failed']).toBeGreaterThan(0);
    expect(requests).not.toHaveProperty('lastFailure');
  });

  it.each([
    ['a time that is none', { schedule: 'tomorrow' }],
    ['two times', { schedule: '2030-01-02T00:00:00Z, 2030-01-03T00:00:00Z' }],
    ['a time in ten years', { schedule: '2040-01-01T00:00:00Z' }],
  ])('refuses %s', async (_what, headers) => {
    expect(await refusal(headers)).toEqual([400, 'bad-header']);
  });

  it('is refused at once where its caller may not make it', async () => {
    expect(await refusal({ schedule: at(world, 5) }, 'GET /API/metrics')).toEqual([403, 'role-missing']);
  });

  it('is in the audit log when it is kept and when it is carried out', async () => {
    const { id } = await scheduled(world, { ...newCollection('audited'), headers: { 'x-request-id': 'asked' } });
    await pass(world);
    const sql = 'SELECT user, path FROM audit WHERE request_id IN (?, ?)';
    const rows = await world.service.store.read(sql, ['asked', `scheduled-${id}`]);
    expect(rows.map(([user, path]) => `${user} ${path}`)).toEqual(['maker /collection', 'maker /collection']);
    const line = world.lines.find((each) => each['id'] === `scheduled-${id}`);
    expect(line).toMatchObject({ event: 'request', user: 'maker', status: 200, path: '/collection' });
  });
});

describe('scheduled requests', () => {
  const ids = (list: { scheduledRequest?: readonly Told[] }) => (list.scheduledRequest ?? []).map(({ id }) => id);
  it('are listed for their user, page by page and by state, and for administrators all', async () => {
    await world.send({ as: other, request: 'DELETE /API/scheduled-request' });
    const made: number[] = [];
    for (const name of ['a', 'b', 'c']) made.push((await scheduled(world, { ...newCollection(name), as: other })).id);
    const of = async (query: string, as = other) => {
      const request = `GET /API/scheduled-request?${query}`;
      const { body } = await world.send({ as, request, headers: { accept: 'application/json' } });
      return ids(JSON.parse(body));
    };
    expect(await of('')).toEqual(made.toReversed());
    expect(await of('first=2&number=1')).toEqual([made[1]]);
    expect([await of('state=WAITING&number=1'), await of('state=success')]).toEqual([[made[2]], []]);
    expect(await of('', admin)).not.toContain(made[0]);
    expect(await of('all=true', admin)).toEqual(expect.arrayContaining(made));
    const refused = await world.send({ as: other, request: 'GET /API/scheduled-request?all=true' });
    expect(refused.status).toBe(403);
  });

  it('that are deleted are not carried out', async () => {
    const { id } = await scheduled(world, newCollection('deleted'));
    await scheduled(world, newCollection('deleted-with-all'));
    const one = { as: maker, request: `DELETE /API/scheduled-request/${id}` };
    expect([(await world.send(one)).status, (await world.send(one)).status]).toEqual([200, 404]);
    expect((await world.send({ as: maker, request: 'DELETE /API/scheduled-request?state=WAITING' })).status).toBe(200);
    await pass(world);
    expect((await collectionNames(world)).filter((name) => String(name).startsWith('deleted'))).toEqual([]);
  });

  it('are forgotten after their days', async () => {
    const { id } = await scheduled(world, newCollection('forgotten'));
    await pass(world);
    await pass(world, 29 * 24 * 60);
    expect((await see(world, id)).state).toBe('SUCCESS');
    await pass(world, 2 * 24 * 60);
    await expect(see(world, id)).rejects.toThrow('404');
  });
});

describe('scheduled requests of several instances', () => {
  async function two() {
    const database = await migratedDatabase();
    const first = await openScheduling({ database });
    const second = await untilClosed({ database: outliving(database), clock: first.clock });
    const close = async () => {
      await second.close();
      await first.close();
    };
    return { first, second, close };
  }

  it('are carried out by one of them', async () => {
    const { first, second, close } = await two();
    for (const name of ['x', 'y', 'z']) await scheduled(first, newCollection(name));
    await first.clock.advance(600_000);
    await Promise.all([first.service.tick(), second.service.tick()]);
    expect(await collectionNames(first)).toEqual(['x', 'y', 'z']);
    await close();
  });

  it('are not begun again where an instance ended in the middle, and say so', async () => {
    const { first, second, close } = await two();
    const { id } = await scheduled(first, newCollection('lost'));
    const kind = first.service.kinds.find(({ name }) => name === 'scheduled-requests')!;
    await first.clock.advance(600_000);
    expect(await kind.claim(1, first.clock.now(), () => false)).toHaveLength(1);
    await pass(second, 1);
    expect(await see(second, id)).toMatchObject({ state: 'CONNECTION_FAILURE' });
    expect(await collectionNames(first)).toEqual([]);
    await close();
  });
});

it('the answer of a request is kept up to a length, and its body refused beyond it', async () => {
  const small = await openScheduling({ settings: { maxScheduledBytes: 40 } });
  expect(await outcome(small, { request: 'GET /API/collection' })).toEqual(['SUCCESS', 200, '']);
  const answer = await small.send(later(small, { request: 'POST /API/collection', body: { name: 'n'.repeat(50) } }));
  expect([answer.status, answer.headers.get('portico-error')]).toEqual([413, 'body-too-large']);
  await small.close();
});

it('a request that nobody sends for somebody is refused', async () => {
  const headers = { schedule: at(world, 5) };
  const answer = await world.service.fetch(requestOf('http://portico.test', { request: 'GET /API/version', headers }));
  expect(answer.status).toBe(401);
});
