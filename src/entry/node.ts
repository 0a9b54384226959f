/** The servers: Node, Deno and Bun. */
export { readSettings, SettingError, type Settings, settingManual } from '../composition/settings.ts';
export { hostPlatform } from './host.ts';
export { serve } from './serve.ts';
export { type Running, startServer } from './start-server.ts';
