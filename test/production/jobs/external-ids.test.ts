import { expect, it } from 'vitest';
import { admin, ask, done, newType, openJobWorld, refused, type Seen } from './support.ts';

it('a job is found by the external id that it was given, and its id is free when the job is deleted', async () => {
  const world = await openJobWorld();
  await newType(world, 'STEPS', [{ step: 1, script: 'job.log("a step")' }]);
  await done(world, 'PUT /external-id/ticket', { pattern: 'ticket_\\d+' }, admin);
  const { jobId } = await done<Seen>(world, 'POST /job?type=STEPS');
  await done(world, `PUT /job/${jobId}/external-id/ticket_1`);
  expect(await done(world, `GET /job/${jobId}/external-id`)).toEqual({
    id: [{ entityId: jobId, entityType: 'Job', namespace: 'ticket', externalId: 'ticket_1' }],
  });
  expect(await done(world, 'GET /job/ticket_1')).toMatchObject({ jobId, type: 'STEPS' });
  expect(await done(world, 'GET /job/ticket_1/problem')).toEqual({});
  await done(world, 'PUT /job/ticket_1?priority=HIGH');
  expect(await done(world, `GET /job/${jobId}`)).toMatchObject({ priority: 'HIGH' });
  expect(await refused(world, `PUT /job/${jobId}/external-id/other`)).toBe('400 bad-value');
  const second = (await done<Seen>(world, 'POST /job?type=STEPS')).jobId;
  expect(await refused(world, `PUT /job/${second}/external-id/ticket_1`)).toBe('400 bad-value');
  expect(await refused(world, 'PUT /job/VX-999/external-id/ticket_2')).toBe('404 no-such-entity');
  await world.service.tick();
  await done(world, `DELETE /job?id=${jobId}`);
  expect(await refused(world, 'GET /job/ticket_1')).toBe('404 no-such-entity');
  await done(world, `PUT /job/${second}/external-id/ticket_1`);
  await done(world, `DELETE /job/${second}/external-id/ticket_1`);
  expect(await done(world, `GET /job/${second}/external-id`)).toEqual({ id: [] });
  await world.close();
});

it('the external ids of a job are those of its owner, and of readers of all jobs', async () => {
  const world = await openJobWorld();
  await newType(world, 'STEPS', [{ step: 1, script: 'job.log("a step")' }]);
  await done(world, 'PUT /external-id/any', { pattern: '.+' }, admin);
  const { jobId } = await done<Seen>(world, 'POST /job?type=STEPS', undefined, admin);
  await done(world, `PUT /job/${jobId}/external-id/hers`, undefined, admin);
  const user = { userName: 'mallory', password: 'p', groupList: { group: [] } };
  await world.send(ask('POST /user', user, admin));
  const mallory = ['mallory', 'p'] as const;
  for (const request of [`GET /job/${jobId}/external-id`, 'GET /job/hers'])
    expect([request, await refused(world, request, undefined, mallory)]).toEqual([request, '404 no-such-entity']);
  await world.close();
});
