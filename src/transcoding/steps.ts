import {
  type HeldJob,
  type JobEnd,
  type JobStep,
  type JobType,
  JobWaits,
  type Memo,
  type StepResult,
} from '../jobs/job-type.ts';
import type { CommitPlan } from '../store/contract.ts';
import { checkShapes } from './outputs/check.ts';
import { endOutputs } from './outputs/end.ts';
import { writeOutputs } from './outputs/files.ts';
import { prepareOutputs } from './outputs/prepare.ts';
import { makeShapes } from './outputs/shapes.ts';
import { outputsOf } from './outputs/store.ts';
import type { TranscodingParts } from './parts.ts';
import { makePictures, noPictures } from './pictures/make.ts';
import { type TranscodeWish, wishOfJob } from './wish.ts';

/** The tags of an import may only steer its thumbnails. */
function wishOfImport(memo: Memo): TranscodeWish {
  const asked = wishOfJob(memo);
  return memo['transcodes'] === false ? { ...asked, tags: [] } : asked;
}

/**
 * Transcoding as one step of another job type. It reads `itemId`, `shapeId`, `tags`, `createThumbnails`,
 * `createPosters` and `storageId` of the memo, and `hasPictures` of the media check. The type calls `transcodeEnded` at
 * its end.
 */
export const transcodeStep = (parts: TranscodingParts, step: number): JobStep => ({
  step,
  description: 'Transcoding',
  // Most imports want no other shape.
  settled({ memo }) {
    const { tags, thumbnails, posters } = wishOfImport(memo);
    if (tags.length > 0) return undefined;
    if (thumbnails === 'none' && posters === 'none') return {};
    return memo['hasPictures'] === false ? { says: [noPictures] } : undefined;
  },
  async run(job) {
    const wish = wishOfImport(job.memo);
    const check = wish.tags.length === 0 ? {} : await outputsFor(parts, job, wish);
    const pictures = await usualPictures(parts, job, wish);
    const made = wish.tags.length === 0 ? {} : await madeBy(parts, job);
    return joined(made, check, pictures);
  },
});

async function outputsFor(parts: TranscodingParts, job: HeldJob, wish: TranscodeWish): Promise<StepResult> {
  const { work, ...prepared } = await prepareOutputs(parts, job, wish);
  if (work && work.changes.length > 0) {
    await parts.store.commit({ ...work, changes: [job.mine, ...work.changes] }, job.actor);
  }
  const written = await writeOutputs(parts, job, wish);
  await makeShapes(parts, job, wish);
  return joined(prepared, written, await checkShapes(parts, job, wish));
}

/** Merges the results of several parts of a step. */
export const joined = (...results: readonly StepResult[]): StepResult => ({
  data: results.flatMap(({ data = [] }) => data),
  says: results.flatMap(({ says = [] }) => says),
  warns: results.some(({ warns = false }) => warns),
});

/** Handler for the end of a job with that step. */
export const transcodeEnded =
  (parts: TranscodingParts) =>
  (job: HeldJob, how: JobEnd): Promise<CommitPlan> =>
    endOutputs(parts, job, how);

/** Imports want thumbnails where they can be had: without a transcoder they go on. */
async function usualPictures(parts: TranscodingParts, job: HeldJob, wish: TranscodeWish): Promise<StepResult> {
  try {
    return await makePictures(parts, job, wish);
  } catch (error) {
    if (!(error instanceof JobWaits) || error.waiting.requirement !== 'NoTranscoder') throw error;
    return { says: [`No stills: ${error.waiting.resourceId}`] };
  }
}

/** Data and log about the created shapes. */
export async function madeBy({ store }: Pick<TranscodingParts, 'store'>, job: HeldJob): Promise<StepResult> {
  const rows = await outputsOf(store, { jobId: job.id });
  if (rows.length === 0) return {};
  const warnings = rows.flatMap((row) => (JSON.parse(row.warnings) as string[]).map((each) => `${row.tag}: ${each}`));
  const ids = rows.flatMap(({ made, newShapeId }) => (made === 1 ? newShapeId : []));
  return { data: [['shapeIds', ids.join(',')]], says: warnings, warns: warnings.length > 0 };
}

/** Data keys of transcoding jobs. */
export const transcodeData = [
  ...['tags', 'transcoder', 'transcodeProgress', 'transcodeWallTime', 'transcodeEstimatedTimeLeft', 'shapeIds'],
];

/** Job types that clients can start. */
export function transcodeTypes(parts: TranscodingParts): readonly JobType[] {
  const ended = transcodeEnded(parts);
  const pictures: JobStep['run'] = (job) => makePictures(parts, job, wishOfJob(job.memo));
  const steps: readonly JobStep[] = [
    { step: 100, description: 'Preparing', run: (job) => prepareOutputs(parts, job, wishOfJob(job.memo)) },
    { step: 200, description: 'Transcoding', run: (job) => writeOutputs(parts, job, wishOfJob(job.memo)) },
    {
      step: 300,
      description: 'Creating shape',
      async run(job) {
        await makeShapes(parts, job, wishOfJob(job.memo));
        return {};
      },
    },
    {
      step: 400,
      description: 'Finalizing media check',
      run: (job) => checkShapes(parts, job, wishOfJob(job.memo)),
    },
    { step: 500, description: 'Creating thumbnails', run: pictures },
    { step: 600, description: 'Finishing', run: (job) => madeBy(parts, job) },
  ];
  return [
    { type: 'TRANSCODE', data: transcodeData, steps, ended },
    { type: 'THUMBNAIL', data: [], steps: [{ step: 100, description: 'Creating thumbnails', run: pictures }], ended },
  ];
}
