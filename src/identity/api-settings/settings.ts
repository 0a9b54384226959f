import type { CoreSettings } from '../../core/settings/core.ts';
import { list, type SettingsOf, type SettingTable, setting } from '../../core/settings/kinds.ts';

/** Defaults until the API configures the service. */
export const configurationSettings = {
  corsOrigins: setting(list, [], 'Origins whose pages may call the API, with commas between, or "*". Empty: none.'),
} as const satisfies SettingTable;

/** Settings of this room, and those shared by all rooms. */
export type ConfigurationSettings = SettingsOf<typeof configurationSettings> & CoreSettings;
