import { compilePattern } from '../../../core/documents/pattern.ts';
import type { Happening } from '../../../core/events/event-kinds.ts';
import type { FileState, JobState, Pairs } from '../../../core/events/payloads.ts';
import type { NotificationTrigger } from '../documents/notification-trigger.ts';
import { compileMetadata, type MetadataSource } from './metadata-filter.ts';

type JobTrigger = NonNullable<NotificationTrigger['job']>;
type JobData = NonNullable<NonNullable<JobTrigger['filter']>['jobdata']>;

interface JobSource {
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
function compileJob({ types, step, jobdata, notification }: JobSource): (job: JobState) => boolean {
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

interface FileSource {
  readonly of: 'file';
  readonly storage: string;
}

function compileFile({ storage }: FileSource): (file: FileState) => boolean {
  return (file) => file.storageId === storage;
}

/** Filter of a trigger, as plain data. `of`: the element below `trigger`. */
export type CompiledFilterSource = MetadataSource | JobSource | FileSource;

/** Tests the payload of a subscribed event. Depends only on its source, so it can be cached. */
export type TriggerFilter = (payload: Happening['payload']) => boolean;

/** Compiles a filter. Throws `bad-value` with the element for a source that `checkTrigger` refuses. */
export function compileFilter(source: CompiledFilterSource): TriggerFilter {
  if (source.of === 'job') return compileJob(source) as TriggerFilter;
  if (source.of === 'file') return compileFile(source) as TriggerFilter;
  return compileMetadata(source) as TriggerFilter;
}

/** Whether a subscription to this event, found by a selector, really means it. */
export function matches(filter: TriggerFilter | undefined, event: Pick<Happening, 'payload'>): boolean {
  return filter === undefined || filter(event.payload);
}
