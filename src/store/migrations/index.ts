export { firstMigration } from './first.ts';
export type { Migration } from './migration.ts';
