import { externalIdRoutes, shortExternalIdRoutes } from '../entities/external-ids/routes.ts';
import type { Route } from '../http/route.ts';
import { bulkAccessRoutes } from './access/bulk/routes.ts';
import { entriesOfUserRoute } from './access/entries/of-user.ts';
import { accessGraphRoutes } from './access/graph/routes.ts';
import { accessRoutes } from './access/routes.ts';
import { autoProjectionRoutes } from './auto-projections/routes.ts';
import { bulkyRoutes } from './bulky/routes.ts';
import { captionRoutes } from './captions/routes.ts';
import { collectionKind } from './collections/kinds.ts';
import { collectionRoutes } from './collections/routes.ts';
import { datasetRoutes } from './datasets/routes.ts';
import { definitionRoutes } from './definitions/routes.ts';
import { importAccessRoutes } from './importing/access/routes.ts';
import { placeholderRoutes } from './importing/routes.ts';
import { importSettingsRoutes } from './importing/settings/routes.ts';
import { itemKind } from './items/kinds.ts';
import { itemRoutes } from './items/routes.ts';
import { deletionLockRoutes } from './locks/routes.ts';
import { mainGroupRoutes } from './metadata/main-groups/routes.ts';
import { metadataRoutes } from './metadata/routes.ts';
import { documentRoutes } from './metadata-documents/routes.ts';
import { metadataSchemaRoutes } from './metadata-schema/routes.ts';
import { duplicateRoutes } from './namespaces/duplicates/routes.ts';
import { namespaceRoutes } from './namespaces/routes.ts';
import type { AssetParts } from './parts.ts';
import { collectionPlace, externalIdPlace, itemPlace } from './places.ts';
import { placingRoutes } from './placing/routes.ts';
import { projectionRoutes } from './projections/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { projectVersionRoutes } from './projects/versions/routes.ts';
import { relationRoutes } from './relations/routes.ts';
import { schemaMigrationRoutes } from './schema-migrations/routes.ts';
import { sequenceRoutes } from './sequences/routes.ts';
import { shapeTagRoutes } from './shape-tags/routes.ts';
import { usesOfFileRoutes } from './shapes/of-file/routes.ts';
import { shapeRoutes } from './shapes/routes.ts';

export const assetRoutes = (parts: AssetParts): readonly Route[] => [
  ...definitionRoutes(parts),
  ...metadataRoutes(parts),
  ...captionRoutes(parts),
  ...documentRoutes(parts),
  ...mainGroupRoutes(parts),
  ...collectionRoutes(parts),
  ...itemRoutes(parts),
  ...placeholderRoutes(parts),
  ...importAccessRoutes(parts),
  ...importSettingsRoutes(parts),
  entriesOfUserRoute(parts),
  ...bulkAccessRoutes(parts),
  ...accessGraphRoutes(parts, { path: '/item/:item', kind: itemKind(parts.store) }),
  ...accessGraphRoutes(parts, { path: '/collection/:collection', kind: collectionKind(parts.store) }),
  ...accessRoutes(parts, { path: '/item/:item', kind: itemKind(parts.store) }),
  ...accessRoutes(parts, { path: '/collection/:collection', kind: collectionKind(parts.store) }),
  ...relationRoutes(parts),
  ...deletionLockRoutes(parts),
  ...namespaceRoutes(parts),
  ...duplicateRoutes(parts),
  ...bulkyRoutes(parts),
  ...datasetRoutes(parts),
  ...metadataSchemaRoutes(parts),
  ...schemaMigrationRoutes(parts),
  ...projectRoutes(parts),
  ...projectVersionRoutes(parts),
  ...projectionRoutes(parts),
  ...autoProjectionRoutes(parts),
  ...sequenceRoutes(parts),
  ...shapeRoutes(parts),
  ...usesOfFileRoutes(parts),
  ...shapeTagRoutes(parts),
  ...placingRoutes(parts),
  ...externalIdRoutes(parts, externalIdPlace(parts, itemPlace(parts))),
  ...shortExternalIdRoutes(parts, itemPlace(parts)),
  ...externalIdRoutes(parts, externalIdPlace(parts, collectionPlace(parts))),
];
