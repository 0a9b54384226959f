import { sql } from 'drizzle-orm';
import type { DueTime } from '../../store/due.ts';
import { query } from '../../store/statement.ts';
import { job } from '../tables.ts';

const value = sql.placeholder;

/** Jobs that ended before a time, among the oldest: no index has the end, and to look at all of them takes long. */
export const endedBefore = query(
  sql`SELECT id, status, finished_at FROM (SELECT id, serial, status, finished_at FROM job ORDER BY serial LIMIT 2000)
    WHERE finished_at < ${value('before')} ORDER BY serial LIMIT ${value('limit')}`,
  { id: job.id, status: job.status, finishedAt: job.finishedAt },
);

/** A lower bound: no job ended before the oldest one was made. `days`: in SQL, NULL where jobs are kept. */
export const oldJobsDue = (days: DueTime, day: number): DueTime =>
  sql`SELECT created_at + ${days} * ${day} FROM (SELECT created_at FROM job ORDER BY serial LIMIT 1)`;
