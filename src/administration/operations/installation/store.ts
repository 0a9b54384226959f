import { sql } from 'drizzle-orm';
import { extensionMigration, migration } from '../../../core/store/schema.ts';
import { query } from '../../../core/store/statement.ts';

/** Migrations are as many as the program has, and extensions are few. */
const most = 1000;

/** Migrations of the database, the newest first. */
export const appliedMigrations = query(
  sql`SELECT number, name, applied_at, NULL FROM migration
    UNION ALL SELECT number, name, applied_at, extension FROM extension_migration
    ORDER BY 3 DESC, 1 DESC LIMIT ${sql.raw(String(most))}`,
  {
    number: migration.number,
    name: migration.name,
    applied: migration.appliedAt,
    extension: sql<string | null>`${extensionMigration.extension}`,
  },
);
