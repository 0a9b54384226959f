import { describe, expect, it } from 'vitest';
import { groupPlaces, limitsFrom } from '../../../src/production/jobs/pools/task-groups.ts';
import { jobPriorities } from '../../../src/room/jobs/job-type.ts';
import { admin, done, ended, jobOf, newType, openJobWorld, refused, type Seen } from './support.ts';

const job = (type: string, more: object = {}) => ({ type, priority: 3, user: 'ann', data: '[]', ...more });
const group = (name: string, maxConcurrency: number | undefined, criteria: object[], priority?: string) =>
  ({ name, job: criteria, maxConcurrency, priority }) as never;

describe('places of task groups', () => {
  it.each([
    ['a type', [{ type: ['transcode'] }], job('TRANSCODE'), job('EXPORT')],
    ['a user', [{ user: ['ann'] }], job('EXPORT'), job('EXPORT', { user: 'bob' })],
    ['a priority', [{ priority: ['low'] }], job('EXPORT', { priority: jobPriorities.indexOf('LOW') }), job('EXPORT')],
    ['a key of the data', [{ data: [{ key: 'a' }] }], job('EXPORT', { data: '[["a","1"]]' }), job('EXPORT')],
    [
      'a value of the data',
      [{ data: [{ key: 'a', value: '1' }] }],
      job('EXPORT', { data: '[["a","1"]]' }),
      job('EXPORT', { data: '[["a","2"]]' }),
    ],
    ['one of two selections', [{ type: ['X'], user: ['ann'] }], job('EXPORT'), job('EXPORT', { user: 'bob' })],
    ['two criteria', [{ type: ['EXPORT'] }, { user: ['ann'] }], job('EXPORT'), job('EXPORT', { user: 'bob' })],
  ])('are those of jobs with %s', (_what, criteria, inside, outside) => {
    const places = groupPlaces(limitsFrom([group('g', 1, criteria)]), [inside]);
    expect([places.hasPlace(inside), places.hasPlace(outside)]).toEqual([false, true]);
  });

  it('a job belongs to the group of the highest priority alone', () => {
    const groups = [group('wide', 5, [{ user: ['ann'] }], 'LOW'), group('narrow', 1, [{ type: ['EXPORT'] }], 'HIGH')];
    const places = groupPlaces(limitsFrom([...groups, group('none', undefined, [])]), [job('EXPORT')]);
    expect([places.hasPlace(job('EXPORT')), places.hasPlace(job('IMPORT'))]).toEqual([false, true]);
  });

  it('types without a place are read by no claim, unless a group before may have one', () => {
    const byType = group('b', 1, [{ type: ['export', 'import'] }]);
    expect([...groupPlaces(limitsFrom([byType]), [job('EXPORT')]).closedTypes()]).toEqual(['EXPORT', 'IMPORT']);
    expect([...groupPlaces(limitsFrom([byType]), []).closedTypes()]).toEqual([]);
    const first = group('a', 1, [{ user: ['bob'] }]);
    expect([...groupPlaces(limitsFrom([first, byType]), [job('EXPORT')]).closedTypes()]).toEqual([]);
  });
});

const limited = (maxConcurrency: number) => ({ job: [{ type: ['NARROW'] }], maxConcurrency });

it('a job waits for a place of its group, and others begin meanwhile', async () => {
  const world = await openJobWorld();
  for (const type of ['NARROW', 'WIDE']) await newType(world, type, [{ step: 1, script: 'job.setData("ran", "yes")' }]);
  const start = async (type: string) => (await done<Seen>(world, `POST /job?type=${type}`)).jobId;
  expect(await done(world, 'PUT /task-group/one', limited(1), admin)).toMatchObject({ name: 'one', maxConcurrency: 1 });
  // Another instance has it.
  const elsewhere = await start('NARROW');
  const until = world.clock.now() + 3_600_000;
  const changes = [
    {
      sql: 'UPDATE job SET due = NULL, instance = ?2, lease_until = ?3 WHERE id = ?1',
      args: [elsewhere, 'other', until],
    },
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
  const [narrow, wide] = [await start('NARROW'), await start('WIDE')];
  await world.service.tick();
  expect([(await jobOf(world, narrow)).status, (await jobOf(world, wide)).status]).toEqual(['READY', 'FINISHED']);
  // A wider limit lets it begin.
  await done(world, 'PUT /task-group/one', limited(2), admin);
  expect((await ended(world, narrow)).status).toBe('FINISHED');
  await world.close();
});

it('a limit that nothing could keep is refused', async () => {
  const world = await openJobWorld();
  for (const maxConcurrency of [0, -1, 1_001]) {
    expect(await refused(world, 'PUT /task-group/one', limited(maxConcurrency), admin)).toBe('400 bad-value');
  }
  const byGroup = { job: [{ group: ['editors'] }], maxConcurrency: 1 };
  expect(await refused(world, 'PUT /task-group/one', byGroup, admin)).toBe('400 bad-value');
  await world.close();
});
