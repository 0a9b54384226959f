import { JobFails, JobWaits } from '../job-type.ts';
import type { FrozenTask, TaskRunner } from './frozen.ts';

const noPlugin = (handler: string) =>
  new JobWaits({ resourceType: 'TASK', resourceId: handler, requirement: 'NoPlugin' });

/** Carries out custom tasks: scripts in the sandbox, and what plugins do. */
export function taskRunner(_parts: object): TaskRunner {
  return ({ handler, step }: FrozenTask) => ({
    async run() {
      if (handler !== null) throw noPlugin(handler);
      throw new JobFails(`Expected a script or a plugin for step ${step}`);
    },
  });
}
