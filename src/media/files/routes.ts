import { externalIdRoutes } from '../../entities/external-ids/routes.ts';
import { keyValueRoutes } from '../../entities/key-values/routes.ts';
import type { Route } from '../../http/route.ts';
import type { MediaParts } from '../parts.ts';
import { fileAddresses, filePlaces } from './addresses.ts';
import { changeRoutes } from './changes/routes.ts';
import { type FileBytes, linkRoutes } from './links/routes.ts';
import { fileListRoutes } from './list/routes.ts';
import { readingRoutes } from './reading/routes.ts';
import { registrationRoutes } from './registration/routes.ts';
import { relocationRoutes } from './relocation/routes.ts';

/** Routes of files, without their bytes and jobs. `bytes`: byte access for signed links. */
export function fileRoutes(parts: MediaParts, bytes?: FileBytes): readonly Route[] {
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
