import type { Reader } from '../../core/store/statement.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { anyCaller, role } from '../../http/route.ts';
import { findEntity } from '../../room/entities/find.ts';
import { type EntityResource, entityAt } from '../../room/entities/place.ts';
import type { EntityKind } from '../../room/entity.ts';
import type { JobRow } from '../../room/jobs/tables.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { noSuchJob } from './changing/rules.ts';
import { findJob } from './running/store.ts';
import { jobMustExist } from './store.ts';

export const readsJobs = '_job_read';
export const writesJobs = role('_job_write');

/** Callers without the role see, change and end only their own jobs. */
export const seesAllJobs = async (call: Caller): Promise<boolean> => subjectOf(call).has(readsJobs);

/** A job that the caller may see, by its id or by an external id. */
export async function jobOf(reader: Reader, call: Caller, id: string): Promise<JobRow> {
  const row = await findEntity(reader, jobKind(reader), id);
  // 404 hides the existence of a job from callers who may not see it.
  if (row && (row.user === subjectOf(call).name || (await seesAllJobs(call)))) return row;
  throw noSuchJob(id);
}

/** Jobs in paths. */
export const jobAt = (reader: Reader): PathEntity<JobRow> => ({
  kind: 'job',
  find: (id, call) => jobOf(reader, call, id),
  stays: ({ id }) => jobMustExist({ id }, noSuchJob(id)),
});

/** External ids of jobs: who may see a job sees its names. */
export const jobPlace = (reader: Reader): EntityResource<JobRow> => {
  const path = { path: '/job/:job', read: anyCaller, write: writesJobs, acting: 'allowed' } as const;
  return entityAt(reader, jobKind(reader), path, () => jobAt(reader));
};

/** Notifications of one job find it by this. */
export const jobKind = (reader: Reader): EntityKind<JobRow> => ({
  type: 'job',
  noun: 'Job',
  find: (id) => findJob(reader, { id }),
  mustExist: (id, refusal) => jobMustExist({ id }, refusal),
  async mayRead(call, { id }) {
    await jobOf(reader, call, id);
  },
});
