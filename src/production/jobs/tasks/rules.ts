import { ServiceError } from '../../../core/lib/errors.ts';
import type { JobType } from '../../../room/jobs/job-type.ts';
import { customTask, type Dependency, type TaskDefinition } from './documents.ts';
import type { TaskDefinitionRow } from './store.ts';

const lastStep = 1_000_000;
const maxScriptLength = 64 * 1024;
const maxTextLength = 4_096;

const bad = (field: string, explanation: string): ServiceError =>
  new ServiceError('bad-value', { context: `/TaskDefinitionDocument/${field}`, explanation });

export const noSuchTask = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'TaskDefinition', id: id.slice(0, 80) });

export const noSuchType = (type: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'JobType', id: type.slice(0, 80) });

export const stepTaken = (type: string, step: number, by: string): ServiceError =>
  new ServiceError('already-exists', {
    type: 'TaskDefinition',
    id: `${type}/${step}`,
    explanation: `Expected a free step of ${type}: ${step} is taken by "${by}"`,
  });

/** Names are in capitals, and lists of jobs find them by either. */
export function typeName(text: string): string {
  const name = text.trim().toUpperCase();
  if (/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) return name;
  const explanation = `Expected the name of a type of jobs, of letters, digits and "_": "${text.slice(0, 80)}"`;
  throw new ServiceError('bad-value', { context: 'path', explanation });
}

export const [firstTypeId, lastTypeId] = [20_000, 30_000];

/** `given`: where the type and the step are in the path. */
interface TaskPosition {
  readonly id: number;
  readonly type?: string | undefined;
  readonly step?: number | undefined;
}

/** A task as its row. Throws the refusal of one that could never run. */
export function taskFrom(task: TaskDefinition, { id, type, step: number }: TaskPosition): TaskDefinitionRow {
  const step = number ?? task.step;
  if (step === undefined || step < 1 || step > lastStep) {
    throw bad('step', `Expected a number from 1 to ${lastStep}: "${step ?? ''}"`);
  }
  const jobType = type ?? (task.jobType === undefined ? undefined : typeName(task.jobType));
  if (jobType === undefined) throw bad('jobType', 'Expected the type of jobs that the task is for');
  const { script, bean, method, critical = true, cleanup = false, description = `Step ${step}` } = task;
  const handler = bean === undefined || bean === '' ? '' : `${bean}#${method ?? ''}`;
  if (script === undefined && handler === '') throw bad('script', 'Expected a script, or bean and method of a plugin');
  if (script !== undefined && handler !== '') throw bad('script', 'Expected a script or a plugin, and not both');
  if ((script?.length ?? 0) > maxScriptLength) throw bad('script', `Expected at most ${maxScriptLength} characters`);
  for (const text of [description, handler, task.extradata]) {
    if ((text?.length ?? 0) > maxTextLength)
      throw bad('description', `Expected texts of at most ${maxTextLength} characters`);
  }
  for (const [name, dependency] of Object.entries({
    dependency: task.dependency,
    parallelDependency: task.parallelDependency,
  })) {
    checkDependency(name, step, dependency);
  }
  const { metadata: _kept, id: _given, ...rest } = task;
  const document = { flags: 0, plugin: script === undefined, ...rest, description, step, jobType, critical, cleanup };
  return {
    id,
    jobType,
    step,
    description,
    script: script ?? null,
    handler: script === undefined ? handler : null,
    critical: critical ? 1 : 0,
    cleanup: cleanup ? 1 : 0,
    document: JSON.stringify(document),
  };
}

/** Steps run by their numbers, so a step can only wait for one before it. */
function checkDependency(name: string, step: number, dependency: Dependency | undefined): void {
  if (dependency?.step === undefined || dependency.step < step) return;
  throw bad(`${name}/step`, `Expected a step before ${step}: "${dependency.step}"`);
}

/** A step of the release keeps its number. */
export function checkFree(types: readonly JobType[], { jobType, step }: TaskDefinitionRow): void {
  const system = types.find(({ type }) => type === jobType)?.steps.find((each) => each.step === step);
  if (system) throw stepTaken(jobType, step, system.description);
}

export const withScript = (row: TaskDefinitionRow, script: string): TaskDefinition => {
  const { bean: _bean, method: _method, plugin: _plugin, ...task } = customTask(row);
  return { ...task, script };
};

export const isOfRelease = (id: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'path',
    explanation: `Expected a task that was added: ${id} belongs to the service`,
  });
