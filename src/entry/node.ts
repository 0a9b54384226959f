/** The servers: Node, Deno and Bun. */
export { readSettings, SettingError, type Settings, settingManual } from '../service/settings.ts';
export { hostPlatform } from './host.ts';
export { type Running, serve, startServer } from './serve.ts';
