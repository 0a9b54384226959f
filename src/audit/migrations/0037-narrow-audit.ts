import type { Migration } from '../../store/migrations/index.ts';

/** No question asks the log by path without a time, and each change of any request wrote this index. */
export const narrowAudit: Migration = { number: 37, name: 'narrow-audit', statements: ['DROP INDEX audit_path'] };
