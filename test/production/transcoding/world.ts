import { openPlacing } from '../../assets/placing/world.ts';
import { done, type JobsOptions, type JobsWorld, ask as jobAsk } from '../../storage/jobs/world.ts';
import type { Entry } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { fileWith, shapeWith } from '../checking/world.ts';
import { type FakeTranscoder, fakeTranscoder } from './fake-transcoder.ts';

export const ask = (request: string, body?: string | object) =>
  jobAsk(request, admin, body === undefined || typeof body === 'string' ? body : JSON.stringify(body));

export interface TranscodingWorld extends JobsWorld {
  readonly fake: FakeTranscoder;
}

/** Storages in memory, the items VX-100 and VX-101 without shapes, and a transcoder that makes no other media. */
export async function openTranscoding(options: JobsOptions = {}, open?: Entry['open']): Promise<TranscodingWorld> {
  const fake = fakeTranscoder();
  return { ...(await openPlacing({ transcoders: [fake], ...options }, open)), fake };
}

const second = { samples: 25, timeBase: { numerator: 1, denominator: 25 } };

/** The item VX-100 has an original of 25 seconds with pictures. */
export async function withOriginal(
  world: TranscodingWorld,
): Promise<{ readonly fileId: string; readonly shapeId: string }> {
  const fileId = await fileWith(world, 'clip.mp4', new TextEncoder().encode('bytes of a clip'));
  const shapeId = await shapeWith(world, {
    containerComponent: { format: 'mp4', duration: { ...second, samples: 625 }, file: [{ id: fileId }] },
    videoComponent: [{ codec: 'h264', file: [{ id: fileId }] }],
  });
  return { fileId, shapeId };
}

export const setPreset = (world: TranscodingWorld, tag: string, preset: object = { format: 'wav' }) =>
  done(world, ask(`PUT /API/shape-tag/${tag}`, preset));
