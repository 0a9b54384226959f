import { sql } from 'drizzle-orm';
import { query } from '../../store/statement.ts';
import { job } from '../tables.ts';

const value = sql.placeholder;

/** Work of the service that ends by itself is no problem: a hash that is computed, a file that another job reads. */
const usual = sql`('FileHash', 'FileNotClosed', 'FileInUse', 'FileUpload')`;

/** Resources that jobs wait for, with some of the jobs. `id`: one job; empty: all jobs. */
export const problemsOf = query((db) =>
  db
    .select({
      waiting: sql<string>`waiting`,
      first: sql<number>`MIN(serial)`,
      jobs: sql<string>`json_group_array(id)`,
    })
    .from(
      sql`(SELECT id, serial, waiting FROM ${job} WHERE status = 'WAITING' AND waiting IS NOT NULL
        AND waiting ->> 'requirement' NOT IN ${usual} AND (${value('id')} = '' OR id = ${value('id')})
        ORDER BY serial LIMIT ${value('limit')})`,
    )
    .groupBy(sql`waiting`)
    .orderBy(sql`MIN(serial)`),
);
