import { mayWrite } from '../../assets/access/public.ts';
import { itemName } from '../../assets/items/contract/entities.ts';
import { askUserOfJob } from '../../assets/search/public.ts';
import {
  itemFor,
  loadShapes,
  mustHaveShapes,
  mustHaveTags,
  type Shape,
  shapesToRead,
} from '../../assets/shapes/public.ts';
import { mediaOfShape, mustAllBeUsable } from '../../assets/usage/public.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { badParameter } from '../../http/parameters/index.ts';
import {
  type JobEnd,
  JobFails,
  type JobNeed,
  type JobStep,
  type JobType,
  JobWaits,
  type LeasedJob,
  type RestartedJob,
  type StepResult,
} from '../../room/jobs/job-type.ts';
import { boolean, describeJob, type MemoOf, optional, recordOf, text, usually } from '../../room/jobs/memo.ts';
import type { Caller } from '../../security/caller.ts';
import { picturedMedia } from '../checking/public.ts';
import { writeOutputs } from './outputs/files.ts';
import { prepareOutputs, sourcesOf, type TagSource, tagSources, tagsBeyondPicture } from './outputs/prepare.ts';
import { checkShapes, endOutputs, makeShapes, replaceable } from './outputs/shapes.ts';
import type { TranscodingParts } from './parts.ts';
import { makePictures, mayDraw, noPictures } from './pictures/make.ts';
import { isUnread } from './source.ts';
import { outputsOf } from './store.ts';
import {
  type TranscodeMemo,
  type TranscodeRequest,
  tagsGiven,
  transcodeMemo,
  transcodeRequestOf,
} from './transcode-request.ts';

/** Refuses callers who may not read the sources, or not write the shapes that the job makes and replaces. */
export async function orderBy(
  parts: TranscodingParts,
  caller: Caller,
  request: TranscodeRequest,
): Promise<readonly Statement[]> {
  const { store } = parts;
  const { itemId, destination, tags, original } = request;
  const shapes = await loadShapes(store, itemId);
  const ofTags = await tagSources(parts, request, shapes);
  const sources = sourcesOf(request, shapes, ofTags);
  const [[beyond]] = await Promise.all([
    tagsBeyondPicture(parts, ofTags),
    mustHaveShapes(store, caller, sources, 'READ'),
  ]);
  // Another item may have no terms.
  if (destination !== itemId) await mustUse(parts, caller, sources);
  // The shape that loses `original` may be of an earlier version: `replaceable` asks for it.
  if (tags.length > 0) await mustHaveTags(store, caller, destination, tagsGiven(tags, original), []);
  if (beyond !== undefined) throw badParameter('tag', aPicture, beyond);
  return tags.length === 0 ? [] : replaceable(parts, caller, request, shapes, ofTags);
}

const aPicture = 'Expected the tag of a picture, such as __jpeg: the media is a picture that does not move';

const mustUse = ({ store, clock }: TranscodingParts, caller: Caller, shapes: readonly Shape[]): Promise<void> =>
  mustAllBeUsable(store, caller, shapes.map(mediaOfShape), clock.now());

/** Refuses callers who start the job again without the rights of the routes. `makesShapes`: false if the tags only have sizes. */
async function orderAgain(
  parts: TranscodingParts,
  { memo, caller }: Pick<RestartedJob<TranscodeMemo>, 'memo' | 'caller'>,
  makesShapes: boolean,
) {
  const { itemId, destination } = memo;
  await itemFor(parts.store, caller, itemId, 'WRITE');
  if (destination !== undefined) await mayWrite(parts.store, caller, itemName, { id: destination });
  const request = transcodeRequestOf(memo);
  return changing(...(await orderBy(parts, caller, makesShapes ? request : { ...request, tags: [] })));
}

/** Memo of jobs with transcoding as one of their steps. */
export const transcodeStepMemo = {
  ...transcodeMemo,
  /** False: the tags only steer thumbnails. */
  transcodes: usually(boolean, true),
  /** Result for the stills of an earlier attempt. Undefined: they are not made yet. */
  pictured: optional(recordOf({ says: text, warns: boolean })),
  /** Result of the media check: what stills are made of. */
  stillMedia: usually(text, picturedMedia),
};
type StepMemo = MemoOf<typeof transcodeStepMemo>;

const requestOfStep = (memo: StepMemo): TranscodeRequest =>
  transcodeRequestOf(memo.transcodes ? memo : { ...memo, tags: [] });

/** Transcoding as one step of another job type. The type calls `transcodeEnded` at its end. */
export const transcodeStep = (parts: TranscodingParts, step: number): JobStep<StepMemo> => ({
  step,
  description: 'Transcoding',
  // Most imports want no other shape.
  settled({ memo }) {
    const { tags, thumbnails, posters } = requestOfStep(memo);
    if (tags.length > 0) return undefined;
    if (thumbnails === 'none' && posters === 'none') return {};
    return memo.stillMedia === picturedMedia || mayDraw(parts, memo.stillMedia) ? undefined : { says: [noPictures] };
  },
  async run(job) {
    const request = requestOfStep(job.memo);
    const { shapes, ofTags } = await expectSources(parts, job, request);
    if (request.tags.length === 0) return defaultPictures(parts, job, request, shapes);
    // Pictures come first: people look for them. Their failure ends the step after the other files.
    const [pictures] = await Promise.allSettled([keptPictures(parts, job, request, shapes)]);
    const beyond = await tagsBeyondPicture(parts, ofTags);
    const tags = request.tags.filter((tag) => !beyond.includes(tag));
    const left = beyond.length === 0 ? {} : { warns: `${aPicture}: found ${beyond.join(', ')}` };
    const fitting = ofTags.filter(({ tag }) => tags.includes(tag));
    const check =
      tags.length === 0 ? {} : await outputsFor(parts, job, { ...request, tags }, fitting).catch(unreadForms);
    if (pictures.status === 'rejected') throw pictures.reason;
    const outputs = tags.length === 0 ? {} : await madeBy(parts, job);
    return joined(outputs, check, left, pictures.value);
  },
});

/** An import goes on where no program here knows the media. Its log says which one does. */
function unreadForms(error: unknown): StepResult {
  if (!isUnread(error)) throw error;
  return { warns: `No other forms: ${error.message}` };
}

/** Stills that are made once, however often the other files wait. An edge has no calls for both in one attempt. */
async function keptPictures(
  parts: TranscodingParts,
  job: LeasedJob<StepMemo>,
  request: TranscodeRequest,
  shapes: readonly Shape[],
): Promise<StepResult> {
  if (request.thumbnails === 'none' && request.posters === 'none') return {};
  const { pictured } = job.memo;
  if (pictured) return { ...pictured, says: [pictured.says] };
  const { says = [], warns = false } = await defaultPictures(parts, job, request, shapes);
  if (typeof warns !== 'string') await job.keeps({ pictured: { says: says.join('. '), warns } });
  return { says, warns };
}

async function outputsFor(
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
  sources: readonly TagSource[],
): Promise<StepResult> {
  const isPrepared = (await outputsOf(parts.store, { jobId: job.id })).length > 0;
  const { work } = isPrepared ? {} : await prepareOutputs(parts, job, request, sources);
  if (work && work.changes.length > 0) {
    await parts.store.commit({ ...work, changes: [job.mine, ...work.changes] }, job.actor);
  }
  const written = await writeOutputs(parts, job, request);
  await makeShapes(parts, job, request);
  return joined(written, await checkShapes(parts, job, request));
}

/** Merges the results of several parts of a step. */
export function joined(...results: readonly StepResult[]): StepResult {
  const reasons = results.flatMap(({ warns }) => (typeof warns === 'string' ? [warns] : []));
  return {
    data: results.flatMap(({ data = [] }) => data),
    says: results.flatMap(({ says = [] }) => says),
    warns: reasons.length > 0 ? reasons.join('. ') : results.some(({ warns = false }) => warns),
  };
}

/** Handler for the end of a job with that step. */
export const transcodeEnded =
  (parts: TranscodingParts) =>
  (job: LeasedJob, how: JobEnd): Promise<CommitPlan> =>
    endOutputs(parts, job, how);

/** Imports want thumbnails where they can be had: without a transcoder they go on. */
async function defaultPictures(
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
  shapes: readonly Shape[],
): Promise<StepResult> {
  try {
    return await makePictures(parts, job, request, shapes, true);
  } catch (error) {
    if (isUnread(error)) return { warns: `No stills: ${error.message}` };
    if (!(error instanceof JobWaits) || error.waiting.requirement !== 'NoTranscoder') throw error;
    return { says: [`No stills: ${error.waiting.resourceId}`] };
  }
}

/** Data and log about the created shapes. */
export async function madeBy({ store }: Pick<TranscodingParts, 'store'>, job: LeasedJob): Promise<StepResult> {
  const rows = await outputsOf(store, { jobId: job.id });
  if (rows.length === 0) return {};
  const warnings = rows.flatMap(({ tag, rendition, warnings: own }) =>
    (JSON.parse(own) as string[]).map((each) => `${[tag, rendition].join(' ').trim()}: ${each}`),
  );
  const ids = new Set(rows.flatMap(({ made: isMade, newShapeId }) => (isMade === 1 ? newShapeId : [])));
  return { data: [['shapeIds', [...ids].join(',')]], says: warnings, warns: warnings.length > 0 };
}

/** Data keys of transcoding jobs. */
export const transcodeData = [
  ...['tags', 'transcoder', 'transcodeProgress', 'transcodeWallTime', 'transcodeEstimatedTimeLeft', 'shapeIds'],
];

export const transcodeJob = describeJob('TRANSCODE', { memo: transcodeMemo, tells: ['itemId', ...transcodeData] });
export const thumbnailJob = describeJob('THUMBNAIL', { memo: transcodeMemo, tells: ['itemId'] });

/** Shapes of the item. Fails a job whose user may not read one that it starts from, as the item and its rights are now. */
async function expectSources(
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
): Promise<{ readonly shapes: readonly Shape[]; readonly ofTags: readonly TagSource[] }> {
  const shapes = await loadShapes(parts.store, request.itemId);
  const ofTags = await tagSources(parts, request, shapes);
  await mustReadSources(parts, job, request, sourcesOf(request, shapes, ofTags));
  return { shapes, ofTags };
}

/** Asks for READ on the shapes that the files of the job are made of. */
async function expectChosen(parts: TranscodingParts, job: LeasedJob, request: TranscodeRequest): Promise<void> {
  const chosen = new Set((await outputsOf(parts.store, { jobId: job.id })).map(({ shapeId }) => shapeId));
  const shapes = await loadShapes(parts.store, request.itemId);
  const sources = shapes.filter(({ id }) => chosen.has(id));
  await mustReadSources(parts, job, request, sources);
}

const mustReadSources = (
  parts: TranscodingParts,
  job: LeasedJob,
  { itemId, destination }: TranscodeRequest,
  sources: readonly Shape[],
): Promise<void> =>
  askUserOfJob(parts, job, async (call) => {
    if (destination !== itemId) await mustUse(parts, call, sources);
    const allowed = await shapesToRead(parts.store, call, sources);
    const closed = sources.find((shape) => !allowed.includes(shape));
    if (closed) throw new JobFails(`Expected a shape that the user of the job may read: ${closed.id}`);
  });

/** Job types that clients can start. */
export function transcodeTypes(parts: TranscodingParts): readonly JobType<typeof transcodeMemo>[] {
  const ended = transcodeEnded(parts);
  const pictures: JobStep<TranscodeMemo>['run'] = async (job) => {
    const request = transcodeRequestOf(job.memo);
    const { shapes } = await expectSources(parts, job, { ...request, tags: [] });
    return makePictures(parts, job, request, shapes);
  };
  const steps: readonly JobStep<TranscodeMemo>[] = [
    {
      step: 100,
      description: 'Preparing',
      async run(job) {
        const request = transcodeRequestOf(job.memo);
        const { ofTags } = await expectSources(parts, job, request);
        return prepareOutputs(parts, job, request, ofTags);
      },
    },
    {
      step: 200,
      description: 'Transcoding',
      async run(job) {
        const request = transcodeRequestOf(job.memo);
        await expectChosen(parts, job, request);
        return writeOutputs(parts, job, request);
      },
    },
    {
      step: 300,
      description: 'Creating shape',
      async run(job) {
        await makeShapes(parts, job, transcodeRequestOf(job.memo));
        return {};
      },
    },
    {
      step: 400,
      description: 'Finalizing media check',
      run: (job) => checkShapes(parts, job, transcodeRequestOf(job.memo)),
    },
    { step: 500, description: 'Creating thumbnails', run: pictures },
    { step: 600, description: 'Finishing', run: (job) => madeBy(parts, job) },
  ];
  const needs = ({ itemId, destination }: TranscodeMemo): readonly JobNeed[] => [
    { on: 'item', id: itemId, level: 'WRITE', part: 'SHAPE' },
    ...(destination === undefined ? [] : [{ on: 'item', id: destination, level: 'WRITE' } as const]),
  ];
  return [
    { ...transcodeJob, takesLong: () => true, needs, steps, restart: (job) => orderAgain(parts, job, true), ended },
    {
      ...thumbnailJob,
      needs,
      steps: [{ step: 100, description: 'Creating thumbnails', run: pictures }],
      restart: (job) => orderAgain(parts, job, false),
      ended,
    },
  ];
}
