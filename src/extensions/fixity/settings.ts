import { constant, mebibyte, type SettingsOf, type SettingTable } from '../../core/settings/kinds.ts';
import type { StorageSettings } from '../../storage/public.ts';

export const fixitySettings = {
  fixityRange: constant(
    256 * mebibyte,
    'Bytes of a file that are read again in one request, a multiple of 64. A check that was cut off goes on behind them.',
  ),
  fixityReaders: constant(4, 'Storages whose files one instance reads again concurrently.'),
} as const satisfies SettingTable;

export type FixitySettings = StorageSettings & SettingsOf<typeof fixitySettings>;
