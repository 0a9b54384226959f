import type { KnownProperty, PropertyTable } from '../room/properties.ts';

const most = 1_000;
const concurrentJobs: KnownProperty<number> = {
  // As many as the setting of the instance says.
  fallback: 0,
  says: 'Jobs that each instance does at a time, where no job pools are set. Without it the setting counts.',
  expected: `a whole number from 1 to ${most}`,
  read: (text) => (/^\d{1,4}$/.test(text.trim()) && +text >= 1 && +text <= most ? Number(text) : undefined),
};

/** How many jobs run. */
export const jobProperties = { concurrentJobs } as const satisfies PropertyTable;
