import { collectionKind, itemKind } from '../../assets/items/contract/entities.ts';
import { type ItemSettings, libraryKind } from '../../assets/items/public.ts';
import { collectionPlace, itemPlace } from '../../assets/metadata/public.ts';
import { below } from '../../http/route-group.ts';
import type { IdentitySettings } from '../../identity/public.ts';
import type { JobSettings } from '../../production/jobs/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { graphRoutesHook } from '../../room/graphs.ts';
import { hooked } from '../../room/hook.ts';
import { accessGraphRoutes } from './access-routes.ts';
import { graphRoutes } from './graph-routes.ts';
import { metadataGraphRoutes } from './metadata-routes.ts';
import { shapeGraphRoutes } from './shape-routes.ts';
import { taskGraphRoutes } from './task-routes.ts';
import { peopleGraphRoutes } from './user-routes.ts';

/** Graphs in the language DOT and as pictures. */
export const graphs = defineRoom({
  name: 'graphs',
  extension: { says: 'Graphs of users, metadata, access, shapes, job types and export templates.' },
  open(parts: RoomContext<ItemSettings & IdentitySettings & JobSettings>) {
    const { store, hooks } = parts;
    const metadataPlaces = [itemPlace(store), collectionPlace(store)];
    return {
      hooks: [hooked(graphRoutesHook, (row) => graphRoutes(hooks, row))],
      routes: [
        below('user', () => peopleGraphRoutes(parts)),
        below(['item', 'collection'], () => metadataPlaces.flatMap((resource) => metadataGraphRoutes(parts, resource))),
        below('item', () => accessGraphRoutes(parts, itemKind(store))),
        below('collection', () => accessGraphRoutes(parts, collectionKind(store))),
        below('library', () => accessGraphRoutes(parts, libraryKind(store))),
        below('item', () => shapeGraphRoutes(parts)),
        below('task-definition', () => taskGraphRoutes(parts)),
      ],
    };
  },
});
