import { flag, origins, type SettingsOf, type SettingTable, setting } from '../../core/settings/kinds.ts';

export const uiSettings = {
  ui: setting(flag, true, 'Whether the web page is served below /ui/.'),
  uiMediaOrigins: setting(
    origins,
    [],
    'Origins of buckets whose media the web page may play, such as https://bucket.example.com. Empty: this service alone.',
  ),
} as const satisfies SettingTable;

export type UiSettings = SettingsOf<typeof uiSettings>;
