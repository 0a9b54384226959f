import { countedSchema } from '../../assets/lists/counted-sql.ts';
import type { Migration } from '../../store/migrations/index.ts';
import { narrowSchema } from '../counting/narrow-sql.ts';

/**
 * What rules and lists count. Owners, members and tags of items count for the rules that ask for them, and cost nothing
 * for others.
 */
export const countingMigration: Migration = {
  number: 33,
  name: 'counting',
  statements: [...narrowSchema, ...countedSchema],
};
