import type { Clock } from '../../core/lib/clock.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import { list, type SettingsOf, type SettingTable, setting } from '../../core/settings/kinds.ts';
import type { Store } from '../../core/store/store.ts';
import type { KnownProperties } from '../../room/properties.ts';
import type { OAuth2Configuration, OAuth2Problem, OAuth2Setup } from '../../spi/index.ts';

/** Defaults until the API configures the service. */
export const configurationSettings = {
  corsOrigins: setting(list, [], 'Origins whose pages may call the API, with commas between, or "*". Empty: none.'),
} as const satisfies SettingTable;

/** Settings of this room, and those shared by all rooms. */
export type ConfigurationSettings = SettingsOf<typeof configurationSettings> & CoreSettings;

/** Parts of the routes of the API settings. */
export interface ConfigurationParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Properties that rooms listen to. */
  readonly properties: KnownProperties;
  readonly settings: Pick<ConfigurationSettings, 'maxPage' | 'maxPageValues'>;
  /** Current OAuth2 setup, as for the bearer filter. */
  oauth2(): Maybe<OAuth2Setup>;
  /** Problems that the bearer filter has with a configuration. */
  problemsOf(configuration: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  /** Whether security.ini permits the API to configure the bearer filter. */
  mayConfigureBearer(): Promise<boolean>;
}
