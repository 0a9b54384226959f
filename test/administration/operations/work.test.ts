import { expect, it } from 'vitest';
import { done, ended, openJobWorld, type Seen } from '../../production/jobs/support.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { receiving, register } from '../../support/receiver.ts';
import { admin } from '../../support/service.ts';

const list = { as: admin, request: 'GET /API/work', headers: { accept: 'application/json' } };

describeMatrix('the work beside requests', (entry) => {
  it('is listed with what waits, what was done and what failed last, and counted in the metrics', async () => {
    const world = await entry.open({ settings: { outboundAllow: ['127.0.0.1'] } });
    const receiver = await receiving();
    receiver.script({ status: 200 }, { status: 503 });
    const id = await register(world, { url: `${receiver.address}/a` });
    const all = async () => {
      const { status, body } = await world.send(list);
      expect(status, body).toBe(200);
      return JSON.parse(body).work as Record<string, unknown>[];
    };
    const of = async (kind: string) => (await all()).find((each) => each['kind'] === kind)!;
    expect((await all()).map(({ kind }) => kind)).toEqual([
      'deliveries',
      'publications',
      'login-checks',
      'replay',
      'jobs',
      'scheduled-requests',
      'quota',
      'bulk-access',
      'storage-deletion',
      'evacuation',
      'file-deletion',
      'scans',
      'hot-folders',
      'deletion-locks',
      'usage',
      'auto-projections',
      'closing',
      'auto-imports',
      'placements',
      'watermarks',
      'inheritance',
      'schema-migrations',
      'transfers',
      'reindex',
      'search-order',
      'search-counts',
      'feed-search-engine',
      'library-refresh',
      'hashes',
      'staged-bytes',
      'retention',
      'audit-sweep',
      'fixity',
      'metadata-tables',
      'request-keys',
      'job-retention',
      'scheduled-retention',
      'library-expiry',
    ]);
    await world.send({ as: admin, request: 'PUT /API/group/a' });
    expect(await of('deliveries')).toMatchObject({ waiting: 1, leased: 0, running: 0, done: 0, failed: 0 });
    expect(await of('deliveries')).toHaveProperty('oldest');
    await world.service.tick();
    expect(await of('deliveries')).toMatchObject({ waiting: 0, done: 1, failed: 0 });
    await world.send({ as: admin, request: 'PUT /API/group/b' });
    await world.service.tick();
    const failed = await of('deliveries');
    expect(failed).toMatchObject({ waiting: 1, done: 1, failed: 1, lastFailureReason: `${id}: http 503` });
    // The delivery comes back for the second attempt.
    expect(Date.parse(String(failed['due']))).toBeGreaterThan(world.clock.now());
    const { body } = await world.send({ as: admin, request: 'GET /metrics' });
    expect(body).toContain('portico_work_done{kind="deliveries"} 1\n');
    expect(body).toContain('portico_work_failed{kind="deliveries"} 1\n');
    expect(body).toContain('portico_work_running{kind="replay"} 0\n');
    expect(body).toContain(`portico_work_last_failure_seconds{kind="deliveries"} ${world.clock.now() / 1_000}\n`);
  });
});

it('a job that fails is counted, and does not say that the work with jobs fails', async () => {
  const world = await openJobWorld();
  const { jobId } = await done<Seen>(world, 'POST /import?uri=file%3A%2F%2F%2Fnowhere%2Ffilm.mov', undefined, admin);
  expect((await ended(world, jobId)).status).toBe('FAILED_TOTAL');
  const { work } = await done<{ work: Record<string, unknown>[] }>(world, 'GET /work', undefined, admin);
  const jobs = work.find(({ kind }) => kind === 'jobs')!;
  expect(jobs['failed']).toBeGreaterThan(0);
  expect(jobs).not.toHaveProperty('lastFailure');
  const services = await done<{ service: Record<string, unknown>[] }>(
    world,
    'GET /vidispine-service',
    undefined,
    admin,
  );
  expect(services.service.find(({ id }) => id === 'jobs')).not.toHaveProperty('exception');
  await world.close();
});
