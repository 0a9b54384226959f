import { externalIdRoutes, shortExternalIdRoutes } from '../entities/external-ids/routes.ts';
import { keyValueRoutes } from '../entities/key-values/routes.ts';
import type { EntityResource } from '../entities/place.ts';
import type { Route } from '../http/route.ts';
import type { CoreContext } from '../room/context.ts';
import type { Entity } from '../room/entity.ts';
import { mergedAccessRoutes } from './access/merged-routes.ts';
import { fieldAccessRoutes } from './access/routes.ts';
import { fieldRoutes } from './fields/routes.ts';
import { fieldGroupPlace } from './groups/change.ts';
import { fieldGroupRoutes } from './groups/routes.ts';
import { fieldPlace } from './kinds.ts';
import { externalIdPlace } from './namespaces/give.ts';

/** Routes for metadata fields and field groups. */
export const definitionRoutes = (parts: CoreContext): readonly Route[] => [
  ...fieldRoutes(parts),
  ...fieldGroupRoutes(parts),
  ...fieldAccessRoutes(parts),
  ...mergedAccessRoutes(parts),
  ...shortExternalIdRoutes(fieldPlace(parts.store)),
  ...[fieldPlace(parts.store), fieldGroupPlace(parts.store)].flatMap((place: EntityResource<Entity>) => [
    ...keyValueRoutes(parts, place),
    ...externalIdRoutes(parts, externalIdPlace(parts, place)),
  ]),
];
