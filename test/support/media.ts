import { probers, soundReader } from '../../plugins/probers/index.ts';
import { probingHere } from '../../src/composition/media.ts';
import { ownProbersHook } from '../../src/production/checking/probing/probers.ts';
import { Hooks, hooked } from '../../src/room/hook.ts';
import type { LeasedJob } from '../../src/room/jobs/job-type.ts';
import type { MediaHost } from '../../src/spi/index.ts';
import { type FakeTranscoder, fakeTranscoder } from '../production/transcoding/fake-transcoder.ts';
import { ended, type JobSeen, upload } from './files.ts';
import type { Entry, World } from './matrix.ts';
import { ask, done, rowsOf } from './requests.ts';
import { admin } from './service.ts';
import { type RoomWorld, type WorldOptions, worldOf } from './world.ts';

/** Shapes of items with media, how they are checked, copied and transcoded. */

export const rule = (world: World, body: object, place = 'shape-tag/storage-rule') =>
  done(world, ask(`PUT /API/${place}`, JSON.stringify(body)));

/** A shape whose one component has a file of its own. */
export async function shapeAt(
  world: World,
  path: string,
  { item = 'VX-100', tag = 'original', storage = 'VX-1', bytes = `bytes of ${path}` } = {},
): Promise<{ readonly fileId: string; readonly shapeId: string; readonly componentId: string }> {
  const { id: fileId } = await done<{ id: string }>(world, upload(path, bytes, storage));
  const body = JSON.stringify({ containerComponent: { file: [{ id: fileId }] } });
  const made = await done<{ id: string; containerComponent: { id: string } }>(
    world,
    ask(`POST /API/item/${item}/shape/create?tag=${tag}`, body),
  );
  return { fileId, shapeId: made.id, componentId: made.containerComponent.id };
}

/** Lets work go on while time passes. */
export async function work(world: World, seconds = 60): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    await world.service.tick();
    await world.clock.advance(10_000);
  }
  await world.service.tick();
}

/** Where a component has its files, with their states. */
export async function copiesOf(world: World, componentId: string): Promise<readonly string[]> {
  const rows = await world.service.store.read(
    `SELECT storage_id, state FROM file JOIN file_use ON file_id = file.id WHERE component_id = '${componentId}'
      ORDER BY storage_id, file.serial`,
  );
  return rows.map((row) => row.join(' '));
}

export const jobsOf = async (world: World): Promise<readonly string[]> =>
  (await rowsOf(world, 'job')).map(({ type, status }) => `${type} ${status}`);

/** A file of the storage VX-1 with these bytes. */
export async function fileWith(world: World, path: string, bytes: Uint8Array): Promise<string> {
  const { id } = await done<{ id: string }>(world, {
    as: admin,
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
    request: `POST /API/storage/VX-1/file/data?path=${encodeURIComponent(path)}`,
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  return id;
}

export interface ShapeSeen {
  readonly id: string;
  readonly tag: readonly string[];
  readonly mimeType?: readonly string[];
  readonly containerComponent?: Readonly<Record<string, unknown>>;
  readonly videoComponent?: readonly Readonly<Record<string, unknown>>[];
  readonly audioComponent?: readonly Readonly<Record<string, unknown>>[];
  readonly binaryComponent?: readonly Readonly<Record<string, unknown>>[];
  readonly metadata?: { readonly field: readonly unknown[] };
}

export const shapeOf = (world: World, id: string, item = 'VX-100'): Promise<ShapeSeen> =>
  done(world, ask(`GET /API/item/${item}/shape/${id}?includePlaceholder=true`));

/** A new shape of an item. */
export async function shapeWith(world: World, body: object, tag = 'original', item = 'VX-100'): Promise<string> {
  const path = `/API/item/${item}/shape/create${tag === '' ? '' : `?tag=${tag}`}`;
  return (await done<{ id: string }>(world, ask(`POST ${path}`, JSON.stringify(body)))).id;
}

/** The stored metadata of an item, by field. */
export async function fieldsOf(world: World, item = 'VX-100'): Promise<Readonly<Record<string, string>>> {
  const { metadata } = await done<{
    metadata: { timespan: { field: { name: string; value?: { value: string }[] }[] }[] };
  }>(world, ask(`GET /API/item/${item}?content=metadata`));
  const fields = metadata.timespan.flatMap(({ field }) => field);
  return Object.fromEntries(
    fields
      .filter(({ name }) => !name.startsWith('__'))
      .map(({ name, value = [] }) => [name, value.map((each) => each.value).join('|')]),
  );
}

/** Opens media in this process, as on an edge. */
export function shippedHere(): MediaHost {
  const hooks = new Hooks();
  hooks.join([hooked(ownProbersHook, { probers, sound: soundReader })]);
  return probingHere(hooks);
}

/** A job that this test has in its hands. */
export const heldJob = (id = 'VX-9999'): LeasedJob => ({
  id,
  type: 'TEST',
  user: 'admin',
  actor: { user: 'admin' },
  data: [],
  memo: {},
  signal: new AbortController().signal,
  mine: { sql: 'SELECT 1', args: [] },
  progress: () => undefined,
  tells: () => undefined,
  subStep: () => undefined,
  begins: async () => undefined,
  keeps: async () => undefined,
  subTask: () => undefined,
  done: async () => undefined,
});

export interface TranscodingWorld extends RoomWorld {
  readonly fake: FakeTranscoder;
}

/** Storages in memory, the items VX-100 and VX-101 without shapes, and a transcoder that makes no other media. */
export async function openTranscoding(options: WorldOptions = {}, open?: Entry['open']): Promise<TranscodingWorld> {
  const fake = fakeTranscoder();
  return { ...(await worldOf('placement', { transcoders: [fake], ...options }, open)), fake };
}

const second = { samples: 25, timeBase: { numerator: 1, denominator: 25 } };

/** The item VX-100 has an original of 25 seconds with pictures, and with sound if it is a film. */
export async function withOriginal(
  world: World,
  isFilm = false,
): Promise<{ readonly fileId: string; readonly shapeId: string }> {
  const fileId = await fileWith(world, 'clip.mp4', new TextEncoder().encode('bytes of a clip'));
  const shapeId = await shapeWith(world, {
    containerComponent: { format: 'mp4', duration: { ...second, samples: 625 }, file: [{ id: fileId }] },
    videoComponent: [
      { codec: 'h264', ...(isFilm && { resolution: { width: 1280, height: 720 } }), file: [{ id: fileId }] },
    ],
    ...(isFilm && { audioComponent: [{ codec: 'aac', file: [{ id: fileId }] }] }),
  });
  return { fileId, shapeId };
}

export const setPreset = (world: TranscodingWorld, tag: string, preset: object = { format: 'wav' }) =>
  done(world, ask(`PUT /API/shape-tag/${tag}`, preset));

/** End of an import of a file of the memory, and the number of thumbnails that its item has. */
export async function importedThumbnails(
  world: World,
  name: string,
): Promise<readonly [status: string, count: number]> {
  const { jobId } = await done<JobSeen>(world, ask(`POST /API/import?uri=memory:///in/${name}&filename=${name}`));
  const { status, data } = await ended(world, jobId);
  const item = data!.find(({ key }) => key === 'itemId')!.value;
  const request = ask(`GET /API/item/${item}?content=thumbnail`);
  const { thumbnails } = await done<{ thumbnails?: { uri?: string[] } }>(world, request);
  return [status, thumbnails?.uri?.length ?? 0];
}
