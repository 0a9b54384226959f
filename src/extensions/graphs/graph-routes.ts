import type { MediaType } from '../../http/negotiation.ts';
import type { ParameterTable } from '../../http/parameters/parameter.ts';
import { typed } from '../../http/reply.ts';
import { type NoQuery, type Route, route } from '../../http/route.ts';
import type { GraphRow } from '../../room/graphs.ts';
import { dotOf } from './drawing/graph.ts';
import { pictureOf } from './drawing/picture.ts';

const dot: readonly MediaType[] = ['text/vnd.graphviz', 'text/plain'];
const picture: MediaType = 'image/png';

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
