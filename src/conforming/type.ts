import { type HeldJob, JobFails, type JobType } from '../jobs/job-type.ts';
import { ScriptFails } from '../scripts/run-script.ts';
import { evaluatePreset } from '../transcoding/presets/evaluate.ts';
import type { ConformParts } from './parts.ts';

const tagsOf = ({ memo }: HeldJob): readonly string[] => JSON.parse(String(memo['tags'])) as string[];

/** Puts parts of items together. What assembles them is no part of this server: the job says so, once its presets are ready. */
export function conformType({ store, limits }: ConformParts): JobType {
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
    steps: [
      { step: 100, description: 'Preparing', run: async (job) => ({ says: await runScripts(job) }) },
      {
        step: 200,
        description: 'Transcoding',
        async run(job) {
          const { segments } = job.memo;
          throw new JobFails(
            `Expected a transcoder that puts ${segments} segments together for ${tagsOf(job).join(', ')}: this server has none`,
          );
        },
      },
      { step: 300, description: 'Creating shape', run: async () => ({}) },
      { step: 400, description: 'Finalizing media check', run: async () => ({}) },
    ],
    ended: async () => ({ changes: [], events: [] }),
  };
}
