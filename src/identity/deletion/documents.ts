import type { Job } from '../../documents/index.ts';
import { choiceParameter } from '../../http/parameter.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Parameters } from '../../security/parameters.ts';

const priorities = ['immediate', 'highest', 'high', 'medium', 'low', 'lowest'] as const;

/** What a caller may say about the job that deletes. */
export interface JobWish {
  readonly priority: string;
  readonly data: readonly { readonly key: string; readonly value: string }[];
}

export function jobWish(parameters: Parameters): JobWish {
  const priority = choiceParameter(parameters, 'priority', priorities) ?? 'medium';
  return { priority: priority.toUpperCase(), data: parameters.all('jobmetadata').map(pairOf) };
}

function pairOf(text: string): { key: string; value: string } {
  const equals = text.indexOf('=');
  if (equals > 0) return { key: text.slice(0, equals), value: text.slice(equals + 1) };
  const detail = { context: 'parameter', id: 'jobmetadata', explanation: 'Expected key=value, percent-encoded' };
  throw new ServiceError('bad-parameter', { ...detail, value: text.slice(0, 80) });
}

/** The deletion is one commit, so by the time that anybody is told of the job it has ended. */
export function deletionJob(jobId: string, user: string, started: number, finished: number, wish: JobWish): Job {
  return {
    jobId,
    user,
    started,
    finished,
    status: 'FINISHED',
    type: 'DELETE_USER',
    priority: wish.priority,
    data: wish.data.length > 0 ? wish.data : undefined,
  };
}
