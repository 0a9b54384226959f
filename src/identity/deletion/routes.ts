import type { Call } from '../../http/call.ts';
import { flag, type QueryOf, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { Forgetters, Services } from '../../room/context.ts';
import { immediateJob } from '../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../room/jobs/documents.ts';
import { type JobQuery, jobParameters } from '../../room/jobs/parameters.ts';
import type { IdentityParts } from '../parts.ts';
import { changeUser, userNamed } from '../users/change.ts';
import { namesAround } from '../users/store.ts';
import { deleteUser, disableUser, enableUser } from './rules.ts';

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
