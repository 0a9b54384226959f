import type { EntityKind } from '../room/entity.ts';
import type { Store } from '../store/store.ts';
import { jobMustExist } from './changing/store.ts';
import { jobOf } from './list/routes.ts';
import { findJob } from './running/store.ts';

/** Notifications of one job find it by this. */
export const jobKind = (store: Store): EntityKind => ({
  type: 'job',
  noun: 'Job',
  find: (id) => findJob(store, { id }),
  mustExist: (id, refusal) => jobMustExist({ id }, refusal),
  async mayRead(call, { id }) {
    await jobOf({ store }, call, id);
  },
});
