import { beforeEach, describe, expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { ended, type JobSeen } from '../support/files.ts';
import { openTranscoding, setPreset, type TranscodingWorld, withOriginal } from '../support/media.ts';
import { ask, done } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import type { Credentials } from '../support/service.ts';

const ann: Credentials = ['ann', 'p'];
const item = '/API/item/VX-100';
const [written, thrown] = ['preset.name = JSON.stringify(metadata)', 'throw new Error(JSON.stringify(metadata))'];

/** The script of a shape tag is told fields of the item by the rights of the caller or the user of the job. */
describe('an attack by the script of a shape tag', () => {
  let world: TranscodingWorld;
  beforeEach(async () => {
    world = await openTranscoding();
    await withOriginal(world);
    await setPreset(world, 'spy');
    await done(world, ask('PUT /API/metadata-field/x_note', { type: 'string' }));
    const field = [
      { name: 'title', value: [{ value: 'Harbour' }] },
      { name: 'x_note', value: [{ value: 'secret' }] },
    ];
    await done(world, ask(`PUT ${item}/metadata`, { timespan: [{ field }] }));
    const roles = ['_shape_tag_read', '_shape_tag_write', '_item_shape_read', '_item_shape_write'];
    await prepare(world, [newUser(ann, roles)]);
  });

  const gives = (permission: string, operation?: object, priority = 0) =>
    done(world, ask(`POST ${item}/access`, { permission, user: ann[0], operation, priority }));
  const asAnn = (request: string, body?: string) => world.send({ ...ask(request, body), as: ann });
  async function told(script: string): Promise<string> {
    await asAnn('PUT /API/shape-tag/spy/script', script);
    return (await asAnn('GET /API/shape-tag/spy/item/VX-100/shape/VX-1')).body;
  }

  it.each([written, thrown])('reads no metadata with a right for one shape tag alone: %s', async (script) => {
    await gives('READ', { shape: { tag: 'original' } });
    const body = await told(script);
    expect(body).not.toContain('secret');
    expect(body).not.toContain('Harbour');
  });

  it.each([written, thrown])('reads no field that is closed on the item: %s', async (script) => {
    await gives('READ');
    await gives('NONE', { metadata: { field: 'x_note' } }, 1);
    const body = await told(script);
    expect(body).not.toContain('secret');
    expect(body).toContain('Harbour');
  });

  it('reads no closed field in a job', async () => {
    await gives('WRITE');
    await gives('NONE', { metadata: { field: 'x_note' } }, 1);
    await told(thrown);
    const { jobId } = JSON.parse((await asAnn(`POST ${item}/transcode?tag=spy`)).body) as JobSeen;
    const { log } = await ended(world, jobId);
    expect(log!.task.at(-1)!.errorMessage).toContain('Harbour');
    expect(JSON.stringify(log)).not.toContain('secret');
  });
});
