import type { ItemSettings } from '../../assets/items/public.ts';
import { constant, list, type SettingsOf, setting } from '../../core/settings/kinds.ts';
import type { RoomContext } from '../../room/context.ts';
import { type StorageDrivers, storageDriversOf } from '../../storage/public.ts';

/** Settings of exports. */
export const exportSettings = {
  exportRoots: setting(
    list,
    [],
    'Folders below which exports may write, with commas between, beside those of PORTICO_STORAGE_ROOTS.',
  ),
  maxExportFiles: constant(100_000, 'Maximum number of files of one export.'),
};

export type ExportSettings = ItemSettings & SettingsOf<typeof exportSettings>;

/** Parts of the routes and jobs of exports. */
export interface ExportParts extends RoomContext<ExportSettings> {
  readonly places: StorageDrivers;
}

/** Parts with opened storages. */
export const openExportParts = (context: RoomContext<ExportSettings>): ExportParts => ({
  ...context,
  places: storageDriversOf(context),
});
