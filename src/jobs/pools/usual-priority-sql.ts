import { sql } from 'drizzle-orm';
import { after, type Maybe } from '../../lib/maybe.ts';
import { prepareLookup, type Reader } from '../../store/statement.ts';
import type { JobPriority } from '../job-type.ts';
import { jobConfiguration } from '../tables.ts';

export const prioritiesName = 'job-priority';

export interface PriorityOfType {
  readonly type: string;
  readonly value: JobPriority;
}

const find = prepareLookup((db) =>
  db
    .select({ document: jobConfiguration.document })
    .from(jobConfiguration)
    .where(sql`${jobConfiguration.name} = ${prioritiesName}`),
);

/** The priority of a job whose caller names none. */
export const usualPriority = (reader: Reader, type: string): Maybe<JobPriority> =>
  after(find(reader, {}), (row) => {
    const rows = row ? (JSON.parse(row.document) as readonly PriorityOfType[]) : [];
    return rows.find((each) => each.type === type)?.value ?? 'MEDIUM';
  });
