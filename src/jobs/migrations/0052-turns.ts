import type { Migration } from '../../store/migrations/index.ts';

export const turnsMigration: Migration = {
  number: 52,
  name: 'turns',
  statements: [
    `DROP INDEX "job_due"`,
    `CREATE INDEX "job_due" ON "job" ("due", "priority", "user", "serial") WHERE due IS NOT NULL`,
    `CREATE INDEX "job_open" ON "job" ("user") WHERE finished_at IS NULL`,
  ],
};
