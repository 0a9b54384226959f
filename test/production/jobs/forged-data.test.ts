import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, ask, done, newType, openJobWorld, refused, type Seen } from './support.ts';

let world: Awaited<ReturnType<typeof openJobWorld>>;
beforeAll(async () => {
  world = await openJobWorld();
  await newType(world, 'QUICK', [{ step: 1, script: 'job.setData("ran", "yes")' }]);
  await done(world, 'POST /user', { userName: 'leaver' }, admin);
});
afterAll(() => world.close());

const list = 'POST /item/list?destinationUri=memory:///out/list&outputFormat=csv&field=title';
const deletion = 'DELETE /library?id=VX-1&async=true';

describe('a caller forges no data that the service writes for jobs of a type', () => {
  it.each([
    ...['destinationUri', 'outputFormat', 'libraryId', 'exportedUris'].map((key) => [list, key] as const),
    [deletion, 'libraryId'] as const,
    ...['item', 'itemId', 'jobId', 'user', 'username', 'status', 'abortReason', 'errorMessage-100-1-0'].flatMap((key) =>
      [list, 'POST /job?type=QUICK', 'DELETE /user/leaver?hard=true'].map((request) => [request, key] as const),
    ),
  ])('%s: %s', async (request, key) => {
    const before = (await world.events()).length;
    const answer = await world.send(ask(`${request}&jobmetadata=${key}%3Dforged`, undefined, admin));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'bad-parameter']);
    expect(answer.body).toContain(key);
    expect((await world.events()).length).toBe(before);
  });

  it('in the document of a job of a custom type', async () => {
    const body = { field: [{ key: 'user', value: 'forged' }] };
    expect(await refused(world, 'POST /job?type=QUICK', body, admin)).toBe('400 bad-parameter');
  });

  it('and what it writes for other types alone is data like any other', async () => {
    const job = await done<Seen>(
      world,
      'POST /job?type=QUICK&holdJob=true&jobmetadata=destinationUri%3Ddesk',
      undefined,
      admin,
    );
    const { data } = await done<Seen>(world, `GET /job/${job.jobId}`);
    expect(data).toEqual([{ key: 'destinationUri', value: 'desk' }]);
  });
});
