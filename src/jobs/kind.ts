import type { EntityKind } from '../room/entity.ts';
import type { Reader } from '../store/statement.ts';
import { jobMustExist } from './changing/store.ts';
import { findJob } from './running/store.ts';

/** Notifications of one job find it by this. */
export const jobKind = (reader: Reader): EntityKind => ({
  type: 'job',
  noun: 'Job',
  find: (id) => findJob(reader, { id }),
  mustExist: (id, refusal) => jobMustExist({ id }, refusal),
});
