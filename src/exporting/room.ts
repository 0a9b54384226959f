import type { JobQuery } from '../jobs/parameters.ts';
import { createVault } from '../lib/vault.ts';
import { createPlaces } from '../media/places/places.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { exportLocationDocument, exportLocationListDocument } from './locations/documents.ts';
import { locationRoutes } from './locations/routes.ts';
import { exportsMigration } from './migrations/0026-exports.ts';
import type { ExportParts } from './parts.ts';
import { exportType } from './running/type.ts';
import { type ExportSettings, exportSettings } from './settings.ts';
import { exportRoutes } from './starting/routes.ts';
import * as tables from './tables.ts';

/** Copies files of items to places outside of the items. */
export const exporting = defineRoom({
  name: 'exporting',
  settings: exportSettings,
  tables,
  migrations: [exportsMigration],
  documents: [exportLocationDocument, exportLocationListDocument],
  open(house: House<ExportSettings>) {
    const { store, clock, offices, security, sharesWork, secretKey, random } = house;
    const vault = secretKey && createVault(secretKey, random);
    const places = createPlaces({ schemes: security.storages, sharesWork, vault });
    const ordering = {
      store,
      clock,
      // Offices are held once all rooms are open.
      jobNotification: (query: JobQuery) => offices.jobNotification(query),
      depthOf: (headers: Headers) => offices.depthOf(headers),
    };
    const parts: ExportParts = { ...house, places, ordering };
    return {
      routes: [...exportRoutes(parts), ...locationRoutes(parts)],
      jobTypes: [exportType(parts)],
      close: () => places.close(),
    };
  },
});
