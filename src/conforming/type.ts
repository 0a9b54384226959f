import { type HeldJob, JobFails, type JobType } from '../jobs/job-type.ts';
import { ScriptFails } from '../scripts/run-script.ts';
import { checkShapes } from '../transcoding/outputs/check.ts';
import { makeShapes } from '../transcoding/outputs/shapes.ts';
import { evaluatePreset } from '../transcoding/presets/evaluate.ts';
import { joined, madeBy, transcodeData } from '../transcoding/steps.ts';
import { wishOfJob } from '../transcoding/wish.ts';
import type { ConformParts } from './parts.ts';
import { endRender, isRender, prepareRender, writeRender } from './rendering/steps.ts';

const tagsOf = ({ memo }: HeldJob): readonly string[] => JSON.parse(String(memo['tags'])) as string[];

/**
 * Puts parts of items together. What assembles timelines is no part of this server: the job says so, once its presets are
 * ready. Sequences are rendered by transcoders that put parts of media one behind the other.
 */
export function conformType(parts: ConformParts): JobType {
  const { store, limits } = parts;

  /** There is no shape yet: scripts see an empty one. */
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

  return {
    type: 'CONFORM',
    data: transcodeData,
    steps: [
      {
        step: 100,
        description: 'Preparing',
        run: async (job) => (isRender(job) ? prepareRender(parts, job) : { says: await runScripts(job) }),
      },
      {
        step: 200,
        description: 'Transcoding',
        async run(job) {
          if (!isRender(job)) throw unassembled(job);
          return writeRender(parts, job);
        },
      },
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
        async run(job) {
          const check = await checkShapes(parts, job, wishOfJob(job.memo));
          return joined(check, await madeBy(parts, job));
        },
      },
    ],
    ended: async (job, how) => (isRender(job) ? endRender(parts, job, how) : { changes: [], events: [] }),
  };
}

const unassembled = (job: HeldJob): JobFails =>
  new JobFails(
    `Expected a transcoder that puts ${job.memo['segments']} segments together for ${tagsOf(job).join(', ')}: this server has none`,
  );
