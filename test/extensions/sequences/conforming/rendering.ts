import { expect } from 'vitest';
import { newUser } from '../../../support/cast.ts';
import type { JobSeen } from '../../../support/files.ts';
import { fileWith, openTranscoding, setPreset, shapeWith, type TranscodingWorld } from '../../../support/media.ts';
import { ask, done, rowsOf } from '../../../support/requests.ts';
import { prepare } from '../../../support/scenario.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import type { WorldOptions } from '../../../support/world.ts';

export const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
export const segment = (item: string, from: number, to: number, source = 0, more: object = {}) => ({
  item,
  sourceTrack: 1,
  in: at(from),
  out: at(to),
  sourceIn: at(source),
  ...more,
});
export const cuts = { track: [{ segment: [segment('VX-101', 0, 50, 25), segment('VX-100', 75, 100)] }] };
/** The tracks of a part that names none. */
export const first = { pictureTrack: 0, soundTrack: 0 };
export const renderer: Credentials = ['renderer', 'password of renderer'];

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The item VX-100 is a still, VX-101 a film with sound. */
export async function opened(
  sequence: object = cuts,
  options?: WorldOptions,
): Promise<TranscodingWorld & { readonly files: readonly string[] }> {
  const world = await openTranscoding(options);
  await prepare(world, [
    ...['_sequence_write', '_sequence_read'].map((role) => ({
      as: admin,
      request: `PUT /API/group/${role}/user/admin`,
    })),
    newUser(renderer, ['_item_shape_write', '_item_read', '_job_read', '_sequence_read']),
  ]);
  const still = await fileWith(world, 'still.png', bytesOf('bytes of a still'));
  await shapeWith(world, {
    videoComponent: [
      { codec: 'png', numberOfPackets: 1, resolution: { width: 99, height: 51 }, file: [{ id: still }] },
    ],
  });
  const film = await fileWith(world, 'film.mp4', bytesOf('bytes of a film'));
  const document = {
    containerComponent: { format: 'mp4', file: [{ id: film }] },
    videoComponent: [{ codec: 'h264', resolution: { width: 641, height: 360 }, file: [{ id: film }] }],
    audioComponent: [{ codec: 'aac', file: [{ id: film }] }],
  };
  await shapeWith(world, document, 'original', 'VX-101');
  await setPreset(world, 'cut', { format: 'mp4' });
  await done(world, ask('PUT /API/item/VX-100/sequence/vidispine', sequence));
  return { ...world, files: [still, film] };
}

export const start = (world: TranscodingWorld, request: string, body?: object) =>
  done<JobSeen>(world, ask(request, body));
export const datum = (job: JobSeen, key: string) => job.data?.find((each) => each.key === key)?.value;
export const whyOf = (job: JobSeen) =>
  job.log!.task.findLast(({ errorMessage }) => errorMessage !== undefined)?.errorMessage;

export async function nothingLeft(world: TranscodingWorld): Promise<void> {
  for (const table of ['transcode_output', 'file_job']) expect(await rowsOf(world, table), table).toEqual([]);
  expect((await rowsOf(world, 'file')).map(({ state }) => state)).not.toContain('BEING_READ');
  expect(world.fake.open).toBe(0);
}
