import { guardedEntity } from '../../../access/public.ts';
import { choice, list, text } from '../../../http/parameters/index.ts';
import { type Route, role } from '../../../http/route.ts';
import type { ItemsContext } from '../../../items/public.ts';
import type { Entity, EntityKind } from '../../../room/entity.ts';
import { accountOf } from '../../../security/caller.ts';
import { graphRoutes } from '../graph-routes.ts';
import { accessGraph, graphTypes } from './graph.ts';

export const accessGraphRoutes = <E extends Entity>({ store }: ItemsContext, kind: EntityKind<E>): readonly Route[] =>
  graphRoutes({
    path: `/${kind.type}/:${kind.type}/access/graph`,
    says: `A graph of the containers of the ${kind.type} and its access entries,`,
    entities: { [kind.type]: guardedEntity(store, kind)('ALL') },
    query: {
      type: list(choice('Only containers, or only entries', graphTypes)),
      users: list(text('Only the entries for these users')),
      groups: list(text('Only the entries for these groups')),
    },
    access: role('_accesscontrol_read'),
    async graph(call, { [kind.type]: entity }) {
      const { type: types = graphTypes, users, groups } = call.query;
      return accessGraph(store.reader(accountOf(call)), { type: kind.type, id: entity!.id }, { types, users, groups });
    },
  });
