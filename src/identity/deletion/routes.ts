import type { JobState } from '../../events/payloads.ts';
import { type Call, caller } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { flag, type QueryOf, text } from '../../http/parameters/index.ts';
import { done, type Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { asJob, type JobNotification } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { type JobQuery, jobParameters } from '../../jobs/parameters.ts';
import type { IdentityParts } from '../parts.ts';
import { changeUser, userNamed } from '../users/change.ts';
import { namesAround } from '../users/store.ts';
import { jobDocumentOf, jobWish } from './documents.ts';
import { deleteUser, disableUser, enableUser, forgetters } from './rules.ts';

export interface DeletionParts extends IdentityParts {
  /** What a caller says about notifications of the job. Throws the refusal of what cannot be. */
  jobNotification(query: JobQuery): Promise<JobNotification>;
}

const deletion = {
  hard: flag('Deletes the user for good', false),
  preserveAccess: flag('Keeps what the user granted', false),
  transferAccess: text('The user who gets what the deleted one granted'),
  ...jobParameters,
};

export function deletionRoutes(parts: DeletionParts): readonly Route[] {
  const { store, clock, render } = parts;

  return [
    route({
      method: 'DELETE',
      path: '/user/:name',
      says: 'Disables a user, or deletes it with hard=true.',
      query: deletion,
      answers: ['nothing', jobDocument],

      access: role('_administrator'),
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const name = params['name']!;
        await checkHeir(call.query.transferAccess);
        if (call.query.hard) return remove(call, type, name);
        await changeUser(parts, call, name, disableUser);
        return done;
      },
    }),
    {
      method: 'PUT',
      path: '/user/:name/enable',
      says: 'Enables a user that was disabled.',

      access: role('_administrator'),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await changeUser(parts, call, params['name']!, enableUser);
        return done;
      },
    },
  ];

  async function remove(call: Call<QueryOf<typeof deletion>>, type: MediaType, name: string): Promise<Reply> {
    const { priority, data } = jobWish(call.query);
    const job: JobState = {
      jobId: await store.nextId('job'),
      type: 'DELETE_USER',
      status: 'FINISHED',
      user: caller(call).name,
      started: clock.now(),
      ...(data.length > 0 ? { data } : {}),
    };
    await changeUser(parts, call, name, async (row) => {
      const { groups } = await namesAround(store, row);
      const forgotten = forgetters.flatMap((forget) => forget(row));
      return asJob(job, deleteUser(row, groups, forgotten), await parts.jobNotification(call.query));
    });
    return render(type, jobDocument, jobDocumentOf(job, priority, clock.now()));
  }

  /** Nobody grants access to anything yet, so there is none to keep or to hand over; a wrong wish is told all the same. */
  async function checkHeir(heir: string | undefined): Promise<void> {
    if (heir) await userNamed(parts, heir);
  }
}
