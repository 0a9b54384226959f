import type { Route } from '../http/route.ts';
import { below, type RouteGroup } from '../http/route-group.ts';
import { externalIdRoutes, shortExternalIdRoutes } from '../room/entities/external-ids/routes.ts';
import { keyValueRoutes } from '../room/entities/key-values/routes.ts';
import { changeRoutes } from './files/changes/routes.ts';
import { fileAddresses, filePlaces } from './files/entity.ts';
import { type FileBytes, linkRoutes } from './files/link-routes.ts';
import { fileListRoutes } from './files/list/routes.ts';
import { readingRoutes } from './files/reading-routes.ts';
import { registrationRoutes } from './files/registration-routes.ts';
import { relocationRoutes } from './files/relocation-routes.ts';
import type { StorageParts } from './parts.ts';
import { storageRuleRoutes } from './storage-rules/routes.ts';
import { methodResource, storageGroupResource, storageResource } from './storages/entity.ts';
import { storageExportRoutes } from './storages/export-routes.ts';
import { storageGroupRoutes } from './storages/group-routes.ts';
import { storageMethodRoutes } from './storages/methods/routes.ts';
import { evacuationRoutes, rescanRoutes, storageListRoutes, storageRoutes } from './storages/routes.ts';

/** Routes of files, without their bytes and jobs. `bytes`: byte access for signed links. */
export function fileRoutes(parts: StorageParts, bytes?: FileBytes): readonly Route[] {
  const addresses = fileAddresses(parts.store);
  const places = filePlaces(addresses);
  return [
    ...fileListRoutes(parts),
    ...registrationRoutes(parts),
    ...readingRoutes(parts, addresses),
    ...changeRoutes(parts, addresses),
    ...relocationRoutes(parts, addresses),
    ...linkRoutes(parts, addresses, bytes),
    ...places.flatMap((place) => [...keyValueRoutes(parts, place), ...externalIdRoutes(parts, place)]),
  ];
}

/** Literal segments come before ids by themselves: the order of the lists does not matter. */
export const storageRoomRoutes = (parts: StorageParts, bytes: FileBytes): readonly RouteGroup[] => [
  below('storage', () => storageListRoutes(parts)),
  below('storage', () => storageRoutes(parts)),
  below('storage', () => rescanRoutes(parts)),
  below('storage', () => evacuationRoutes(parts)),
  below('storage', () => storageMethodRoutes(parts)),
  below('storage', () => storageGroupRoutes(parts)),
  below('storage', () => storageExportRoutes(parts)),
  below('storage', () => keyValueRoutes(parts, storageResource(parts.store))),
  below('storage', () => keyValueRoutes(parts, methodResource(parts.store, parts.settings.maxMetadataBytes))),
  below('storage', () => keyValueRoutes(parts, storageGroupResource(parts.store))),
  below('storage', () => externalIdRoutes(parts, storageResource(parts.store))),
  below('storage', () => shortExternalIdRoutes(storageResource(parts.store))),
  below(['shape-tag', 'storage-rule', 'import'], () => storageRuleRoutes(parts)),
  below(['storage', 'file', 'APInoauth'], () => fileRoutes(parts, bytes)),
];
