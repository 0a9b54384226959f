import type { Migration } from '../../store/migrations/index.ts';
import { oneFileSchema } from '../counting/triggers-sql.ts';

/** A file that an item gets or loses is counted by itself. The triggers asked where all files of the item lie. */
export const oneFileMigration: Migration = { number: 36, name: 'one-file', statements: oneFileSchema };
