import { coreSettings } from '../core/settings/core.ts';
import type { SettingsOf } from '../core/settings/kinds.ts';
import {
  flagOf,
  manualOf,
  readTable,
  SettingError,
  switchesOf,
  unknownFlag,
  variableOf,
} from '../core/settings/read.ts';
import { mergeRooms } from '../room/merge-rooms.ts';
import { extensionNames } from './extensions.ts';
import { rooms } from './rooms.ts';

export { SettingError };

/** All settings of the program: shared ones, then those of each room. `portico settings` prints them. */
export const settingTable = { ...coreSettings, ...mergeRooms(rooms, 'settings') } as const;
export type Settings = SettingsOf<typeof settingTable>;

/** Flags of all settings, former ones, too. */
const settingFlags = Object.keys(settingTable).map(flagOf);

/** Refuses a flag that is neither a setting nor one of the command. */
export function requireFlag(name: string, own: readonly string[]): void {
  if (!settingFlags.includes(name) && !own.includes(name)) throw unknownFlag(name, [...own, ...settingFlags]);
}

/** Names of Boolean settings, by their flags. */
export const switches = switchesOf(settingTable);

export const settingManual = (): string => manualOf(settingTable);

/** Flags win over the environment, which wins over the defaults. Throws a SettingError that names the setting. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: ReadonlyMap<string, string> = new Map(),
): Settings {
  const settings = readTable(settingTable, environment, flags);
  const unknown = settings.without.find((name) => !extensionNames.includes(name));
  if (unknown !== undefined) {
    const extensions = extensionNames.join(', ');
    throw new SettingError(
      `Expected extensions in ${variableOf('without')}, of ${extensions}: "${unknown.slice(0, 80)}"`,
    );
  }
  for (const room of rooms) if ('checkSettings' in room) room.checkSettings(settings);
  return settings;
}
