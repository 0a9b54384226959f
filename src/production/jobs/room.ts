import { externalIdPlace } from '../../assets/definitions/public.ts';
import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { externalIdRoutes } from '../../room/entities/external-ids/routes.ts';
import * as jobDocuments from '../../room/jobs/documents.ts';
import { jobEvents } from '../../room/jobs/events.ts';
import type { JobOrder } from '../../room/jobs/job-type.ts';
import { startedJob } from '../../room/jobs/rules.ts';
import * as tables from '../../room/jobs/tables.ts';
import { changingRoutes, endingRoutes } from './changing/routes.ts';
import { jobCommands } from './commands.ts';
import { jobKind, jobPlace } from './entity.ts';
import { jobListRoutes } from './list/routes.ts';
import { jobSearchDocument } from './list/search.ts';
import { jobSearchRoutes } from './list/search-routes.ts';
import { type JobSettings, jobProperties, jobSettings } from './parts.ts';
import * as poolDocuments from './pools/documents.ts';
import { poolRoutes } from './pools/routes.ts';
import { jobProblemListDocument, problemRoutes } from './problem-routes.ts';
import { jobRetentionKind, keyedRequestsKind } from './retention-work.ts';
import { jobsKind } from './running/work.ts';
import { forgetKeysOf } from './store.ts';
import { taskRunner } from './tasks/custom-steps.ts';
import * as taskDocuments from './tasks/documents.ts';
import { taskRoutes } from './tasks/routes.ts';
import { startingRoutes, typeRoutes } from './tasks/type-routes.ts';
import { requestKeys } from './wrap-routes.ts';

/** Room of long work with a visible state: copies, imports, exports, transcoding. */
export const jobs = defineRoom({
  name: 'jobs',
  settings: jobSettings,
  properties: jobProperties,
  tables,
  documents: [jobDocuments, poolDocuments, taskDocuments, { jobSearchDocument, jobProblemListDocument }],
  events: jobEvents,
  commands: globalThis.isEdgeModule ? {} : jobCommands,
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
        below('job', () => externalIdRoutes(context, externalIdPlace(context, jobPlace(context.store)))),
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
