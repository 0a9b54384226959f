import type { JobState, Pairs } from '../../events/payloads.ts';
import { choiceParameter } from '../../http/parameter.ts';
import type { Job } from '../../jobs/documents.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Parameters } from '../../security/parameters.ts';

const priorities = ['immediate', 'highest', 'high', 'medium', 'low', 'lowest'] as const;

/** What a caller may say about the job that deletes. */
export interface JobWish {
  readonly priority: string;
  readonly data: Pairs;
}

export function jobWish(parameters: Parameters): JobWish {
  const priority = choiceParameter(parameters, 'priority', priorities) ?? 'medium';
  return { priority: priority.toUpperCase(), data: parameters.all('jobmetadata').map(pairOf) };
}

function pairOf(text: string): Pairs[number] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  const detail = { context: 'parameter', id: 'jobmetadata', explanation: 'Expected key=value, percent-encoded' };
  throw new ServiceError('bad-parameter', { ...detail, value: text.slice(0, 80) });
}

/** A job that has ended, as it is answered. */
export function jobDocumentOf(job: JobState, priority: string, finished: number): Job {
  const { jobId, user, started, status, type, data } = job;
  return {
    jobId,
    user,
    started,
    finished,
    status,
    type,
    priority,
    data: data?.map(([key, value]) => ({ key, value })),
  };
}
