import type { Call } from '../../http/call.ts';
import type { MediaType } from '../../http/negotiation.ts';
import type { ParameterTable, QueryOf } from '../../http/parameters/parameter.ts';
import { typed } from '../../http/reply.ts';
import { type Access, type NoQuery, type Params, type Route, route } from '../../http/route.ts';
import { dotOf, type Graph } from './drawing/graph.ts';
import { pictureOf } from './drawing/picture.ts';

const dot: readonly MediaType[] = ['text/vnd.graphviz', 'text/plain'];
const picture: MediaType = 'image/png';

interface GraphRow<Q extends ParameterTable> {
  /** Path of the picture. The graph as text is below it. */
  readonly path: string;
  /** Subject of the graph, as the beginning of a sentence. */
  readonly says: string;
  readonly query?: Q;
  readonly access: Access;
  graph(call: Call<QueryOf<Q>>, params: Params): Promise<Graph>;
}

/** Routes of a graph, in the language DOT and as a picture. */
export function graphRoutes<const Q extends ParameterTable = NoQuery>(row: GraphRow<Q>): readonly Route[] {
  const { path, says, query, access, graph } = row;
  const shared = { method: 'GET', access, ...(query && { query }) } as const;
  return [
    route<string, Q>({
      ...shared,
      path,
      says: `${says} as a PNG, or in the language DOT.`,
      answers: ['text', 'bytes'],
      produces: [...dot, picture],
      async handle(call, type, params) {
        const drawn = await graph(call, params);
        if (type !== picture) return typed(type, dotOf(drawn));
        return typed(type, await pictureOf(drawn, `${call.root}${call.path}/dot`));
      },
    }),
    route<string, Q>({
      ...shared,
      path: `${path}/dot`,
      says: `${says} in the language DOT.`,
      answers: 'text',
      produces: dot,
      handle: async (call, type, params) => typed(type, dotOf(await graph(call, params))),
    }),
  ];
}
