import { describe, expect, it } from 'vitest';
import { ended, type JobSeen } from '../../../support/files.ts';
import { fileWith, shapeWith } from '../../../support/media.ts';
import { ask, done } from '../../../support/requests.ts';
import { bytesOf, nothingLeft, opened, renderer, segment, whyOf } from './rendering.ts';

describe('a rendering of shapes that its user may not read', () => {
  const addresses = ['the addresses of an item', { uri: {} }] as const;
  const tagged = ['shapes with a tag', { shape: { tag: 'original' } }] as const;
  const film = { track: [{ segment: [segment('VX-101', 0, 50)] }] };
  const render = 'POST /API/sequence/render?tag=cut&destinationItem=VX-100';

  async function granted() {
    const world = await opened(film);
    const access = (item: string, permission: string, operation?: object) =>
      done(world, ask(`POST /API/item/${item}/access`, { permission, user: renderer[0], operation }));
    await access('VX-100', 'WRITE');
    await access('VX-101', 'READ');
    const begin = async (request: string) =>
      done<JobSeen>(world, { ...ask(request, { sequence: film }), as: renderer });
    return { world, access, begin };
  }

  it.each([addresses, tagged])('gives out nothing where an entry withholds %s', async (_title, operation) => {
    const { world, access, begin } = await granted();
    expect((await ended(world, (await begin(render)).jobId)).status).toBe('FINISHED');
    await access('VX-101', 'NONE', operation);
    const end = await ended(world, (await begin(render)).jobId);
    expect([end.status, whyOf(end)]).toEqual(['FAILED_TOTAL', expect.stringContaining('that its user may read')]);
    expect(world.fake.joinOrders).toHaveLength(1);
    await nothingLeft(world);
  });

  it('gives out nothing where the right is taken away before the job runs', async () => {
    const { world, access, begin } = await granted();
    const { jobId } = await begin(`${render}&holdJob=true`);
    await access('VX-101', 'NONE', { uri: {} });
    await done(world, ask(`PUT /API/job/${jobId}?status=READY`));
    expect((await ended(world, jobId)).status).toBe('FAILED_TOTAL');
    expect(world.fake.joinOrders).toEqual([]);
  });

  it('goes no further where the right is taken away between its steps', async () => {
    const { world, access, begin } = await granted();
    world.fake.failures.push(new Error('crashed'));
    const { jobId } = await begin(render);
    await world.service.tick();
    expect(world.fake.failures).toEqual([]);
    await access('VX-101', 'NONE', { uri: {} });
    const end = await ended(world, jobId);
    expect([end.status, whyOf(end)]).toEqual(['FAILED_TOTAL', expect.stringContaining('that its user may read')]);
    expect(world.fake.joinOrders).toEqual([]);
  });

  it('takes a shape that the user may read in place of one withheld', async () => {
    const { world, access, begin } = await granted();
    const small = await fileWith(world, 'small.mp4', bytesOf('small'));
    await shapeWith(world, { videoComponent: [{ codec: 'h264', file: [{ id: small }] }] }, 'lowres', 'VX-101');
    await access('VX-101', 'NONE', { shape: { tag: 'original' } });
    expect((await ended(world, (await begin(render)).jobId)).status).toBe('FINISHED');
    expect(world.fake.joinOrders[0]!.parts.map(({ source }) => source!.size)).toEqual([5]);
  });
});
