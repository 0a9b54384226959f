import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, ask, done, ended, openJobWorld, refused, type Seen } from './support.ts';

const librarian = ['librarian', 'p'] as const;

async function withLibraries() {
  const world = await openJobWorld();
  await prepare(world, [newUser(librarian, ['_library_read', '_library_write'])]);
  const names: string[] = [];
  for (let count = 0; count < 2; count++) {
    names.push((await done<{ uri: string[] }>(world, 'POST /library', { item: [] }, librarian)).uri[0]!);
  }
  const { jobId } = await done<Seen>(
    world,
    `DELETE /library?id=${names.join()}&async=true&holdJob=true`,
    undefined,
    librarian,
  );
  const states = () =>
    Promise.all(names.map(async (name) => (await world.send(ask(`GET /library/${name}`, undefined, admin))).status));
  return { world, names, jobId, states };
}

it('libraries go when their job runs, and not before', async () => {
  const { world, names, jobId, states } = await withLibraries();
  await world.service.tick();
  expect(await states()).toEqual([200, 200]);
  await done(world, `DELETE /library/${encodeURIComponent(names[0]!)}`, undefined, librarian);
  await done(world, `PUT /job/${jobId}?status=READY`);
  const job = await ended(world, jobId);
  expect(job.data).toEqual(names.map((value) => ({ key: 'libraryId', value })));
  expect([job.status, job.log!.task[0]!.subStep![0]!.description]).toEqual(['FINISHED', 'Deleted 1 libraries']);
  expect(await states()).toEqual([404, 404]);
  await world.close();
});

it('a caller who lost the right meanwhile deletes none of them', async () => {
  const { world, jobId, states } = await withLibraries();
  await done(world, 'DELETE /user/librarian', undefined, admin);
  await done(world, `PUT /job/${jobId}?status=READY`);
  expect((await ended(world, jobId)).status).toBe('FAILED_TOTAL');
  expect(await states()).toEqual([200, 200]);
  await world.close();
});

it('nobody else has a job delete them', async () => {
  const { world, names } = await withLibraries();
  await prepare(world, [newUser(['other', 'p'], ['_library_read', '_library_write'])]);
  const request = `DELETE /library/${encodeURIComponent(names[0]!)}?async=true`;
  expect(await refused(world, request, undefined, ['other', 'p'])).toMatch(/^40[34] /);
  await world.close();
});
