import { type Route, segment } from '../../../http/route.ts';
import { type JobRoomParts, jobTypeNamed, readTasks as read, tasksOf } from '../../../jobs/public.ts';
import { graphRoutes } from '../graph-routes.ts';
import { graphOf } from './graph.ts';

export const taskGraphRoutes = (parts: JobRoomParts): readonly Route[] =>
  graphRoutes({
    path: '/task-definition/jobtype/:type/graph',
    says: 'A graph of the steps of a job type,',
    access: read,
    async graph(_call, params) {
      const { type } = await jobTypeNamed(parts, segment(params, 'type'));
      return graphOf(type, await tasksOf(parts, type));
    },
  });
