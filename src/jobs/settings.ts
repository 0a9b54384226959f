import type { CoreSettings } from '../settings/core.ts';
import { type SettingsOf, setting, whole } from '../settings/kinds.ts';

/** Settings of jobs. */
export const jobSettings = {
  concurrentJobs: setting(whole(1, 1000), 3, 'Jobs that one instance does at a time.'),
};

export type JobSettings = SettingsOf<typeof jobSettings> & CoreSettings;
