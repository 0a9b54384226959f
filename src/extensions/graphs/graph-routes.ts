import { raw } from '../../http/forms.ts';
import type { MediaType } from '../../http/negotiation.ts';
import type { ParameterTable } from '../../http/parameters/read.ts';
import type { PathEntities } from '../../http/path-entity.ts';
import { typed } from '../../http/reply.ts';
import { type NoEntities, type NoQuery, type Route, route } from '../../http/route.ts';
import type { Graph, GraphNode, GraphRow } from '../../room/graphs.ts';
import type { Hooks } from '../../room/hook.ts';
import { picturesHook } from '../../room/pictures.ts';

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
  const texts = [
    ...(label === undefined ? [] : [`label=${quoted(label)}`]),
    ...(shape === undefined ? [] : [`shape=${shape}`]),
    ...(dashed === true ? ['style="dashed"'] : []),
  ];
  return texts.length === 0 ? '' : ` [${texts.join(', ')}]`;
}

/** A quotation mark ends a text, and a backslash begins what stands for something else. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"`;

const dot: readonly MediaType[] = ['text/vnd.graphviz', 'text/plain'];
const picture: MediaType = 'image/png';

/** Routes of a graph, in the language DOT and as a picture of the extension `pictures`. */
export function graphRoutes<const Q extends ParameterTable = NoQuery, const E extends PathEntities = NoEntities>(
  hooks: Hooks,
  row: GraphRow<Q, E>,
): readonly Route[] {
  const { path, says, entities, query, access, graph } = row;
  const shared = { method: 'GET', access, ...(entities && { entities }), ...(query && { query }) } as const;
  const answers = raw(['text', 'bytes'], [...dot, picture]);
  return [
    route<string, Q, E, undefined, typeof answers>({
      ...shared,
      path,
      says: `${says} as a PNG, or in the language DOT.`,
      answers,
      async handle(call, segments) {
        if (call.type !== picture) return typed(call.type, dotOf(await graph(call, segments)));
        const pictures = hooks.need(picturesHook);
        return typed(call.type, await pictures.graph(await graph(call, segments), `${call.root}${call.path}/dot`));
      },
    }),
    route<string, Q, E, undefined, typeof answers>({
      ...shared,
      path: `${path}/dot`,
      says: `${says} in the language DOT.`,
      answers: raw('text', dot),
      handle: async (call, segments) => typed(call.type, dotOf(await graph(call, segments))),
    }),
  ];
}
