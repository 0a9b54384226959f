import type { contentFilterValues } from '../documents/notification-trigger.ts';

type ContentFilter = (typeof contentFilterValues)[number];

/** The keys that each value keeps of a job. Two keep data of the job, too, whatever its keys. */
const keysOfFilter: Readonly<Record<ContentFilter, readonly string[]>> = {
  jobId: ['jobId'],
  jobState: ['status'],
  user: ['user', 'username'],
  startTime: ['started'],
  jobType: ['type'],
  jobData: [],
  errorMessage: [],
  itemId: ['itemId', 'item'],
  totalSteps: ['totalSteps'],
  currentStep: ['currentStepNumber', 'currentStepStatus'],
};

/** Whether a key stays in the output. For variable keys, `from` is their property. */
type Keeper = (key: string, from?: string) => boolean;

/** No filters keep everything. What a caller wants to be told again is no part of the job, and stays. */
export function keeperOf(filters: readonly ContentFilter[] = []): Keeper {
  if (filters.length === 0) return () => true;
  const keys = new Set(filters.flatMap((filter) => keysOfFilter[filter]));
  const data = filters.includes('jobData');
  const messages = filters.includes('errorMessage');
  return (key, from) =>
    keys.has(key) ||
    from === 'notificationData' ||
    (from === 'data' && (data || (messages && key.startsWith('errorMessage'))));
}
