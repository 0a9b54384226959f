import { externalIdRoutes, shortExternalIdRoutes } from '../entities/external-ids/routes.ts';
import { keyValueRoutes } from '../entities/key-values/routes.ts';
import type { EntityResource } from '../entities/place.ts';
import { onlyReads } from '../http/call.ts';
import { type Route, segment } from '../http/route.ts';
import type { CoreContext } from '../room/context.ts';
import type { Entity } from '../room/entity.ts';
import { mergedAccessRoutes } from './access/merged-routes.ts';
import { level } from './access/rights.ts';
import { fieldAccessRoutes } from './access/routes.ts';
import { fieldRoutes } from './fields/routes.ts';
import { guardedGroup } from './groups/change.ts';
import { fieldGroupRoutes } from './groups/routes.ts';
import { fieldGroupPlace, fieldPlace } from './kinds.ts';
import { externalIdPlace } from './namespaces/give.ts';

/** Routes for metadata fields and field groups. */
export const definitionRoutes = (parts: CoreContext): readonly Route[] => [
  ...fieldRoutes(parts),
  ...fieldGroupRoutes(parts),
  ...fieldAccessRoutes(parts),
  ...mergedAccessRoutes(parts),
  ...shortExternalIdRoutes(fieldPlace(parts.store)),
  ...[fieldPlace(parts.store), guardedGroups(parts)].flatMap((place: EntityResource<Entity>) => [
    ...keyValueRoutes(parts, place),
    ...externalIdRoutes(parts, externalIdPlace(parts, place)),
  ]),
];

/** Sub-resources of a group need the same rights as the group. */
function guardedGroups({ store }: CoreContext): EntityResource<Entity> {
  const group = guardedGroup(store);
  return {
    ...fieldGroupPlace(store),
    find: async (params, call) =>
      group(onlyReads(call) ? level.read : level.write).find(segment(params, 'group'), call, params),
  };
}
