import type { Migration } from '../../store/migrations/index.ts';
import { narrowSchema } from '../counting/narrow-sql.ts';

/** Owners, members and tags of items count for the rules that ask for them, and cost nothing for others. */
export const narrowCountingMigration: Migration = { number: 34, name: 'narrow-counting', statements: narrowSchema };
