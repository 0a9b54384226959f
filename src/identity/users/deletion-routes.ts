import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { flag, type QueryOf, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { Forgetters, Services } from '../../room/context.ts';
import { immediateJob } from '../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../room/jobs/documents.ts';
import { type JobQuery, jobParameters } from '../../room/jobs/parameters.ts';
import { identityEvent } from '../events.ts';
import { memberships } from '../memberships/rules.ts';
import { leaveGroup } from '../memberships/store.ts';
import type { IdentityParts } from '../parts.ts';
import { checkNotFirst } from '../privileges.ts';
import { changeUser, userNamed } from './change.ts';
import { switchUser } from './rules.ts';
import { namesAround, removeUser, type UserRow } from './store.ts';

/** Disables the user: the name stays reserved, and every login is refused. */
function disableUser(row: UserRow): CommitPlan {
  checkNotFirst(row.name, 'stay', 'path');
  return row.enabled === 1 ? switchUser(row, false) : changing();
}

const enableUser = (row: UserRow): CommitPlan => (row.enabled === 1 ? changing() : switchUser(row, true));

/** Gone for good, and the name is free. `groups`: all that the user is in. `forgotten`: what rooms keep of it. */
export function deleteUser(row: UserRow, groups: readonly string[], forgotten: readonly Statement[]): CommitPlan {
  const { name } = row;
  checkNotFirst(name, 'stay', 'path');
  return {
    changes: [
      ...groups.flatMap((group) => leaveGroup(group, row.id, changedMeanwhile('User', name))),
      ...forgotten,
      ...removeUser(row),
    ],
    events: [...memberships(name, { add: [], remove: groups }), identityEvent('user/delete', name, { user: name })],
  };
}

export interface DeletionParts extends IdentityParts {
  readonly services: Pick<Services, 'jobNotification'>;
  readonly forget: Forgetters;
}

const deletion = {
  hard: flag('Deletes the user permanently', false),
  preserveAccess: flag('Keeps access entries that the user granted', false),
  transferAccess: text('User who becomes the grantor of the access entries'),
  ...jobParameters,
};

export function userDeletionRoutes(parts: DeletionParts): readonly Route[] {
  return [
    route({
      method: 'DELETE',
      path: '/user/:name',
      says: 'Disables a user, or deletes it with hard=true.',
      query: deletion,
      answers: jobDocument,
      access: role('_administrator'),
      acting: 'refused',
      async handle(call, { name }) {
        const { hard, transferAccess } = call.query;
        // Validates the heir. Access is not handed over yet, but an unknown user is still refused.
        if (transferAccess) await userNamed(parts, transferAccess);
        return hard ? remove(call, name) : disable(call, name);
      },
    }),
    route({
      method: 'PUT',
      path: '/user/:name/enable',
      says: 'Enables a user that was disabled.',
      access: role('_administrator'),
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name }) {
        await changeUser(parts, call, name, enableUser);
      },
    }),
  ];

  /**
   * Clients read a job here and fail on an empty answer. The job has ended with the change. No notification can wait
   * for it: to disable a user is a change like any other.
   */
  async function disable(call: Call<JobQuery>, name: string): Promise<Job> {
    const job = await immediateJob(parts, call, 'DISABLE_USER');
    await changeUser(parts, call, name, disableUser);
    return job.document();
  }

  async function remove(call: Call<QueryOf<typeof deletion>>, name: string): Promise<Job> {
    const job = await immediateJob(parts, call, 'DELETE_USER');
    await changeUser(parts, call, name, async (row) => {
      const { groups, aliases } = await namesAround(parts.store, row);
      const forgotten = parts.forget.user({ id: row.id, names: [row.name, ...aliases] });
      return job.around(deleteUser(row, groups, forgotten));
    });
    return job.document();
  }
}
