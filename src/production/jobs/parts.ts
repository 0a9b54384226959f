import type { CoreSettings } from '../../core/settings/core.ts';
import { type SettingsOf, setting, whole } from '../../core/settings/kinds.ts';
import type { RoomContext } from '../../room/context.ts';
import type { KnownProperties, KnownProperty } from '../../room/properties.ts';

/** Settings of jobs. */
export const jobSettings = {
  concurrentJobs: setting(
    whole(1, 1000),
    3,
    'Maximum number of concurrent jobs of an instance. Jobs of one user leave one free while others wait, unless the user is an administrator. Transcoding, and lists and exports of libraries, always leave one.',
  ),
  concurrentJobsOfUser: setting(
    whole(0, 1000),
    0,
    'Maximum number of concurrent jobs of one user in a pool. 0: all places but one, and all for administrators and for a user beside whom nobody waits.',
  ),
  maxWaitingJobs: setting(
    whole(1, 1_000_000),
    10_000,
    'Maximum number of jobs of one user that have not ended. One more is refused.',
  ),
};

export type JobSettings = SettingsOf<typeof jobSettings> & CoreSettings;

/** Parts of the routes of jobs. */
export type JobRoomParts = RoomContext<JobSettings>;

const max = 1_000;
const concurrentJobs: KnownProperty<number> = {
  // 0: the setting of the instance applies.
  fallback: 0,
  says: 'Concurrent jobs of each instance without job pools. Default: the setting.',
  expected: `a whole number from 1 to ${max}`,
  read: (text) => (/^\d{1,4}$/.test(text.trim()) && +text >= 1 && +text <= max ? Number(text) : undefined),
};

/** Properties of jobs, with their concurrency. */
export const jobProperties = { concurrentJobs } as const satisfies KnownProperties;
