import { beforeEach, describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { openTranscoding, setPreset, shapeWith, type TranscodingWorld, withOriginal } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';

const ann: Credentials = ['ann', 'p'];
const item = '/API/item/VX-100';
const tagged = (tag: string) => ({ shape: { tag } });

/** Somebody may write an item, which has an original and a shape of a few bits. */
describe('an attack by somebody who may not read or write the original', () => {
  let world: TranscodingWorld;
  let original: string;
  let small: string;
  beforeEach(async () => {
    world = await openTranscoding();
    original = (await withOriginal(world)).shapeId;
    for (const tag of ['lowres', 'secret']) await setPreset(world, tag);
    small = await shapeWith(world, {}, 'lowres');
    await prepare(world, [newUser(ann, ['_item_shape_read', '_item_shape_write', '_import', '_job_write'])]);
    await gives('WRITE');
  });

  const gives = (permission: string, operation?: object, priority = 0) =>
    done(world, ask(`POST ${item}/access`, { permission, user: ann[0], operation, priority }));
  const asAnn = (request: string, body?: object) => world.send({ ...ask(request, body), as: ann });

  async function endOf(body: string): Promise<readonly [status: string, message: string | undefined]> {
    const { status, log } = await ended(world, (JSON.parse(body) as JobSeen).jobId);
    return [status, log!.task.at(-1)!.errorMessage];
  }

  /** How a job ends that was held until now. */
  async function released(body: string): ReturnType<typeof endOf> {
    await done(world, ask(`PUT /API/job/${(JSON.parse(body) as JobSeen).jobId}?status=READY`));
    return endOf(body);
  }

  it.each(['transcode?tag=lowres', 'thumbnail?createThumbnails=true'])('gets no other form of it: %s', async (path) => {
    const held = await asAnn(`POST ${item}/${path}&holdJob=true`);
    expect(held.status, held.body).toBe(200);
    await gives('NONE', tagged('original'));
    expect((await asAnn(`POST ${item}/${path}`)).status).toBe(403);
    expect(await released(held.body)).toEqual([
      'FAILED_TOTAL',
      expect.stringContaining('that the user of the job may read'),
    ]);
    expect([world.fake.orders, world.fake.stillOrders]).toEqual([[], []]);
  });

  it('does not put another shape in the place of one with a tag that may be read alone', async () => {
    const { jobId } = await done<JobSeen>(world, ask(`POST ${item}/transcode?tag=lowres`));
    const made = (await ended(world, jobId)).data!.find(({ key }) => key === 'shapeIds')!.value;
    await done(world, ask(`PUT ${item}/shape/${made}/tag/secret`));
    const held = await asAnn(`POST ${item}/transcode?tag=lowres&holdJob=true`);
    expect(held.status).toBe(200);
    await gives('READ', tagged('secret'), 1);
    expect((await asAnn(`POST ${item}/transcode?tag=lowres`)).status).toBe(403);
    expect(await released(held.body)).toEqual([
      'FAILED_TOTAL',
      expect.stringContaining('WRITE for SHAPE "lowres, secret"'),
    ]);
    expect((await world.send(ask(`GET ${item}/shape/${made}`))).status).toBe(200);
  });

  it('makes no shape with a tag that was closed after the order', async () => {
    const held = [
      await asAnn(`POST ${item}/transcode?tag=lowres&holdJob=true`),
      await asAnn(`POST ${item}/shape?uri=memory:///in/clip.mp4&tag=lowres&holdJob=true`),
    ];
    await gives('READ', tagged('lowres'), 1);
    for (const { body } of held) {
      expect(await released(body)).toEqual(['FAILED_TOTAL', expect.stringContaining('WRITE for SHAPE "lowres"')]);
    }
    const { uri } = await done<{ uri: string[] }>(world, ask(`GET ${item}/shape`));
    expect(uri.toSorted()).toEqual([original, small].toSorted());
  });

  it('is not filled, probed or measured once it was closed after the order', async () => {
    const path = `${item}/shape/${original}`;
    const held = [
      await asAnn(`POST ${path}/component?uri=memory:///in/clip.mp4&holdJob=true`),
      await asAnn(`POST ${path}/update?holdJob=true`),
      await asAnn(`POST ${path}/analyze?holdJob=true`),
    ];
    await gives('READ', tagged('original'), 1);
    for (const { body } of held) {
      expect(await released(body)).toEqual(['FAILED_TOTAL', expect.stringContaining('WRITE for SHAPE "original"')]);
    }
  });

  it('gets no other form by the import that brings it, once it is closed', async () => {
    const placeholder = ask(`POST ${item}/shape/placeholder?container=1&tag=secret`);
    const made = await world.send({ ...placeholder, headers: { accept: 'text/plain' } });
    world.fake.failures.push(new Error('crashed'));
    const path = 'POST /API/import/placeholder/VX-100/container?uri=memory:///in/clip.mp4&tag=lowres';
    const { body } = await asAnn(`${path}&shapeId=${made.body.trim()}`);
    await world.service.tick();
    expect(world.fake.failures).toEqual([]);
    await gives('NONE', tagged('secret'), 1);
    expect(await endOf(body)).toEqual(['FAILED_TOTAL', expect.stringContaining('that the user of the job may read')]);
    expect(world.fake.orders).toEqual([]);
  });

  it('takes its tag from no shape that became the original after the order', async () => {
    await done(world, ask(`DELETE ${item}/shape/${original}/tag/original`));
    const held = [
      await asAnn(`POST ${item}/shape/${original}/transcode?tag=lowres&original=lowres&holdJob=true`),
      await asAnn(`POST ${item}/shape?uri=memory:///in/clip.mp4&tag=original&holdJob=true`),
    ];
    for (const tag of ['secret', 'original']) await done(world, ask(`PUT ${item}/shape/${small}/tag/${tag}`));
    await gives('READ', tagged('secret'), 1);
    for (const { body } of held) {
      expect(await released(body)).toEqual(['FAILED_TOTAL', expect.stringContaining('WRITE for SHAPE')]);
    }
    const { uri } = await done<{ uri: string[] }>(world, ask(`GET ${item}/shape/${small}/tag`));
    expect(uri).toContain('original');
  });

  it('is not hidden behind a version of a shape that may be written', async () => {
    const essence = `POST ${item}/shape/essence?uri=memory:///in/clip.mp4&tag=lowres`;
    const held = await asAnn(`${essence}&holdJob=true`);
    await gives('READ', tagged('original'), 1);
    for (const request of [essence, `POST ${item}/shape/${small}/version`, `PUT ${item}/shape/${small}/version/7`])
      expect((await asAnn(request)).status, request).toBe(403);
    expect(await released(held.body)).toEqual(['FAILED_TOTAL', expect.stringContaining('WRITE for SHAPE "original"')]);
    const { uri } = await done<{ uri: string[] }>(world, ask(`GET ${item}/shape?version=latest`));
    expect(uri.toSorted()).toEqual([original, small].toSorted());
  });

  it('of an earlier version keeps nobody from the next one', async () => {
    await done(world, ask(`POST ${item}/shape/${small}/version`));
    await gives('READ', tagged('original'), 1);
    expect((await asAnn(`POST ${item}/shape/essence?uri=memory:///in/clip.mp4&tag=lowres`)).status).toBe(200);
  });

  it('is not transcoded once it is closed, although the job has begun', async () => {
    world.fake.failures.push(new Error('crashed'));
    const { body } = await asAnn(`POST ${item}/transcode?tag=lowres`);
    await world.service.tick();
    expect(world.fake.failures).toEqual([]);
    await gives('NONE', tagged('original'));
    expect(await endOf(body)).toEqual(['FAILED_TOTAL', expect.stringContaining('that the user of the job may read')]);
    expect(world.fake.orders).toEqual([]);
  });

  it('takes no tag of it in an earlier version', async () => {
    await done(world, ask(`PUT ${item}/shape/${original}/tag/secret`));
    await done(world, ask(`POST ${item}/shape/${small}/version`));
    await gives('READ', tagged('secret'), 1);
    expect((await asAnn(`POST ${item}/shape/${small}/transcode?tag=lowres&original=lowres`)).status).toBe(403);
  });

  it('may make another original of an earlier version, whatever the latest one is', async () => {
    await done(world, ask(`POST ${item}/shape/${original}/version`));
    const { uri } = await done<{ uri: string[] }>(world, ask(`GET ${item}/shape?version=latest`));
    await done(world, ask(`PUT ${item}/shape/${uri[0]}/tag/secret`));
    await gives('READ', tagged('secret'), 1);
    const path = `POST ${item}/shape/${small}/transcode?tag=lowres&original=lowres&holdJob=true`;
    expect((await asAnn(path)).status).toBe(200);
  });

  it('may name a tag that it may not write, if an import makes no shape of it', async () => {
    const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder?container=1'));
    const given = { permission: 'WRITE', user: ann[0] };
    await done(world, ask(`POST /API/item/${id}/access`, given));
    const lowered = { ...given, permission: 'READ', operation: tagged('lowres'), priority: 1 };
    await done(world, ask(`POST /API/item/${id}/access`, lowered));
    const path = `POST /API/import/placeholder/${id}/container?uri=memory:///in/a.wav&tag=lowres`;
    expect((await asAnn(path)).status).toBe(403);
    expect((await asAnn(`${path}&no-transcode=true`)).status).toBe(200);
  });

  it.each([
    ['NONE for its tag', 'original', 'NONE'],
    ['NONE for another tag of it', 'secret', 'NONE'],
    ['READ for another tag of it', 'secret', 'READ'],
  ])('does not take its tag away with %s', async (_what, tag, level) => {
    await done(world, ask(`PUT ${item}/shape/${original}/tag/secret`));
    await gives('WRITE', tagged('original'));
    await gives(level, tagged(tag), 1);
    const changes: [request: string, body?: object][] = [
      [`PUT ${item}/shape/${small}/tag/original`],
      [`POST ${item}/shape/create?tag=original`, {}],
      [`POST ${item}/shape/create?tag=lowres&tag=original`, {}],
      [`POST ${item}/shape?uri=memory:///in/a.wav&tag=original`],
      [`POST ${item}/transcode?tag=lowres&original=lowres`],
    ];
    for (const [request, body] of changes) expect((await asAnn(request, body)).status, request).toBe(403);
    const { uri } = await done<{ uri: string[] }>(world, ask(`GET ${item}/shape/${original}/tag`));
    expect(uri).toContain('original');
  });
});
