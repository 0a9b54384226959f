import type { NotificationSettings } from '../settings.ts';
import type { Patience } from './rules.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

type PatienceSettings = Pick<
  NotificationSettings,
  | 'deliveryRetries'
  | 'deliveryRetryHours'
  | 'deliveryPauseFirst'
  | 'deliveryPauseMost'
  | 'deliveryAloneMinutes'
  | 'deliveryBlockedMinutes'
  | 'pauseAfterFailures'
  | 'pauseFirst'
  | 'pauseMost'
  | 'disableAfterHours'
>;

export const patienceOf = (settings: PatienceSettings): Patience => ({
  retries: settings.deliveryRetries,
  retryFor: settings.deliveryRetryHours * hour,
  pauseFirst: settings.deliveryPauseFirst,
  pauseMost: settings.deliveryPauseMost * second,
  aloneFor: settings.deliveryAloneMinutes * minute,
  blockedFor: settings.deliveryBlockedMinutes * minute,
  restAfter: settings.pauseAfterFailures,
  restFirst: settings.pauseFirst * second,
  restMost: settings.pauseMost * second,
  disableAfter: settings.disableAfterHours * hour,
});
