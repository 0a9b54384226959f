import { inTime } from '../../../core/lib/clock.ts';
import type { RoomContext } from '../../../room/context.ts';
import { JobFails, JobWaits, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import type { ActionCall } from '../../../spi/index.ts';
import type { FrozenTask } from './frozen.ts';

export type PluginParts = Pick<RoomContext, 'clock' | 'security'>;

/** Milliseconds. The lease of the job moves on meanwhile. */
const longest = 600_000;

/**
 * Lets an action of a plugin carry out a task: that of the bean, like an `ejb` action of a notification. Its id is the
 * same for each attempt, so the plugin knows what it has done.
 */
export async function runPlugin(
  { clock, security }: PluginParts,
  handler: string,
  { step }: FrozenTask,
  job: LeasedJob,
): Promise<StepResult> {
  const at = handler.lastIndexOf('#');
  const [bean, method] = [handler.slice(0, at), handler.slice(at + 1)];
  const action = security.actions().find(({ name, className }) => name === bean || className === bean)?.action;
  const knows = action && (action.methods?.includes(method) ?? true) && (action.kinds?.includes('ejb') ?? true);
  if (!knows) throw new JobWaits({ resourceType: 'TASK', resourceId: handler, requirement: 'NoPlugin' });
  await job.begins();
  const fields = [['jobId', job.id], ['type', job.type], ['step', String(step)], ...job.data] as const;
  const late = new AbortController();
  const call: ActionCall = {
    kind: 'ejb',
    texts: { bean, method },
    data: job.data,
    event: 'job/step',
    fields,
    body: JSON.stringify({ field: fields.map(([key, value]) => ({ key, value })) }),
    contentType: 'application/json',
    notification: '',
    id: `${job.id}-${step}`,
    attempt: 1,
    test: false,
    signal: AbortSignal.any([job.signal, late.signal]),
  };
  const expired = new Error(`Expected the plugin "${bean}" to end within ${longest / 1000} s`);
  const answer = await inTime(Promise.resolve(action.perform(call)), clock, longest, () => {
    late.abort(expired);
    return expired;
  });
  if (answer.answer === 'delivered') return answer.text === undefined ? {} : { says: [answer.text] };
  if (answer.answer === 'refused') throw new JobFails(answer.reason);
  throw new Error(answer.reason);
}
