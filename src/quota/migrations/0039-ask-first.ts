import type { Migration } from '../../store/migrations/index.ts';
import { askFirstSchema } from '../counting/narrow-sql.ts';

/** Rows of items that no rule asks for end with a few look-ups, however many rules there are. */
export const askFirstMigration: Migration = { number: 39, name: 'ask-first', statements: askFirstSchema };
