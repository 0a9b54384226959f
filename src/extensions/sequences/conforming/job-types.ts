import { itemMustExist } from '../../../assets/items/contract/store.ts';
import { itemGone, mustHaveTags } from '../../../assets/shapes/public.ts';
import { ScriptFails } from '../../../core/scripts/run-script.ts';
import { changing, nothing } from '../../../core/store/commit-plan.ts';
import {
  checkShapes,
  evaluatePreset,
  joined,
  madeBy,
  makeShapes,
  replaceableOf,
  type TranscodingParts,
  tagsGiven,
  transcodeData,
  transcodeRequestOf,
} from '../../../production/transcoding/public.ts';
import { JobFails, type JobType, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import { describeJob, type JobMemo, listOf, number, optional, text } from '../../../room/jobs/memo.ts';
import { endRender, prepareRender, type RenderMemo, renderJob, writeRender } from './render-job.ts';

export const conformJob = describeJob('CONFORM', {
  memo: {
    itemId: optional(text),
    tags: listOf(text),
    /** Number of parts of the sequence. */
    segments: number,
  },
  tells: ['itemId', ...transcodeData],
});
type ConformJob = LeasedJob<JobMemo<typeof conformJob>>;

/**
 * Types of jobs that put parts of items together. TIMELINE renders a sequence by a transcoder that puts parts of media
 * one behind the other. Nothing in this server does so for the segments of CONFORM: the job fails, once its presets are
 * ready.
 */
export function conformTypes(parts: TranscodingParts): readonly JobType[] {
  const { store, limits } = parts;

  /** Scripts see an empty shape, since there is none yet. */
  async function runScripts(job: ConformJob): Promise<readonly string[]> {
    const said: string[] = [];
    for (const tag of job.memo.tags) {
      const about = { shape: undefined, data: job.data, askerFor: async () => undefined };
      const evaluated = await evaluatePreset(store, tag, about, limits).catch((error) => {
        if (error instanceof ScriptFails)
          throw new JobFails(`The script of the shape tag ${tag} failed: ${error.message}`);
        throw error;
      });
      if (!evaluated) throw new JobFails(`Expected the shape tag ${tag}: nobody knows it`);
      said.push(`${tag}: ${evaluated.preset.format ?? 'no format'}`);
    }
    return said;
  }

  const unassembled = async ({ memo: { segments, tags } }: ConformJob): Promise<StepResult> => {
    const expected = `a transcoder that puts ${segments} segments together for ${tags.join(', ')}`;
    throw new JobFails(`Expected ${expected}: this server has none`);
  };
  const check = async (job: LeasedJob<RenderMemo>) => {
    const request = transcodeRequestOf(job.memo);
    await makeShapes(parts, job, request);
    return joined(await checkShapes(parts, job, request), await madeBy(parts, job));
  };

  const conform: JobType<typeof conformJob.memo> = {
    ...conformJob,
    needs: ({ itemId: id }) => (id === undefined ? [] : [{ on: 'item', id, level: 'WRITE' }]),
    steps: [
      { step: 100, description: 'Preparing', run: async (job) => ({ says: await runScripts(job) }) },
      { step: 200, description: 'Transcoding', run: unassembled },
      { step: 300, description: 'Creating shape', run: unassembled },
      { step: 400, description: 'Finalizing media check', run: unassembled },
    ],
    async restart({ memo: { itemId, tags }, caller }) {
      if (itemId !== undefined) await mustHaveTags(store, caller, itemId, tags);
      return nothing;
    },
  };
  const timeline: JobType<typeof renderJob.memo> = {
    ...renderJob,
    needs: ({ itemId: id }) => [{ on: 'item', id, level: 'WRITE', part: 'SHAPE' }],
    steps: [
      { step: 100, description: 'Preparing', run: (job) => prepareRender(parts, job) },
      { step: 200, description: 'Transcoding', run: (job) => writeRender(parts, job) },
      { step: 400, description: 'Creating the entities', run: check },
    ],
    async restart({ memo, caller }) {
      const { destination: id, tags, original } = transcodeRequestOf(memo);
      await mustHaveTags(store, caller, id, tagsGiven(tags, original));
      const free = memo.from === undefined ? [] : await replaceableOf(parts, caller, id, { tags, from: memo.from });
      return changing(itemMustExist(id, itemGone(id)), ...free);
    },
    ended: (job, how) => endRender(parts, job, how),
  };
  return [conform, timeline];
}
