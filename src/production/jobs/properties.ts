import type { KnownProperties, KnownProperty } from '../../room/properties.ts';

const most = 1_000;
const concurrentJobs: KnownProperty<number> = {
  // 0: the setting of the instance applies.
  fallback: 0,
  says: 'Concurrent jobs of each instance without job pools. Default: the setting.',
  expected: `a whole number from 1 to ${most}`,
  read: (text) => (/^\d{1,4}$/.test(text.trim()) && +text >= 1 && +text <= most ? Number(text) : undefined),
};

/** Properties of jobs, with their concurrency. */
export const jobProperties = { concurrentJobs } as const satisfies KnownProperties;
