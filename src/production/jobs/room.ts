import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { jobDocument, jobListDocument } from '../../room/jobs/documents.ts';
import { jobEvents } from '../../room/jobs/events.ts';
import type { JobOrder } from '../../room/jobs/job-type.ts';
import { startedJob } from '../../room/jobs/starting/rules.ts';
import * as tables from '../../room/jobs/tables.ts';
import { changingRoutes } from './changing/routes.ts';
import { jobCommands } from './commands.ts';
import { endingRoutes } from './ending/routes.ts';
import { forgetKeysOf } from './keyed/store.ts';
import { requestKeys } from './keyed/wrap-routes.ts';
import { jobKind } from './kind.ts';
import { jobListRoutes } from './list/routes.ts';
import { jobPoolListDocument, jobPriorityDocument } from './pools/documents.ts';
import { poolRoutes } from './pools/routes.ts';
import { jobProblemListDocument } from './problems/documents.ts';
import { problemRoutes } from './problems/routes.ts';
import { jobProperties } from './properties.ts';
import { jobRetentionKind, keyedRequestsKind } from './retention/kind.ts';
import { jobsKind } from './running/kind.ts';
import { jobSearchDocument } from './search/documents.ts';
import { jobSearchRoutes } from './search/routes.ts';
import { type JobSettings, jobSettings } from './settings.ts';
import { startingRoutes } from './starting/routes.ts';
import { taskDefinitionDocument, taskDefinitionListDocument } from './tasks/documents.ts';
import { taskRoutes } from './tasks/routes.ts';
import { taskRunner } from './tasks/run-task.ts';
import { typeRoutes } from './tasks/type-routes.ts';

/** Room of long work with a visible state: copies, imports, exports, transcoding. */
export const jobs = defineRoom({
  name: 'jobs',
  settings: jobSettings,
  properties: jobProperties,
  tables,
  documents: [
    jobDocument,
    jobListDocument,
    jobSearchDocument,
    jobProblemListDocument,
    jobPoolListDocument,
    jobPriorityDocument,
    taskDefinitionDocument,
    taskDefinitionListDocument,
  ],
  events: jobEvents,
  commands: jobCommands,
  roles: ['_export', '_import', ...readAndWrite('job', 'resource', 'taskdefinition', 'vxa')],
  open(context: RoomContext<JobSettings>) {
    const { clock, jobTypes, settings } = context;
    const runner = taskRunner(context);

    function startJob(order: JobOrder) {
      const type = order.isCustom ? undefined : jobTypes().find((each) => each.type === order.type);
      if (!type && !order.isCustom) throw new Error(`Expected a type of jobs that a room declares: ${order.type}`);
      return startedJob(order, type, clock.now(), settings.maxWaitingJobs);
    }

    return {
      routes: [
        below('job', () => jobListRoutes(context)),
        below('job', () => jobSearchRoutes(context)),
        below('job', () => startingRoutes(context)),
        below('job', () => problemRoutes(context)),
        below('job', () => changingRoutes(context)),
        below('job', () => endingRoutes(context)),
        below('configuration', () => poolRoutes(context)),
        below(['jobtype', 'task-definition'], () => typeRoutes(context)),
        below('task-definition', () => taskRoutes(context)),
      ],
      services: {
        startJob,
        requestKeys: requestKeys(context),
      },
      onDelete: { user: ({ names }) => names.map((user) => forgetKeysOf({ user })) },
      entities: { '/job': jobKind(context.store) },
      workers: [jobsKind({ ...context, runner }), keyedRequestsKind(context), jobRetentionKind(context)],
    };
  },
});
