import { compilePattern } from '../../../core/documents/pattern.ts';
import type { JobState, Pairs } from '../../../core/events/payloads.ts';
import type { NotificationTrigger } from '../documents/notification-trigger.ts';

type JobTrigger = NonNullable<NotificationTrigger['job']>;
type JobData = NonNullable<NonNullable<JobTrigger['filter']>['jobdata']>;

export interface JobSource {
  readonly of: 'job';
  /** Job types. Empty: all types. */
  readonly types: readonly string[];
  readonly step?: number | undefined;
  readonly jobdata?: JobData | undefined;
  /** Id of a placeholder: only jobs started with it. */
  readonly notification?: string | undefined;
}

const place = '/NotificationDocument/trigger/job/filter/jobdata';

/** Compiles a filter whose conditions must all match. The most expensive one is checked last. */
export function compileJob({ types, step, jobdata, notification }: JobSource): (job: JobState) => boolean {
  const holds = jobdata && compilePair(jobdata);
  return (job) =>
    (notification === undefined || job.notification === notification) &&
    (types.length === 0 || types.includes(job.type)) &&
    (step === undefined || job.currentStepNumber === step || job.step === step) &&
    (holds === undefined || someData(job, holds));
}

type Holds = (key: string, value: string) => boolean;

/** Matches a pair whose key and value both match. */
function compilePair(jobdata: JobData): Holds {
  const key = compileHalf(jobdata.key, jobdata['key-regex'], `${place}/key-regex`);
  const value = compileHalf(jobdata.value, jobdata['value-regex'], `${place}/value-regex`);
  return (itsKey, itsValue) => key(itsKey) && value(itsValue);
}

const nothing: Pairs = [];
const anything = () => true;

function compileHalf(text: string | undefined, pattern: string | undefined, at: string): (found: string) => boolean {
  if (text !== undefined) return (found) => found === text;
  return pattern === undefined ? anything : compilePattern(pattern, at);
}

/** The item is data of the job too, under this one of its two keys. */
function someData({ itemId, data = nothing }: JobState, holds: Holds): boolean {
  if (itemId !== undefined && holds('itemId', itemId)) return true;
  for (const [key, value] of data) if (holds(key, value)) return true;
  return false;
}
