/** Interface for programs that embed the service, on any runtime. */

export { createService, type Platform, type Service } from './composition/service.ts';
export { readSettings, SettingError, type Settings } from './composition/settings.ts';
export type { Database } from './core/store/contract.ts';
export { StoreStartError } from './core/store/faults.ts';
export { openRemoteDatabase, type RemoteSettings } from './core/store/remote/remote-database.ts';
