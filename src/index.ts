/** Interface for programs that embed the service, on any runtime. */
export { readSettings, SettingError, type Settings } from './composition/settings.ts';
export { createService, type Platform, type Service } from './service.ts';
export type { Database } from './store/contract.ts';
export { openRemoteDatabase, type RemoteSettings } from './store/remote/remote-database.ts';
export { StoreStartError } from './store/start-error.ts';
