import { type HeldJob, type JobEnd, JobFails, type JobStep, type JobType } from '../../../jobs/job-type.ts';
import { ScriptFails } from '../../../scripts/run-script.ts';
import { checkShapes } from '../../../transcoding/outputs/check.ts';
import { makeShapes } from '../../../transcoding/outputs/shapes.ts';
import type { TranscodingParts } from '../../../transcoding/parts.ts';
import { evaluatePreset } from '../../../transcoding/presets/evaluate.ts';
import { joined, madeBy, transcodeData } from '../../../transcoding/steps.ts';
import { wishOfJob } from '../../../transcoding/wish.ts';
import { endRender, isRender, prepareRender, writeRender } from './rendering/steps.ts';

const tagsOf = ({ memo }: HeldJob): readonly string[] => JSON.parse(String(memo['tags'])) as string[];

/**
 * Types of jobs that put parts of items together. TIMELINE renders a sequence by a transcoder that puts parts of media
 * one behind the other. Nothing in this server does so for the segments of CONFORM: the job fails, once its presets are
 * ready. Renderings that an older program began are of the type CONFORM, too.
 */
export function conformTypes(parts: TranscodingParts): readonly JobType[] {
  const { store, limits } = parts;

  /** Scripts see an empty shape, since there is none yet. */
  async function runScripts(job: HeldJob): Promise<readonly string[]> {
    const said: string[] = [];
    for (const tag of tagsOf(job)) {
      const evaluated = await evaluatePreset(store, tag, { shape: undefined, data: job.data }, limits).catch(
        (error) => {
          if (error instanceof ScriptFails)
            throw new JobFails(`The script of the shape tag ${tag} failed: ${error.message}`);
          throw error;
        },
      );
      if (!evaluated) throw new JobFails(`Expected the shape tag ${tag}: nobody knows it`);
      said.push(`${tag}: ${evaluated.preset.format ?? 'no format'}`);
    }
    return said;
  }

  const preparing: JobStep = {
    step: 100,
    description: 'Preparing',
    run: async (job) => (isRender(job) ? prepareRender(parts, job) : { says: await runScripts(job) }),
  };
  const writing: JobStep = {
    step: 200,
    description: 'Transcoding',
    async run(job) {
      if (!isRender(job)) throw unassembled(job);
      return writeRender(parts, job);
    },
  };
  const make = (job: HeldJob) => makeShapes(parts, job, wishOfJob(job.memo));
  const check = async (job: HeldJob) =>
    joined(await checkShapes(parts, job, wishOfJob(job.memo)), await madeBy(parts, job));
  const shared = {
    data: transcodeData,
    ended: async (job: HeldJob, how: JobEnd) =>
      isRender(job) ? endRender(parts, job, how) : { changes: [], events: [] },
  };

  return [
    {
      ...shared,
      type: 'CONFORM',
      steps: [
        preparing,
        writing,
        {
          step: 300,
          description: 'Creating shape',
          async run(job) {
            await make(job);
            return {};
          },
        },
        { step: 400, description: 'Finalizing media check', run: check },
      ],
    },
    {
      ...shared,
      type: 'TIMELINE',
      steps: [
        preparing,
        writing,
        {
          step: 400,
          description: 'Creating the entities',
          async run(job) {
            await make(job);
            return check(job);
          },
        },
      ],
    },
  ];
}

const unassembled = (job: HeldJob): JobFails =>
  new JobFails(
    `Expected a transcoder that puts ${job.memo['segments']} segments together for ${tagsOf(job).join(', ')}: this server has none`,
  );
