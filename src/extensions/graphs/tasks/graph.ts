import type { TaskDefinition } from '../../../jobs/public.ts';
import type { Graph } from '../../../room/graphs.ts';

/** Steps one after the other, by their numbers. Those that clean up hang on no other one. */
export function graphOf(type: string, tasks: readonly TaskDefinition[]): Graph {
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
