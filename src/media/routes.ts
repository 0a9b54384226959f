import { externalIdRoutes, shortExternalIdRoutes } from '../entities/external-ids/routes.ts';
import { keyValueRoutes } from '../entities/key-values/routes.ts';
import type { Route } from '../http/route.ts';
import type { FileBytes } from './files/links/routes.ts';
import { fileRoutes } from './files/routes.ts';
import type { MediaParts } from './parts.ts';
import { storageRuleRoutes } from './rules/routes.ts';
import { evacuationRoutes } from './storages/evacuation/routes.ts';
import { storageExportRoutes } from './storages/export/routes.ts';
import { storageGroupRoutes } from './storages/groups/routes.ts';
import { groupPlace, methodPlace, storagePlace } from './storages/kinds.ts';
import { storageListRoutes } from './storages/list/routes.ts';
import { storageMethodRoutes } from './storages/methods/routes.ts';
import { storageRoutes } from './storages/routes.ts';
import { rescanRoutes } from './storages/scans/routes.ts';

/** Literal segments come before ids by themselves: the order of the lists does not matter. */
export const mediaRoutes = (parts: MediaParts, bytes: FileBytes): readonly Route[] => [
  ...storageListRoutes(parts),
  ...storageRoutes(parts),
  ...rescanRoutes(parts),
  ...evacuationRoutes(parts),
  ...storageMethodRoutes(parts),
  ...storageGroupRoutes(parts),
  ...storageExportRoutes(parts),
  ...keyValueRoutes(parts, storagePlace(parts.store)),
  ...keyValueRoutes(parts, methodPlace(parts.store, parts.settings.maxMetadataBytes)),
  ...keyValueRoutes(parts, groupPlace(parts.store)),
  ...externalIdRoutes(parts, storagePlace(parts.store)),
  ...shortExternalIdRoutes(parts, storagePlace(parts.store)),
  ...storageRuleRoutes(parts),
  ...fileRoutes(parts, bytes),
];
