/** The servers: Node, Deno and Bun. */
export { readSettings, SettingError, type Settings, settingManual } from '../composition/settings.ts';
export { hostPlatform } from './host.ts';
export { type Running, serve, startServer } from './serve.ts';
