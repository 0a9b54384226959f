import type { Graph, GraphNode } from '../../../room/graphs.ts';

/** The graph in the language DOT, each line once. */
export function dotOf({ name, way, nodes, edges }: Graph): string {
  const lines = [
    ...(way === 'up' ? ['rankdir=BT;'] : []),
    ...nodes.map((node) => `${quoted(node.id)}${attributes(node)};`),
    ...edges.map((edge) => `${quoted(edge.from)} -> ${quoted(edge.to)}${attributes(edge)};`),
  ];
  return [`digraph ${quoted(name)} {`, ...[...new Set(lines)].map((line) => `  ${line}`), '}', ''].join('\n');
}

function attributes({ label, shape, dashed }: Partial<GraphNode>): string {
  const told = [
    ...(label === undefined ? [] : [`label=${quoted(label)}`]),
    ...(shape === undefined ? [] : [`shape=${shape}`]),
    ...(dashed === true ? ['style="dashed"'] : []),
  ];
  return told.length === 0 ? '' : ` [${told.join(', ')}]`;
}

/** A quotation mark ends a text, and a backslash begins what stands for something else. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"`;
