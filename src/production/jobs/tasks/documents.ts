import {
  attribute,
  boolean,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { simpleMetadata } from '../../../core/documents/index.ts';
import type { JobStep } from '../../../room/jobs/job-type.ts';
import type { TaskDefinitionRow } from './store.ts';

const dependency = structure('TaskDefinitionDependency', {
  step: element(integer),
  previous: element(boolean).says('The previous step.'),
  allPrevious: element(boolean).says('All previous steps.'),
});
export type Dependency = Value<typeof dependency>;

const taskFields = structure('TaskDefinitionType', {
  description: element(string),
  extradata: element(string),
  flags: element(integer).says('Stored, without effect.'),
  bean: element(string).says('With method: the name of the task in a plugin.'),
  method: element(string),
  plugin: element(boolean),
  script: element(string).says('Script of the task, in JavaScript.'),
  step: element(integer).says('Number of the step in its job type.'),
  dependency: element(dependency).says(
    'Steps before this one. All steps run one by one, in the order of their numbers.',
  ),
  parallelDependency: element(dependency),
  jobType: element(string),
  cleanup: element(boolean).says('True: runs only if the job fails or is aborted.'),
  critical: element(boolean).says('False: if the task fails, the job continues and ends as FINISHED_WARNING.'),
  metadata: element(simpleMetadata),
  id: attribute(integer),
});

export const taskDefinitionDocument = document('TaskDefinitionDocument', taskFields);
export type TaskDefinition = Value<typeof taskDefinitionDocument>;

export const taskDefinitionListDocument = document('TaskDefinitionListDocument', {
  task: list(taskFields).max(1000),
  uri: list(string).says('In answers: the added steps. Some clients read this element, others read task.'),
});

/** A task that administrators added, as they sent it. */
export const customTask = (row: TaskDefinitionRow): TaskDefinition => ({
  ...(JSON.parse(row.document) as TaskDefinition),
  id: row.id,
});

/** Built-in task of a job type, which cannot be changed. */
export const systemTask = (jobType: string, { step, description, critical = true, cleanup = false }: JobStep) => ({
  id: systemTaskId(jobType, step),
  description,
  flags: 0,
  plugin: false,
  step,
  jobType,
  cleanup,
  critical,
});

/** First id of system tasks, above those of custom tasks. Ids stay the same in all releases. */
const firstSystemId = 1_000_000_000;

function systemTaskId(jobType: string, step: number): number {
  let hash = 0x811c9dc5;
  for (const letter of `${jobType}/${step}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return firstSystemId + hash;
}

export const isSystemId = (id: number): boolean => id >= firstSystemId;
