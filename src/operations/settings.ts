import type { CoreSettings } from '../settings/core.ts';
import { type SettingsOf, type SettingTable, secret, setting } from '../settings/kinds.ts';

/** Settings of the first start. */
export const operationSettings = {
  adminPassword: setting(
    secret,
    undefined,
    'Password of the user admin when an empty database is initialised. Unset: a random one is printed once.',
  ),
} as const satisfies SettingTable;

/** These, and the settings that every room may read. */
export type OperationSettings = SettingsOf<typeof operationSettings> & CoreSettings;
