import type { ItemSettings } from '../../assets/items/public.ts';
import { constant, list, type SettingsOf, setting } from '../../core/settings/kinds.ts';
import type { MediaSettings } from '../../storage/public.ts';
import type { CheckingSettings } from '../checking/public.ts';

/** Settings of imports. */
export const ingestSettings = {
  importRoots: setting(
    list,
    [],
    'Folders whose files callers may import by their address, with commas between, beside the folders of storages.',
  ),
  passkeyHours: constant(24, 'Hours until the passkey of an import that nobody has used expires.'),
};

export type IngestSettings = SettingsOf<typeof ingestSettings> & MediaSettings & ItemSettings & CheckingSettings;
