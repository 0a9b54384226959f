import { between, type Graph, type GraphEdge, type GraphNode } from '../../room/graphs.ts';
import type { Outline, Outlined, Parts } from './outline.ts';

/** The elements of a template, each below the one that it is in, and what they wait for. */
export function templateGraph(name: string, { root }: Outline): Graph {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const byTag = new Map<string, string>();
  const waits: [string, string][] = [];

  function add(node: Outlined, id: string): void {
    const label = node.kind === 'root' ? `template ${name}` : [node.kind, ...detailsOf(node)].join(between);
    nodes.push({ id, label });
    for (const tag of node.tags) byTag.set(written(tag), id);
    for (const need of node.needs) waits.push([id, written(need)]);
    for (const [at, inner] of node.inner.entries()) {
      edges.push({ from: id, to: `${id}.${at + 1}` });
      add(inner, `${id}.${at + 1}`);
    }
  }

  add(root, '1');
  for (const [from, tag] of waits) {
    const to = byTag.get(tag);
    if (to !== undefined) edges.push({ from, to, label: tag, dashed: true });
  }
  return { name: `template ${name}`, nodes, edges };
}

const detailsOf = ({ path, shapeTag }: Outlined): readonly string[] =>
  [path, shapeTag].flatMap((parts) => (parts ? [written(parts).slice(0, 80)] : []));

const written = (parts: Parts): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{{${part[0]}}}`)).join('');
