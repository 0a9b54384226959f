import { bulkAccessRoutes } from '../access/bulk/routes.ts';
import { entriesOfUserRoute } from '../access/entries/of-user.ts';
import { accessRoutes } from '../access/routes.ts';
import { duplicateRoutes } from '../definitions/namespaces/duplicates/routes.ts';
import { namespaceRoutes } from '../definitions/namespaces/routes.ts';
import { definitionRoutes } from '../definitions/routes.ts';
import { metadataSchemaRoutes } from '../definitions/schema/routes.ts';
import { externalIdRoutes, shortExternalIdRoutes } from '../entities/external-ids/routes.ts';
import { below, type RouteGroup } from '../http/route-group.ts';
import { datasetRoutes } from '../metadata/datasets/routes.ts';
import { documentRoutes } from '../metadata/global-documents/routes.ts';
import { mainGroupRoutes } from '../metadata/main-groups/routes.ts';
import { metadataRoutes } from '../metadata/routes.ts';
import { placingRoutes } from '../placing/routes.ts';
import { shapeRoutes } from '../shapes/routes.ts';
import { shapeTagRoutes } from '../shapes/tags/routes.ts';
import { bulkyRoutes } from './bulky/routes.ts';
import { collectionRoutes } from './collections/routes.ts';
import { collectionKind } from './contract/collection/kind.ts';
import { itemKind } from './contract/item/kind.ts';
import { deletionLockRoutes } from './deletion-locks/routes.ts';
import { importAccessRoutes } from './importing/access/routes.ts';
import { placeholderRoutes } from './importing/routes.ts';
import { importSettingsRoutes } from './importing/settings/routes.ts';
import { usesOfFileRoutes } from './of-file/routes.ts';
import type { AssetParts } from './parts.ts';
import { collectionPlace, externalIdPlace, itemPlace } from './places.ts';
import { relationRoutes } from './relations/routes.ts';
import { itemRoutes } from './routes.ts';

export const assetRoutes = (parts: AssetParts): readonly RouteGroup[] => [
  below('metadata-field', () => definitionRoutes(parts)),
  below(['item', 'collection', 'document', 'metadata', 'metadata-lock'], () => metadataRoutes(parts)),
  below('document', () => documentRoutes(parts)),
  below('item', () => mainGroupRoutes(parts)),
  below('collection', () => collectionRoutes(parts)),
  below('item', () => itemRoutes(parts)),
  below('import', () => placeholderRoutes(parts)),
  below('import', () => importAccessRoutes(parts)),
  below('import', () => importSettingsRoutes(parts)),
  below('user', () => [entriesOfUserRoute(parts)]),
  below('item', () => bulkAccessRoutes(parts)),
  below('item', () => accessRoutes(parts, { path: '/item/:item', kind: itemKind(parts.store) })),
  below('collection', () =>
    accessRoutes(parts, { path: '/collection/:collection', kind: collectionKind(parts.store) }),
  ),
  below(['item', 'relation'], () => relationRoutes(parts)),
  below(['item', 'collection', 'library', 'file', 'storage', 'deletion-lock'], () => deletionLockRoutes(parts)),
  below('external-id', () => namespaceRoutes(parts)),
  below('external-id', () => duplicateRoutes(parts)),
  below('item', () => bulkyRoutes(parts)),
  below('metadata', () => datasetRoutes(parts)),
  below('metadata-schema', () => metadataSchemaRoutes(parts)),
  below('item', () => shapeRoutes(parts)),
  below(['file', 'storage'], () => usesOfFileRoutes(parts)),
  below('shape-tag', () => shapeTagRoutes(parts)),
  below(['item', 'collection', 'library'], () => placingRoutes(parts)),
  below('item', () => externalIdRoutes(parts, externalIdPlace(parts, itemPlace(parts)))),
  below('item', () => shortExternalIdRoutes(itemPlace(parts))),
  below('collection', () => externalIdRoutes(parts, externalIdPlace(parts, collectionPlace(parts)))),
];
