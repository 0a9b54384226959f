import type { CoreSettings } from '../settings/core.ts';
import { list, type SettingsOf, type SettingTable, setting } from '../settings/kinds.ts';

/** What holds until the API configures it. */
export const configurationSettings = {
  corsOrigins: setting(list, [], 'Origins whose pages may call the API, with commas between, or "*". Empty: none.'),
} as const satisfies SettingTable;

/** These, and the settings that every room may read. */
export type ConfigurationSettings = SettingsOf<typeof configurationSettings> & CoreSettings;
