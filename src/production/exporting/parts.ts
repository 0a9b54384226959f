import type { RoomContext } from '../../room/context.ts';
import { type StorageDrivers, storageDriversOf } from '../../storage/public.ts';
import type { ExportSettings } from './settings.ts';

/** Parts of the routes and jobs of exports. */
export interface ExportParts extends RoomContext<ExportSettings> {
  readonly places: StorageDrivers;
}

/** Parts with opened storages. */
export const openExportParts = (context: RoomContext<ExportSettings>): ExportParts => ({
  ...context,
  places: storageDriversOf(context),
});
