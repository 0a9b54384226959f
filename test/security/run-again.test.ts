import { beforeEach, describe, expect, it } from 'vitest';
import { segment } from '../extensions/sequences/conforming/rendering.ts';
import { png } from '../production/transcoding/fake-transcoder.ts';
import { newUser } from '../support/cast.ts';
import { ended, type JobSeen } from '../support/files.ts';
import { fieldsOf, openTranscoding, setPreset, type TranscodingWorld, withOriginal } from '../support/media.ts';
import { ask, done } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { dataOf } from '../support/transfers.ts';
import { conformOf } from './roles/attachments.ts';

const ann: Credentials = ['ann', 'p'];
const item = '/API/item/VX-100';
const described = (value: string) =>
  `<MetadataDocument><timespan start="-INF" end="+INF"><field><name>title</name><value>${value}</value></field></timespan></MetadataDocument>`;

async function opened(): Promise<TranscodingWorld> {
  const world = await openTranscoding();
  await withOriginal(world);
  for (const tag of ['lowres', 'cut']) await setPreset(world, tag);
  world.from.put('a.xml', described('Harbour'));
  await prepare(world, [newUser(ann, ['_job_read', '_job_write', '_import', '_metadata_write', '_item_shape_write'])]);
  return world;
}

const gives = (world: TranscodingWorld, permission: string, more: object = {}) =>
  done(world, ask(`POST ${item}/access`, { permission, user: ann[0], ...more }));

type Order = readonly [type: string, request: string];

/** Jobs of the administrator for which READ is enough. */
const reading: readonly Order[] = [
  ['EXPORT', `POST ${item}/export?uri=memory:///out/`],
  ['EXPORT', 'POST /API/thumbnail/VX-1/VX-100/0/export?uri=memory:///out/'],
  ['EXPORT', 'POST /API/collection/VX-1/export?uri=memory:///out/'],
  ['EXPORT', 'POST /API/library/VX*1/export?uri=memory:///out/'],
  ['LIST_ITEMS', 'POST /API/library/VX*1/list?destinationUri=memory:///out/'],
  ['COPY_FILE', 'POST /API/file/VX-1/storage/VX-2'],
  ['MOVE_FILE', 'POST /API/file/VX-1/storage/VX-2?move=true'],
];

/** Jobs of the administrator that need WRITE on the item. */
const writing: readonly Order[] = [
  ['SIDECAR_IMPORT', `POST /API/import/sidecar/VX-100?sidecar=memory:///in/a.xml`],
  ['PLACEHOLDER_IMPORT', 'POST /API/import?uri=memory:///in/a.wav&tag=lowres'],
  ['SHAPE_IMPORT', `POST ${item}/shape?uri=memory:///in/a.wav&tag=lowres`],
  ['ESSENCE_VERSION', `POST ${item}/shape/essence?uri=memory:///in/a.wav`],
  ['TRANSCODE', `POST ${item}/transcode?tag=lowres`],
  ['THUMBNAIL', `POST ${item}/thumbnail?createThumbnails=true`],
  ['CONFORM', `POST ${item}/conform?tag=lowres`],
  ['TIMELINE', 'POST /API/sequence/render?tag=cut&destinationItem=VX-100'],
  ['ANALYZE', `POST ${item}/analyze`],
  ['ANALYZE', `POST ${item}/shape/VX-1/analyze`],
  ['RESTORE', `PUT ${item}/restore?expirationInDays=1`],
  ['SHAPE_UPDATE', `POST ${item}/shape/VX-1/update`],
];

/** Bodies of requests that need one, by the type of the job. */
const bodies: Readonly<Record<string, object>> = {
  CONFORM: conformOf('VX-100'),
  TIMELINE: { sequence: { track: [{ segment: [segment('VX-100', 0, 50)] }] } },
};

describe('who runs a job of another user again needs the rights of its route', () => {
  let world: TranscodingWorld;
  beforeEach(async () => {
    world = await opened();
    for (const sent of [
      ask('POST /API/collection?name=box'),
      ask('POST /API/library', { item: [{ id: 'VX-100' }] }),
      ask(`PUT ${item}/thumbnailresource`),
      {
        as: admin,
        headers: { 'content-type': 'image/png' },
        request: 'PUT /API/thumbnail/VX-1/VX-100/0',
        body: png as Uint8Array<ArrayBuffer>,
      },
    ])
      expect((await world.send(sent)).status, sent.request).toBeLessThan(300);
  });

  const held = (request: string, body?: object) =>
    done<JobSeen>(world, ask(`${request}${request.includes('?') ? '&' : '?'}holdJob=true`, body));
  async function refused(jobId: string): Promise<void> {
    const again = ask(`POST /API/job/${jobId}/re-run`);
    const { status, headers, body } = await world.send({ ...again, as: ann });
    expect([status, headers.get('portico-error')], body).toEqual([403, 'not-allowed']);
    expect((await world.send(again)).status).toBe(200);
  }

  it.each(reading)('%s: %s', async (type, request) => {
    const job = await held(request, bodies[type]);
    expect(job.type).toBe(type);
    await refused(job.jobId);
  });

  it.each(writing)('%s with READ on the item: %s', async (type, request) => {
    await gives(world, 'READ');
    const job = await held(request, bodies[type]);
    expect(job.type).toBe(type);
    await refused(job.jobId);
  });

  it.each([
    ['on the first one', undefined],
    ['on the first one and the shapes of the other', { shape: {} }],
  ])('TRANSCODE to another item, with WRITE %s', async (_how, operation) => {
    const { jobId } = await held(`POST ${item}/transcode?tag=lowres&destinationItem=VX-101`);
    await gives(world, 'WRITE', { priority: 1 });
    const shapes = { permission: 'WRITE', user: ann[0], operation };
    if (operation) await done(world, ask('POST /API/item/VX-101/access', shapes));
    await refused(jobId);
  });

  it.each([
    ['TRANSCODE', 'transcode?tag=lowres'],
    ['THUMBNAIL', 'thumbnail?createThumbnails=true'],
    ['ESSENCE_VERSION', 'shape/essence?uri=memory:///in/a.wav'],
    ['SHAPE_UPDATE', 'shape/VX-1/update'],
  ])('%s of a shape that is closed to the caller, with WRITE on the item', async (_type, path) => {
    const { jobId } = await held(`POST ${item}/${path}`);
    await gives(world, 'WRITE', { priority: 1 });
    await gives(world, 'NONE', { operation: { shape: { tag: 'original' } }, priority: 2 });
    await refused(jobId);
  });

  it.each([
    ['the tag that it makes', 'lowres'],
    ['its original', 'original'],
  ])('PLACEHOLDER_IMPORT with WRITE on the item, and READ on %s', async (_what, tag) => {
    const { jobId } = await held('POST /API/import?uri=memory:///in/a.wav&tag=lowres');
    const job = await done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
    const entry = `POST /API/item/${dataOf(job, 'itemId')}/access`;
    await done(world, ask(entry, { permission: 'WRITE', user: ann[0], priority: 1 }));
    await done(world, ask(entry, { permission: 'READ', user: ann[0], operation: { shape: { tag } }, priority: 2 }));
    await refused(jobId);
  });

  it('TRANSCODE to a tag that the caller may only read, with WRITE on the item', async () => {
    const { jobId } = await held(`POST ${item}/transcode?tag=lowres`);
    await gives(world, 'WRITE', { priority: 1 });
    await gives(world, 'READ', { operation: { shape: { tag: 'lowres' } }, priority: 2 });
    await refused(jobId);
  });
});

it('a sidecar that an administrator applied writes nothing for somebody who runs the job again', async () => {
  const world = await opened();
  const { jobId } = await done<JobSeen>(world, ask('POST /API/import/sidecar/VX-100?sidecar=memory:///in/a.xml'));
  expect((await ended(world, jobId)).status).toBe('FINISHED');
  world.from.put('a.xml', described('Forged'));
  await gives(world, 'WRITE', { operation: { metadata: { field: 'x_note' } } });
  await gives(world, 'READ');
  const { jobId: again } = await done<JobSeen>(world, { ...ask(`POST /API/job/${jobId}/re-run`), as: ann });
  expect((await ended(world, again)).status).toBe('FAILED_TOTAL');
  expect((await fieldsOf(world))['title']).toBe('Harbour');
});

it('a sidecar writes nothing where the right was taken away before the job runs', async () => {
  const world = await opened();
  await gives(world, 'WRITE');
  const order = ask('POST /API/import/sidecar/VX-100?sidecar=memory:///in/a.xml&holdJob=true');
  const { jobId } = await done<JobSeen>(world, { ...order, as: ann });
  await gives(world, 'READ', { priority: 1 });
  await done(world, ask(`PUT /API/job/${jobId}?status=READY`));
  expect((await ended(world, jobId)).status).toBe('FAILED_TOTAL');
  expect((await fieldsOf(world))['title']).toBeUndefined();
});

it.each(
  ['analyze', 'update'].flatMap((what) => [
    [what, 'NONE'],
    [what, 'READ'],
  ]),
)(
  'the job of shape/VX-1/%s does nothing where the shape is %s to its user before it runs',
  async (what, permission) => {
    const world = await opened();
    await gives(world, 'WRITE');
    const order = ask(`POST ${item}/shape/VX-1/${what}?holdJob=true`);
    const { jobId } = await done<JobSeen>(world, { ...order, as: ann });
    await gives(world, permission, { operation: { shape: { tag: 'original' } }, priority: 1 });
    await done(world, ask(`PUT /API/job/${jobId}?status=READY`));
    const job = await ended(world, jobId);
    expect([job.status, JSON.stringify(job.log)]).toEqual(['FAILED_TOTAL', expect.stringContaining('WRITE')]);
  },
);
