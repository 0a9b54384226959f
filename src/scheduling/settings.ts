import type { CoreSettings } from '../settings/core.ts';
import { mebibyte, type SettingsOf, setting, whole } from '../settings/kinds.ts';

/** Settings of scheduled requests. */
export const schedulingSettings = {
  maxScheduled: setting(
    whole(1, 1_000_000),
    1000,
    'Most scheduled requests of one user that wait. As many that were carried out are kept.',
  ),
  maxScheduledBytes: setting(
    whole(0, 16 * mebibyte),
    64 * 1024,
    'Longest body of a scheduled request. A longer body of a response is not kept.',
  ),
  scheduledDays: setting(whole(1, 3650), 30, 'Days for which scheduled requests are kept that were carried out.'),
};

export type SchedulingSettings = SettingsOf<typeof schedulingSettings> & CoreSettings;
