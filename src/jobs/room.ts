import { defineRoom, readAndWrite } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { jobDocument, jobListDocument } from './documents.ts';
import { endingRoutes } from './ending/routes.ts';
import { jobEvents } from './events.ts';
import type { JobOrder } from './job-type.ts';
import { jobListRoutes } from './list/routes.ts';
import { jobsMigration } from './migrations/0008-jobs.ts';
import { engineMigration } from './migrations/0022-engine.ts';
import { jobsKind } from './running/kind.ts';
import { wakeJobs } from './running/wake.ts';
import { type JobSettings, jobSettings } from './settings.ts';
import { startJob } from './starting/rules.ts';
import * as tables from './tables.ts';
import { taskRunner } from './tasks/run-task.ts';

/** Work that takes long and is told of: copies, later imports, exports, transcoding. */
export const jobs = defineRoom({
  name: 'jobs',
  settings: jobSettings,
  tables,
  migrations: [jobsMigration, engineMigration],
  documents: [jobDocument, jobListDocument],
  events: jobEvents,
  roles: ['_export', '_import', ...readAndWrite('job', 'resource', 'taskdefinition', 'vxa')],
  open(house: House<JobSettings>) {
    const { clock, jobTypes } = house;
    const runner = taskRunner(house);

    function start(order: JobOrder) {
      const type = jobTypes().find((each) => each.type === order.type);
      if (!type) throw new Error(`Expected a type of jobs that a room declares: ${order.type}`);
      return startJob(order, type, clock.now());
    }

    return {
      routes: [...jobListRoutes(house), ...endingRoutes(house)],
      offices: { startJob: start, wakeJobs },
      workers: [jobsKind({ ...house, runner })],
    };
  },
});
