import type { JobDocument, JobProblemListDocument } from 'portico/types';
import { lengthText } from '../../texts/clock.ts';
import { type Key, t } from '../../texts/index.ts';

type JobGroup = 'open' | 'failed' | 'done' | 'all';

/** States of each group of the filter. */
const statesOf: Readonly<Record<JobGroup, readonly string[]>> = {
  open: ['READY', 'STARTED', 'WAITING', 'HOLD', 'ABORTED_PENDING'],
  failed: ['FAILED_TOTAL', 'ABORTED'],
  done: ['FINISHED', 'FINISHED_WARNING'],
  all: [],
};
export const groups = Object.keys(statesOf) as readonly JobGroup[];

/** How a state looks. Undefined: nothing is to be said of it. */
export type Tone = 'live' | 'good' | 'warn' | 'bad' | undefined;
const tones: Readonly<Record<string, Tone>> = {
  STARTED: 'live',
  FINISHED: 'good',
  FINISHED_WARNING: 'warn',
  WAITING: 'warn',
  FAILED_RETRY: 'warn',
  FAILED_TOTAL: 'bad',
  FAILED_FATAL: 'bad',
  ABORTED: 'bad',
  DISAPPEARED: 'warn',
};
export const toneOf = (state: string): Tone => tones[state];

export const isOpen = ({ status }: Pick<JobDocument, 'status'>): boolean => statesOf.open.includes(status);
/** Whether it moves without an event. */
export const isRunning = ({ status }: Pick<JobDocument, 'status'>): boolean =>
  status === 'STARTED' || status === 'ABORTED_PENDING';
export const hasFailed = ({ status }: Pick<JobDocument, 'status'>): boolean => statesOf.failed.includes(status);

/** Why a job failed, or what it warns of. An attempt that has finished may have a warning, too. */
export const reasonOf = ({ log }: JobDocument): string | undefined =>
  log?.task?.findLast(({ errorMessage }) => errorMessage)?.errorMessage;

/** A reason in words for everybody where it is a common one. Others are as the service says, without an id at the end. */
export function plainReason(reason: string): string {
  if (/it is cut|\(moov\)|the file is empty/.test(reason)) return t('jobs.incomplete');
  const [, limit] = /^(.+)\. An administrator can change this quota rule/.exec(reason) ?? [];
  if (limit !== undefined) return t('jobs.quota', { limit });
  if (/is of no known format|media that ffmpeg reads/.test(reason)) return t('jobs.unreadable');
  return reason.replace(/: \w+-\d+$/, '');
}

/** The newest of some jobs that has something to say: it failed, or it has finished and warns. */
export const complaintOf = (jobs: readonly JobDocument[]): JobDocument | undefined =>
  jobs.find(
    (job) => job.status === 'FAILED_TOTAL' || (job.status === 'FINISHED_WARNING' && reasonOf(job) !== undefined),
  );

export const priorities = ['IMMEDIATE', 'HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'] as const;

type Data = Pick<JobDocument, 'data'>;
export const datum = ({ data = [] }: Data, key: string): string | undefined =>
  data.find((each) => each.key === key)?.value;

export const itemOf = (job: Data): string | undefined => datum(job, 'itemId') ?? datum(job, 'item');

/** Data that requests ask for: all, with the name of the item. */
export const jobData = { field: '*,itemName' };

/** Name of the item, file or address that a job is about. */
export function subjectOf(job: Data): string | undefined {
  const named = datum(job, 'itemName') ?? datum(job, 'originalFilename');
  if (named) return named;
  const uri = datum(job, 'uri') ?? datum(job, 'destinationUri');
  return uri === undefined ? undefined : (uri.split('/').filter(Boolean).at(-1) ?? uri);
}

/** "Import of Trailer.mp4". */
export function jobName(job: Data & Pick<JobDocument, 'type'>): string {
  const name = subjectOf(job);
  return name === undefined ? typeWords(job.type) : t('jobs.named', { type: typeWords(job.type), name });
}

/** A step, in parts of a whole. Undefined: it does not say how far it is. */
export function shareOf(progress: { readonly value: number; readonly total?: number | undefined } | undefined) {
  if (!progress?.total) return undefined;
  return Math.min(1, Math.max(0, progress.value / progress.total));
}

/** Percent of the running step: what the job says of it, or what its attempts have. */
export function stepPercent(job: JobDocument): number | undefined {
  const percent = Number(datum(job, 'transcodeProgress'));
  if (Number.isFinite(percent) && percent > 0 && percent <= 100) return Math.floor(percent);
  const running = (job.log?.task ?? []).findLast(({ status }) => status === 'STARTED');
  const share = shareOf(running?.progress);
  return share === undefined ? undefined : Math.floor(share * 100);
}

/** Percent of all steps. A step that does not say how far it is counts as half. */
export function jobPercent(job: JobDocument, step = stepPercent(job)): number {
  if (job.status === 'FINISHED' || job.status === 'FINISHED_WARNING') return 100;
  const { currentStep, totalSteps = 0 } = job;
  if (!currentStep || totalSteps === 0) return 0;
  const before = Math.max(0, currentStep.number - 1);
  const own =
    currentStep.status === 'FINISHED'
      ? 1
      : step === undefined
        ? currentStep.status === 'STARTED'
          ? 0.5
          : 0
        : step / 100;
  return Math.min(99, Math.floor((100 * (before + own)) / totalSteps));
}

/** Milliseconds that a job took, or has taken so far. */
export function durationOf(
  { started, finished }: Pick<JobDocument, 'started' | 'finished'>,
  now: number,
): number | undefined {
  if (started === undefined) return undefined;
  return Math.max(0, (finished === undefined ? now : Date.parse(finished)) - Date.parse(started));
}

/** `1:02:03`, or `4 s` below a minute. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : lengthText(seconds);
}

export interface JobFilter {
  readonly group: JobGroup;
  readonly type: string;
  /** Jobs of everybody, for those who may read them. */
  readonly all: boolean;
  readonly item: string;
  readonly page: number;
}

export function filterFrom(query: Readonly<Record<string, string>>): JobFilter {
  const group = query['state'] as JobGroup | undefined;
  return {
    group: group !== undefined && groups.includes(group) ? group : 'all',
    type: query['type'] ?? '',
    all: query['mine'] !== 'true',
    item: query['item'] ?? '',
    page: Math.max(1, Number(query['page']) || 1),
  };
}

export const pageSize = 50;

/** Parameters of `GET /job`. `mayAll`: whether the caller may read jobs of others. */
export function jobQuery({ group, type, all, item, page }: JobFilter, mayAll: boolean): Record<string, string> {
  return {
    ...jobData,
    step: 'true',
    user: String(!(all && mayAll)),
    sort: 'jobId desc',
    number: String(pageSize),
    first: String((page - 1) * pageSize + 1),
    ...(statesOf[group].length > 0 && { state: statesOf[group].join(',') }),
    ...(type !== '' && { type }),
    ...(item !== '' && { jobmetadata: `itemId=${item}` }),
  };
}

type Problem = NonNullable<JobProblemListDocument['problem']>[number];

/** Where a person can do something about a problem. */
export function placeOfProblem({ data = [] }: Problem): string | undefined {
  const of = (key: string) => data.find((each) => each.key === key)?.value;
  const [storage, item] = [of('storageId'), of('itemId')];
  return storage ? `/storage/${storage}` : item ? `/item/${item}` : undefined;
}

/** Words of a code, or the code in small letters where this page knows none. */
function words(codes: readonly string[], code: string, key: string): string {
  if (codes.includes(code)) return t(key as Key);
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const states = [
  ...[
    'READY',
    'STARTED',
    'WAITING',
    'HOLD',
    'ABORTED_PENDING',
    'FINISHED',
    'FINISHED_WARNING',
    'FAILED_TOTAL',
    'ABORTED',
  ],
  ...['FAILED_RETRY', 'FAILED_FATAL', 'DISAPPEARED', 'NONE'],
];
export const stateWords = (state: string): string => words(states, state, `jobs.state.${state}`);

export const jobTypes = [
  ...['PLACEHOLDER_IMPORT', 'RAW_IMPORT', 'AUTO_IMPORT', 'SHAPE_IMPORT', 'ESSENCE_VERSION', 'SIDECAR_IMPORT'],
  ...[
    'TRANSCODE',
    'SHAPE_UPDATE',
    'THUMBNAIL',
    'ANALYZE',
    'EXPORT',
    'LIST_ITEMS',
    'COPY_FILE',
    'MOVE_FILE',
    'DELETE_FILE',
  ],
  ...['DELETE_LIBRARY', 'UPDATE_LIBRARY_ITEM_METADATA', 'TIMELINE'],
];
export const typeWords = (type: string): string => words(jobTypes, type, `jobs.type.${type}`);

const problems = ['StorageFull', 'StorageOffline', 'FileMissing', 'NoTranscoder'];
export const problemWords = (type: string): string =>
  problems.includes(type) ? t(`jobs.problem.${type}` as Key) : type;

export const priorityWords = (priority: string): string => words(priorities, priority, `jobs.priority.${priority}`);
