import {
  attribute,
  content,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { facet } from '../../core/documents/shared-documents.ts';

const progress = element(
  structure('JobTaskProgressType', {
    value: content(integer).required,
    total: attribute(integer),
    unit: attribute(string),
  }),
);

const subTaskFields = structure('JobSubTaskType', {
  step: element(integer).required,
  attempts: element(integer).required,
  status: element(string).required,
  timestamp: element(dateTime),
  description: element(string),
  progress,
  errorMessage: element(string),
  id: attribute(integer),
});

const taskFields = structure('JobTaskType', {
  step: element(integer).required.says('Number of the step in its job type.'),
  attempts: element(integer).required.says('Number of earlier attempts.'),
  status: element(string).required,
  timestamp: element(dateTime),
  description: element(string),
  progress,
  subStep: list(
    structure('JobSubStepType', { timestamp: element(dateTime).required, description: element(string).required }),
  ),
  errorMessage: element(string),
  totalSubTasks: element(integer).says('Number of sub-tasks of the step.'),
  subTask: list(subTaskFields).says('Sub-tasks that the job has so far.'),
  id: attribute(integer),
});

export const jobFields = structure('JobType', {
  jobId: element(string).required,
  user: element(string).says('User who started the job.'),
  started: element(dateTime),
  finished: element(dateTime),
  status: element(string).required,
  type: element(string).required,
  priority: element(string).required,
  waiting: element(
    structure('JobWaitingType', {
      resourceId: element(string),
      resourceType: element(string),
      requirement: element(string),
    }),
  ).says('Resource that the job waits for.'),
  currentStep: element(
    structure('JobStepType', {
      description: element(string).required,
      number: element(integer).required.says('Number of steps that have started.'),
      status: element(string).required,
    }),
  ),
  data: list(structure('JobDataType', { key: element(string).required, value: element(string) })),
  totalSteps: element(integer),
  log: element(structure('JobLogType', { task: list(taskFields) })),
});

export const jobDocument = document('JobDocument', jobFields);
export type Job = Value<typeof jobDocument>;

export const jobListDocument = document('JobListDocument', {
  hits: element(integer),
  job: list(jobFields),
  facet: list(facet).outputOnly.says('Facets of a search.'),
});
