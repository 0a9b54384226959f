import { flag, type SettingsOf, type SettingTable, setting } from '../../core/settings/kinds.ts';

export const runnerSettings = {
  mediaHere: setting(
    flag,
    true,
    'Whether this server transcodes and makes stills itself where no runner is free. No: runners alone do, and check media.',
  ),
} as const satisfies SettingTable;

export type RunnerSettings = SettingsOf<typeof runnerSettings>;
