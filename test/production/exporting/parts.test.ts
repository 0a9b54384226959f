import { describe, expect, it } from 'vitest';
import { ended, type JobSeen } from '../../support/files.ts';
import { ask, done, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter } from '../../support/world.ts';
import { fakeTranscoder } from '../transcoding/fake-transcoder.ts';

const out = encodeURIComponent('memory:///out/web/');

async function opened() {
  const fake = fakeTranscoder();
  return { fake, world: await openExports({}, { transcoders: [fake] }) };
}

describe('an export of a part of the media', () => {
  it('is cut out by the transcoder, and nothing of it is left behind', async () => {
    const { fake, world } = await opened();
    const item = await itemWith(world, 'in/a.mov');
    const job = await exported(
      world,
      `/item/${item}/export?uri=${out}&tag=original&start=1.5&end=75@PAL&metadata=true`,
    );
    expect([job.status, urisOf(job)], JSON.stringify(job.log)).toEqual(['FINISHED', ['memory:///out/web/a.mov']]);
    expect(fake.cutOrders).toEqual([{ format: 'mov', from: 1.5, to: 3 }]);
    expect(textAt(world.to, 'web/a.mov')).toBe('part of bytes of in/a.mov');
    expect([...world.to.files.keys()].sort()).toEqual(['web/a.mov', 'web/a.xml']);
    expect(fake.open).toBe(0);
    const { uri } = await done<{ uri: string[] }>(world, ask(`GET /API/item/${item}/shape`));
    await exported(world, `/item/${item}/shape/${uri[0]}/export?uri=${out}&start=2`);
    expect(fake.cutOrders.at(-1)).toEqual({ format: 'mov', from: 2 });
    const short = await exported(world, `/item/${item}/shape/${uri[0]}/export?uri=${out}&start=101`);
    expect(JSON.stringify(short.log)).toContain('Expected 2 seconds: found 1');
  });

  it('waits where no transcoder is, and says what to install; no sidecar lies alone', async () => {
    const { fake, world } = await opened();
    fake.missing = 'install something';
    const item = await itemWith(world, 'in/a.mov');
    const path = `/item/${item}/export?uri=${out}&tag=original&end=10&metadata=true`;
    const { jobId } = await done<JobSeen>(world, ask(`POST /API${path}`));
    await world.service.tick();
    const waiting = await done<JobSeen & { waiting: object }>(world, ask(`GET /API/job/${jobId}`));
    expect([waiting.status, JSON.stringify(waiting)]).toEqual([
      'WAITING',
      expect.stringContaining('install something'),
    ]);
    expect([...world.to.files.keys()]).toEqual([]);
  });

  const failed = ['FAILED_TOTAL', 'Expected a file that the user of the job may read'] as const;
  it.each([
    ['fails', 'the shape was', { shape: { tag: 'original' } }, '&allowMissing=false', failed],
    ['fails', 'its bytes were', { uri: { tag: 'original' } }, '&allowMissing=false', failed],
    ['passes over it', 'the shape was', { shape: { tag: 'original' } }, '', ['FINISHED', 'Passed over 1 files']],
  ] as const)('%s where %s closed while it waited', async (_what, _part, closed, more, says) => {
    const { fake, world } = await opened();
    fake.missing = 'install something';
    const item = await itemWith(world, 'in/a.mov');
    const access = (permission: string, operation?: object) =>
      done(world, ask(`POST /API/item/${item}/access`, { permission, user: exporter[0], operation }));
    await access('READ');
    const path = `/item/${item}/export?uri=${out}&tag=original&end=10&metadata=true${more}`;
    const { jobId } = await done<JobSeen>(world, ask(`POST /API${path}`, undefined, exporter));
    await world.service.tick();
    await access('NONE', closed);
    fake.missing = undefined;
    const job = await ended(world, jobId);
    expect([job.status, JSON.stringify(job.log)]).toEqual([says[0], expect.stringContaining(says[1])]);
    expect([[...world.to.files.keys()], fake.cutOrders]).toEqual([[], []]);
  });

  it('waits for a transcoder that cuts where another one works, and goes on with it', async () => {
    const { cut: _, ...other } = fakeTranscoder();
    const cutter = fakeTranscoder();
    cutter.missing = 'install the other one';
    const world = await openExports({}, { transcoders: [{ ...other, name: 'other' }, cutter] });
    const item = await itemWith(world, 'in/a.mov');
    const path = `/item/${item}/export?uri=${out}&tag=original&end=10`;
    const { jobId } = await done<JobSeen>(world, ask(`POST /API${path}`));
    await world.service.tick();
    const waiting = await done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
    expect([waiting.status, JSON.stringify(waiting)]).toEqual([
      'WAITING',
      expect.stringContaining('install the other one'),
    ]);
    cutter.missing = undefined;
    expect((await ended(world, jobId)).status).toBe('FINISHED');
    expect(cutter.cutOrders).toHaveLength(1);
  });

  it('is refused without a tag, for what has no time, and for times that are none; damaged media fails', async () => {
    const { fake, world } = await opened();
    const item = await itemWith(world, 'in/a.mov');
    const picture = await itemWith(world, 'in/b.png', { metadata: { mimeType: ['image/png'] } });
    const status = async (path: string) => (await world.send(ask(`POST /API${path}`, undefined, admin))).status;
    expect(await status(`/item/${item}/export?uri=${out}&start=1`)).toBe(400);
    expect(await status(`/item/${item}/export?uri=${out}&tag=original&start=later`)).toBe(400);
    expect(await status(`/item/${item}/export?uri=${out}&tag=original&start=5&end=5`)).toBe(400);
    expect(await status(`/item/${picture}/export?uri=${out}&tag=original&start=1`)).toBe(400);
    const text = await itemWith(world, 'in/c.txt');
    const job = await exported(world, `/item/${text}/export?uri=${out}&tag=original&start=1`);
    expect([job.status, whyOf(job)]).toEqual([
      'FAILED_TOTAL',
      expect.stringContaining('that a part can be cut out of'),
    ]);
    fake.failures.push(Object.assign(new Error('Expected media that is whole'), { kind: 'broken' }));
    const broken = await exported(world, `/item/${item}/export?uri=${out}&tag=original&start=1`);
    expect([broken.status, whyOf(broken)]).toEqual(['FAILED_TOTAL', 'Expected media that is whole']);
  });
});
