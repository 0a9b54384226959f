import type { TaskDefinition } from './documents.ts';

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').replace(/[\r\n]+/g, ' ')}"`;

/** Steps one after the other, by their numbers. Those that clean up hang on no other one. */
export function dotOf(type: string, tasks: readonly TaskDefinition[]): string {
  const nodes = tasks.map(({ step, description = '', cleanup }) => {
    const style = cleanup === true ? ', style=dashed' : '';
    return `  s${step} [label=${quoted(`${step} ${description}`)}${style}];`;
  });
  const main = tasks.filter(({ cleanup }) => cleanup !== true);
  const edges = main.slice(1).map(({ step }, index) => `  s${main[index]!.step} -> s${step};`);
  return [`digraph ${quoted(type)} {`, ...nodes, ...edges, '}', ''].join('\n');
}
