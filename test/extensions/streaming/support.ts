import { expect } from 'vitest';
import { ended, type JobSeen } from '../../support/files.ts';
import type { Entry } from '../../support/matrix.ts';
import { openTranscoding, type TranscodingWorld, withOriginal } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { admin, type Credentials, type ServiceOptions } from '../../support/service.ts';

export const ann: Credentials = ['ann', 'p'];
const path = '/API/item/VX-100/stream';
export const hls = { accept: 'application/vnd.apple.mpegurl' };

/** An item with a film of 720 lines and its stream. */
export async function streamed(open?: Entry['open'], options: ServiceOptions = {}) {
  const world = await openTranscoding(options, open);
  const { shapeId: original } = await withOriginal(world, true);
  await done(world, ask('PUT /APIinit/preset-templates'));
  return { world, original, shapeId: await makeStream(world) };
}

export async function makeStream(world: TranscodingWorld): Promise<string> {
  const { jobId } = await done<JobSeen>(world, ask('POST /API/item/VX-100/transcode?tag=__hls&storageId=VX-2'));
  const end = await ended(world, jobId);
  expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
  return end.data!.find(({ key }) => key === 'shapeIds')!.value;
}

export const read = (world: TranscodingWorld, query = '', accept = hls.accept, as = admin) =>
  world.send({ as, headers: { accept }, request: `GET ${path}${query}` });
export const open = (world: TranscodingWorld, uri: string, headers: Record<string, string> = {}) =>
  world.send({ headers, request: `GET ${uri}` });
export const addresses = (manifest: string): readonly string[] => [
  ...new Set(Array.from(manifest.matchAll(/https?:\/\/[^"\s<]+/g), ([uri]) => uri.replaceAll('&amp;', '&'))),
];
export const addressOf = (manifest: string, name: string) =>
  addresses(manifest).find((uri) => uri.includes(`/${name}.m3u8?`))!;
