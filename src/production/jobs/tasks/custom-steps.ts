import type { Pairs } from '../../../core/events/payloads.ts';
import { inTime } from '../../../core/lib/clock.ts';
import { storable } from '../../../core/lib/storable.ts';
import { type Json, runScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import { nothing } from '../../../core/store/commit-plan.ts';
import type { RoomContext } from '../../../room/context.ts';
import {
  JobFails,
  type JobStep,
  type JobType,
  JobWaits,
  type LeasedJob,
  type StepResult,
  TaskFails,
} from '../../../room/jobs/job-type.ts';
import { describeJob } from '../../../room/jobs/memo.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import type { ActionCall } from '../../../spi/index.ts';

/** A custom task as a job keeps it from its start on: later changes of the task concern later jobs. */
export interface FrozenTask {
  readonly id: number;
  readonly step: number;
  readonly description: string;
  readonly script: string | null;
  /** Name of the task in its plugin. */
  readonly handler: string | null;
  readonly critical: number;
  readonly cleanup: number;
}

/** Runs custom tasks of jobs. */
export type TaskRunner = (task: FrozenTask) => Pick<JobStep, 'waits' | 'run'>;

/** The type of a job with its custom tasks between the steps of the room. A custom type has no others. */
export function wholeType(base: JobType | undefined, row: Pick<JobRow, 'type' | 'tasks'>, runner: TaskRunner): JobType {
  const tasks = row.tasks === '[]' ? [] : (JSON.parse(row.tasks) as readonly FrozenTask[]);
  const type = base ?? { ...describeJob(row.type, { memo: {} }), steps: [], restart: async () => nothing };
  if (tasks.length === 0) return type;
  const custom = tasks.map(
    (task): JobStep => ({
      step: task.step,
      description: task.description,
      critical: task.critical === 1,
      cleanup: task.cleanup === 1,
      isCustom: true,
      ...runner(task),
    }),
  );
  const taken = new Set(type.steps.map(({ step }) => step));
  const free = custom.filter(({ step }) => !taken.has(step));
  return { ...type, steps: [...type.steps, ...free].sort((one, other) => one.step - other.step) };
}

type PluginParts = Pick<RoomContext, 'clock' | 'security'>;

/** Milliseconds. The lease of the job moves on meanwhile. */
const maxLength = 600_000;

/**
 * Lets an action of a plugin carry out a task: that of the bean, like an `ejb` action of a notification. Its id is the
 * same for each attempt, so the plugin knows what it has done.
 */
async function runPlugin(
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
  const expired = new Error(`Expected the plugin "${bean}" to end within ${maxLength / 1000} s`);
  const answer = await inTime(Promise.resolve(action.perform(call)), clock, maxLength, () => {
    late.abort(expired);
    return expired;
  });
  if (answer.answer === 'delivered') return answer.text === undefined ? {} : { says: [answer.text] };
  if (answer.answer === 'refused') throw new JobFails(answer.reason);
  throw new Error(answer.reason);
}

/** Script prelude with the task's API. On one line, so that line numbers of errors match the script. */
const tools = [
  'var told={data:[],log:[],warns:false,fails:null,waits:null};var job={id:given.id,type:given.type,user:given.user,step:given.step,',
  'getId:function(){return given.id},getType:function(){return given.type},getUser:function(){return given.user},',
  'getData:function(k){for(var i=given.data.length-1;i>=0;i--)if(given.data[i][0]===String(k))return given.data[i][1];return null},',
  'setData:function(k,v){k=String(k);v=String(v);told.data.push([k,v]);given.data.push([k,v])},',
  'log:function(s){told.log.push(String(s))},warn:function(s){told.warns=true;told.log.push(String(s))},',
  'wait:function(s){told.waits=String(s)},fail:function(s){told.fails={says:String(s),fatal:false}},',
  'fatalFail:function(s){told.fails={says:String(s),fatal:true}}};',
].join('');

interface ScriptOutcome {
  readonly data: Pairs;
  readonly log: readonly string[];
  readonly warns: boolean;
  readonly fails: { readonly says: string; readonly fatal: boolean } | null;
  readonly waits: string | null;
}

const maxPairs = 100;
const maxTextLength = 4_096;

/** Throws what is wrong with a script, and runs none of it. */
export async function checkScript(script: string): Promise<void> {
  await runScript(`(function(){${script}\n})`, {}, []);
}

async function carryOut(script: string, { step }: FrozenTask, job: LeasedJob): Promise<StepResult> {
  const data = job.data.map(([key, value]): Json => [key, value]);
  const input = { id: job.id, type: job.type, user: job.user ?? null, step, data };
  const { told: outcome } = await attempt(`${tools}${script}`, { given: input });
  const { data: pairs, log, warns, fails, waits } = outcome as unknown as ScriptOutcome;
  if (fails) throw fails.fatal ? new JobFails(fails.says) : new TaskFails(fails.says);
  if (waits !== null) throw new JobWaits({ resourceType: 'SCRIPT', resourceId: String(step), requirement: waits });
  if (pairs.length > maxPairs) throw new JobFails(`Expected at most ${maxPairs} data from one script`);
  const short = pairs.map(([key, value]) => [storable(key, 200), storable(value, maxTextLength)] as const);
  return { data: short, says: log.slice(0, maxPairs), ...(warns && { warns }) };
}

async function attempt(source: string, variables: Record<string, Json>): Promise<Record<string, Json>> {
  try {
    return await runScript(source, variables, ['told']);
  } catch (error) {
    if (error instanceof ScriptFails) throw new TaskFails(error.message);
    throw error;
  }
}

/** Carries out custom tasks: scripts in the sandbox, and what plugins do. */
export function taskRunner(parts: PluginParts): TaskRunner {
  return (task) => ({
    async run(job) {
      const { handler, script, step } = task;
      if (script !== null) return carryOut(script, task, job);
      if (handler !== null) return runPlugin(parts, handler, task, job);
      throw new JobFails(`Expected a script or a plugin for step ${step}`);
    },
  });
}
