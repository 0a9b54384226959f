export { firstMigration, firstOfExtension } from './first.ts';
export type { Migration } from './migration.ts';
