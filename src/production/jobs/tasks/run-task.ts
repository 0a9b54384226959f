import type { Pairs } from '../../../core/events/payloads.ts';
import { type Json, runScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import { JobFails, JobWaits, type LeasedJob, type StepResult, TaskFails } from '../../../room/jobs/job-type.ts';
import type { FrozenTask, TaskRunner } from './frozen.ts';
import { type PluginParts, runPlugin } from './run-plugin.ts';

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

const mostPairs = 100;
const longestText = 4_096;

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
  if (pairs.length > mostPairs) throw new JobFails(`Expected at most ${mostPairs} data from one script`);
  const short = pairs.map(([key, value]) => [key.slice(0, 200), value.slice(0, longestText)] as const);
  return { data: short, says: log.slice(0, mostPairs), ...(warns && { warns }) };
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
