import { describe, expect, it } from 'vitest';
import { ended, type JobSeen } from '../../../support/files.ts';
import { ask, done } from '../../../support/requests.ts';
import { prepare } from '../../../support/scenario.ts';
import { admin } from '../../../support/service.ts';
import { openExports, whyOf } from '../../../support/transfers.ts';
import { exporter, type RoomWorld } from '../../../support/world.ts';

const script = 'if (shape.getVideoComponent() === null) preset.setFormat("mov");';

async function opened(): Promise<{ readonly world: RoomWorld; readonly item: string }> {
  const world = await openExports();
  await done(world, ask('PUT /API/shape-tag/cut', { format: 'mp4' }));
  const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
  return { world, item: id };
}

const setScript = (world: RoomWorld, body: string) =>
  world.send({
    as: admin,
    headers: { 'content-type': 'application/javascript' },
    request: 'PUT /API/shape-tag/cut/script',
    body,
  });

const segments = (...ids: readonly string[]) => ({
  conform: { timeline: { segment: ids.map((id) => ({ source: { id } })) } },
});

describe('a conform job', () => {
  it('runs the script of the tag with an empty shape, and fails with what is missing', async () => {
    const { world, item } = await opened();
    expect((await setScript(world, script)).status).toBe(200);
    const { jobId } = await done<JobSeen>(world, ask(`PUT /API/item/${item}/conform?tag=cut`, segments(item, item)));
    const job = await ended(world, jobId);
    expect([job.type, job.status]).toEqual(['CONFORM', 'FAILED_TOTAL']);
    expect(job.log?.task[0]).toMatchObject({ step: 100, status: 'FINISHED', subStep: [{ description: 'cut: mov' }] });
    expect(whyOf(job)).toBe('Expected a transcoder that puts 2 segments together for cut: this server has none');
  });

  it('fails with the message of the script', async () => {
    const { world, item } = await opened();
    await setScript(world, 'shape.getVideoComponent().get(0)');
    const { jobId } = await done<JobSeen>(world, ask(`POST /API/item/${item}/conform?tag=cut`));
    const job = await ended(world, jobId);
    expect([job.status, whyOf(job)]).toEqual([
      'FAILED_TOTAL',
      expect.stringMatching(/^The script of the shape tag cut failed: TypeError: .* \(line 1\)$/),
    ]);
  });

  it('needs a tag, items that the caller may read, and one that it may change', async () => {
    const { world, item } = await opened();
    const status = async (request: string, body: object | undefined, as = admin) =>
      (await world.send(ask(request, body, as))).status;
    expect(await status(`PUT /API/item/${item}/conform`, undefined)).toBe(400);
    expect(await status(`PUT /API/item/${item}/conform?tag=unknown`, undefined)).toBe(404);
    expect(await status('PUT /API/item/VX-99/conform?tag=cut', undefined)).toBe(404);
    expect(await status(`PUT /API/item/${item}/conform?tag=cut`, undefined, exporter)).toBe(403);
    expect(await status('POST /API/conform?tag=cut', undefined)).toBe(400);
    expect(await status('POST /API/conform?tag=cut', segments('VX-99'))).toBe(404);
    expect(await status('POST /API/conform?tag=cut', segments(item), exporter)).toBe(403);
    expect(await status('POST /API/conform?tag=cut', segments(item))).toBe(200);
    expect(await status(`POST /API/conform?tag=cut&destinationItem=${item}`, segments(item))).toBe(200);
  });

  it('begins with a timeline of the item, which has to be a ConformDocument', async () => {
    const { world, item } = await opened();
    await prepare(
      world,
      ['_sequence_write'].map((role) => ({ as: admin, request: `PUT /API/group/${role}/user/admin` })),
    );
    const put = (format: string, body: string | object) =>
      done(world, ask(`PUT /API/item/${item}/timeline/${format}`, body));
    await put('cut', segments(item, item, item).conform);
    await put('edl', 'TITLE: A');
    const { jobId } = await done<JobSeen>(world, ask(`POST /API/item/${item}/timeline/cut/conform?tag=cut`));
    const job = await ended(world, jobId);
    expect([job.type, whyOf(job)]).toEqual(['CONFORM', expect.stringContaining('puts 3 segments together')]);
    const status = async (format: string) =>
      (await world.send(ask(`POST /API/item/${item}/timeline/${format}/conform?tag=cut`))).status;
    expect([await status('edl'), await status('none')]).toEqual([400, 404]);
  });
});
