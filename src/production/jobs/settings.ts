import type { CoreSettings } from '../../core/settings/core.ts';
import { type SettingsOf, setting, whole } from '../../core/settings/kinds.ts';

/** Settings of jobs. */
export const jobSettings = {
  concurrentJobs: setting(
    whole(1, 1000),
    3,
    'Maximum number of concurrent jobs of an instance. Jobs of one user, and lists and exports of libraries, leave one free for others.',
  ),
  concurrentJobsOfUser: setting(
    whole(0, 1000),
    0,
    'Maximum number of concurrent jobs of one user in a pool. 0: all places but one.',
  ),
  maxWaitingJobs: setting(
    whole(1, 1_000_000),
    10_000,
    'Maximum number of jobs of one user that have not ended. One more is refused.',
  ),
};

export type JobSettings = SettingsOf<typeof jobSettings> & CoreSettings;
