import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import { prepareLookup, prepareStatement } from '../../store/statement.ts';
import { importClaim } from '../tables.ts';

const value = sql.placeholder;

type Claim = { readonly type: 'file' | 'component'; readonly id: string; readonly jobId: string };

const insert = prepareStatement<Claim>(
  sql`INSERT INTO import_claim (type, id, job_id) VALUES (${value('type')}, ${value('id')}, ${value('jobId')})`,
);

/** No other import takes it until the job has ended. `taken`: the refusal where one has. */
export const claim = (given: Claim, taken: ServiceError): Statement => insert(given, taken);

export const claimedBy = prepareLookup((db) =>
  db
    .select({ jobId: importClaim.jobId })
    .from(importClaim)
    .where(sql`${importClaim.type} = ${value('type')} AND ${importClaim.id} = ${value('id')}`),
);

export const forgetClaims = prepareStatement<{ jobId: string }>(
  sql`DELETE FROM import_claim WHERE job_id = ${value('jobId')}`,
);
