import { type AccessResource, placeIn } from '../../../access/public.ts';
import { choice, list, text } from '../../../http/parameters/index.ts';
import { type Route, role } from '../../../http/route.ts';
import type { ItemsContext } from '../../../items/public.ts';
import { accountOf } from '../../../security/caller.ts';
import { graphRoutes } from '../graph-routes.ts';
import { accessGraph, graphTypes } from './graph.ts';

export const accessGraphRoutes = (parts: ItemsContext, at: AccessResource): readonly Route[] =>
  graphRoutes({
    path: `${at.path}/access/graph`,
    says: `A graph of the containers of the ${at.kind.type} and its access entries,`,
    query: {
      type: list(choice('Only containers, or only entries', graphTypes)),
      users: list(text('Only the entries for these users')),
      groups: list(text('Only the entries for these groups')),
    },
    access: role('_accesscontrol_read'),
    async graph(call, params) {
      const place = await placeIn(parts, at, call, params, 'ALL');
      const { type: types = graphTypes, users, groups } = call.query;
      return accessGraph(parts.store.reader(accountOf(call)), place, { types, users, groups });
    },
  });
