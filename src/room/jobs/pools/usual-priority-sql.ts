import { sql } from 'drizzle-orm';
import { query, type Reader } from '../../../core/store/statement.ts';
import type { JobPriority } from '../job-type.ts';
import { jobConfiguration } from '../tables.ts';

export const prioritiesName = 'job-priority';

export interface PriorityOfType {
  readonly type: string;
  readonly value: JobPriority;
}

const find = query((db) =>
  db
    .select({ document: jobConfiguration.document })
    .from(jobConfiguration)
    .where(sql`${jobConfiguration.name} = ${prioritiesName}`),
).first;

/** Starts the reads of `usualPriority`, for `Store.ahead`. */
export const priorityAhead = (reader: Reader): unknown => find(reader, {});

/** The priority of a job whose caller names none. */
export async function usualPriority(reader: Reader, type: string): Promise<JobPriority> {
  const row = await find(reader, {});
  const rows = row ? (JSON.parse(row.document) as readonly PriorityOfType[]) : [];
  return rows.find((each) => each.type === type)?.value ?? 'MEDIUM';
}
