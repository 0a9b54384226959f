import { afterAll, beforeAll, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, ask, newType, openJobWorld, type Seen, worker } from './support.ts';

let world: Awaited<ReturnType<typeof openJobWorld>>;
beforeAll(async () => {
  world = await openJobWorld();
  await newType(world, 'QUICK', [{ step: 1, script: '1' }]);
  await prepare(world, [newUser(['other', 'p'], ['_job_write', '_job_read', '_import', '_item_read'])]);
});
afterAll(() => world.close());

const keyed = async (key: string, request = 'POST /job?type=QUICK', as = worker, body?: object) => {
  const sent = ask(request, body, as);
  const answer = await world.send({ ...sent, headers: { ...sent.headers, 'idempotency-key': key } });
  return { ...answer, said: answer.headers.get('idempotency-replayed'), code: answer.headers.get('portico-error') };
};
const count = async (table: string) => Number((await world.service.store.read(`SELECT COUNT(*) FROM ${table}`))[0]![0]);

it('a request with a key starts one job, and is answered the same each time', async () => {
  const before = await count('job');
  const first = await keyed('one');
  const again = await keyed('one');
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  expect([first.said, again.said]).toEqual([null, 'true']);
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(await count('job')).toBe(before + 1);
});

it('the same holds for items, with their address', async () => {
  const request = 'POST /import/placeholder?container=1';
  const first = await keyed('item', request, ['other', 'p']);
  const again = await keyed('item', request, ['other', 'p']);
  expect([again.status, again.body, again.headers.get('location')]).toEqual([
    first.status,
    first.body,
    first.headers.get('location'),
  ]);
  expect(first.status).toBe(200);
  expect(await count('item')).toBe(1);
});

it('a key is of its caller alone', async () => {
  const mine = await keyed('shared');
  const theirs = await keyed('shared', undefined, ['other', 'p']);
  expect((JSON.parse(theirs.body) as Seen).jobId).not.toBe((JSON.parse(mine.body) as Seen).jobId);
});

it('a key with another request is refused, and tells what the first one made', async () => {
  const { jobId } = JSON.parse((await keyed('reused')).body) as Seen;
  const other = await keyed('reused', 'POST /job?type=QUICK&priority=LOW');
  expect([other.status, other.code]).toEqual([409, 'request-repeated']);
  expect(other.body).toContain(jobId);
});

it('of two requests at the same time one makes a job, and the other says so', async () => {
  const before = await count('job');
  const answers = await Promise.all([keyed('race'), keyed('race'), keyed('race')]);
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses[0]).toBe(200);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(await count('job')).toBe(before + 1);
});

it('a request whose answer was lost is told what it made', async () => {
  const { jobId } = JSON.parse((await keyed('lost')).body) as Seen;
  const sql = `UPDATE keyed_request SET answer = NULL WHERE key = 'lost'`;
  await world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
  const again = await keyed('lost');
  expect([again.status, again.body]).toEqual([409, expect.stringContaining(jobId)]);
});

it('an import whose answer was lost is told its job, and not its item', async () => {
  const request = 'POST /import?uri=http%3A%2F%2Fmedia.test%2Fa.mov';
  const { jobId } = JSON.parse((await keyed('import', request, admin)).body) as Seen;
  const sql = `UPDATE keyed_request SET answer = NULL WHERE key = 'import'`;
  await world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
  const again = await keyed('import', request, admin);
  expect([again.status, again.body]).toEqual([409, expect.stringContaining(`it made job ${jobId}`)]);
});

it('a request that was refused may be tried again with its key', async () => {
  expect((await keyed('again', 'POST /job?type=NOBODY')).status).toBe(404);
  expect((await keyed('again')).status).toBe(200);
});

it('a request that makes no job and no item keeps no key', async () => {
  const before = await count('keyed_request');
  await keyed('plain', 'PUT /configuration/job-priority', admin, { job: [] });
  expect(await count('keyed_request')).toBe(before);
});

it.each(['', 'x'.repeat(256), 'a b'])('the key "%s" is refused', async (key) => {
  const answer = await keyed(key);
  expect([answer.status, answer.code]).toEqual([400, 'bad-header']);
});

it('a key is forgotten with its user, and after a day', async () => {
  await prepare(world, [newUser(['leaver', 'p'], ['_job_write'])]);
  await keyed('theirs', undefined, ['leaver', 'p']);
  await world.send(ask('DELETE /user/leaver?hard=true', undefined, admin));
  const left = await world.service.store.read(`SELECT 1 FROM keyed_request WHERE user = 'leaver'`);
  expect(left).toEqual([]);
  await world.clock.advance(86_400_001);
  await world.service.tick();
  expect(await count('keyed_request')).toBe(0);
});
