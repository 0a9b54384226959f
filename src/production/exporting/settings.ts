import type { ItemSettings } from '../../assets/items/public.ts';
import { constant, list, type SettingsOf, setting } from '../../core/settings/kinds.ts';

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
