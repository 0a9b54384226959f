import { foundation } from './0001-foundation.ts';
import { waysIn } from './0002-ways-in.ts';
import { notifications } from './0003-notifications.ts';
import { lighterLog } from './0004-lighter-log.ts';
import type { Migration } from './migration.ts';

export type { Migration };

/** The first ones, from before rooms had their own. Later ones are in the `migrations` folder of their room. */
export const firstMigrations: readonly Migration[] = [foundation, waysIn, notifications, lighterLog];
