import { type Route, segment } from '../../http/route.ts';
import {
  type JobRoomParts,
  jobTypeNamed,
  readTasks as read,
  type TaskDefinition,
  tasksOf,
} from '../../production/jobs/public.ts';
import type { Graph } from '../../room/graphs.ts';
import { graphRoutes } from './graph-routes.ts';

/** Steps one after the other, by their numbers. Those that clean up hang on no other one. */
function graphOf(type: string, tasks: readonly TaskDefinition[]): Graph {
  const main = tasks.filter(({ cleanup }) => cleanup !== true);
  return {
    name: type,
    nodes: tasks.map(({ step, description = '', cleanup }) => ({
      id: `s${step}`,
      label: `${step} ${description}`,
      dashed: cleanup,
    })),
    edges: main.slice(1).map(({ step }, index) => ({ from: `s${main[index]!.step}`, to: `s${step}` })),
  };
}

export const taskGraphRoutes = (parts: JobRoomParts): readonly Route[] =>
  graphRoutes(parts.hooks, {
    path: '/task-definition/jobtype/:type/graph',
    says: 'A graph of the steps of a job type,',
    access: read,
    async graph(_call, params) {
      const { type } = await jobTypeNamed(parts, segment(params, 'type'));
      return graphOf(type, await tasksOf(parts, type));
    },
  });
