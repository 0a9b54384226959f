import { flag, type SettingsOf, type SettingTable, setting } from '../../core/settings/kinds.ts';

export const scimSettings = {
  scimAdministrators: setting(
    flag,
    false,
    'Whether identity providers may change administrators by SCIM, and put users into groups that make them administrators.',
  ),
} as const satisfies SettingTable;

export type ScimSettings = SettingsOf<typeof scimSettings>;
