import type { Migration } from './index.ts';

/** Each delivery pays for each index of its log: the states together are all attempts, so one index answers for both. */
export const lighterLog: Migration = {
  number: 4,
  name: 'lighter-log',
  statements: ['DROP INDEX attempt_started'],
};
