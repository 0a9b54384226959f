import type { Migration } from '../../store/migrations/index.ts';
import { oneCriterionSchema } from '../counting/narrow-sql.ts';

/** An item that satisfies the only criterion of a rule counts for it, without a look at the other criteria. */
export const oneCriterionMigration: Migration = { number: 38, name: 'one-criterion', statements: oneCriterionSchema };
