import type { JobState, Pairs } from '../../events/payloads.ts';
import { badParameter } from '../../http/parameters/index.ts';
import type { Job } from '../../jobs/documents.ts';
import type { JobQuery } from '../../jobs/parameters.ts';

/** What a caller may say about the job that deletes. */
export interface JobWish {
  readonly priority: string;
  readonly data: Pairs;
}

export function jobWish({ priority, jobmetadata }: JobQuery): JobWish {
  return { priority: priority.toUpperCase(), data: jobmetadata.map(pairOf) };
}

function pairOf(text: string): Pairs[number] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw badParameter('jobmetadata', 'Expected key=value, percent-encoded', text);
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
