import type { CoreSettings } from '../../core/settings/core.ts';
import { type SettingsOf, type SettingTable, secret, setting } from '../../core/settings/kinds.ts';

/** Settings of the first start. */
export const operationSettings = {
  adminPassword: setting(
    secret,
    undefined,
    'Password of the user admin when an empty database is initialised. Unset: a random one is printed once.',
  ),
} as const satisfies SettingTable;

/** Settings of this room, and those shared by all rooms. */
export type OperationSettings = SettingsOf<typeof operationSettings> & CoreSettings;
