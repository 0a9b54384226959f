import type { CoreSettings } from '../../core/settings/core.ts';
import { constant, type SettingsOf, setting, whole } from '../../core/settings/kinds.ts';

/** Settings of scheduled requests. */
export const schedulingSettings = {
  maxScheduled: constant(
    1000,
    'Maximum number of waiting scheduled requests of one user. As many completed ones are stored.',
  ),
  maxScheduledBytes: constant(
    64 * 1024,
    'Maximum size of the body of a scheduled request. A longer response body is not stored.',
  ),
  scheduledDays: setting(whole(1, 3650), 30, 'Days for which completed scheduled requests are stored.'),
};

export type SchedulingSettings = SettingsOf<typeof schedulingSettings> & CoreSettings;
