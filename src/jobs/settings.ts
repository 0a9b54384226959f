import type { CoreSettings } from '../settings/core.ts';
import { type SettingsOf, setting, whole } from '../settings/kinds.ts';

/** Settings of jobs. */
export const jobSettings = {
  concurrentJobs: setting(
    whole(1, 1000),
    3,
    'Jobs that one instance does at a time. Lists and exports of libraries leave one of them to other jobs.',
  ),
  maxWaitingJobs: setting(
    whole(1, 1_000_000),
    10_000,
    'Most jobs of one user that have not ended. One more is refused.',
  ),
};

export type JobSettings = SettingsOf<typeof jobSettings> & CoreSettings;
