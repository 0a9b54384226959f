import type { Call } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { booleanParameter } from '../../http/parameter.ts';
import { done, type Reply } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import { type JobParts, newJob } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import type { Forgetters } from '../../room/house.ts';
import type { IdentityParts } from '../parts.ts';
import { changeUser, userNamed } from '../users/change.ts';
import { namesAround } from '../users/store.ts';
import { deleteUser, disableUser, enableUser } from './rules.ts';

export interface DeletionParts extends IdentityParts, Pick<JobParts, 'jobNotification'> {
  readonly forget: Forgetters;
}

export function deletionRoutes(parts: DeletionParts): readonly Route[] {
  const { store, render } = parts;

  return [
    {
      method: 'DELETE',
      path: '/user/:name',
      access: role('_administrator'),
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const name = params['name']!;
        const hard = booleanParameter(call.parameters, 'hard') ?? false;
        await checkAccessParameters(call);
        if (hard) return remove(call, type, name);
        await changeUser(parts, call, name, disableUser);
        return done;
      },
    },
    {
      method: 'PUT',
      path: '/user/:name/enable',
      access: role('_administrator'),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await changeUser(parts, call, params['name']!, enableUser);
        return done;
      },
    },
  ];

  async function remove(call: Call, type: MediaType, name: string): Promise<Reply> {
    const job = await newJob(parts, call, 'DELETE_USER');
    await changeUser(parts, call, name, async (row) => {
      const { groups, aliases } = await namesAround(store, row);
      const forgotten = parts.forget.user({ id: row.id, names: [row.name, ...aliases] });
      return job.around(deleteUser(row, groups, forgotten));
    });
    return render(type, jobDocument, job.document());
  }

  /** Nobody grants access to anything yet, so there is none to keep or to hand over; a wrong wish is told all the same. */
  async function checkAccessParameters({ parameters }: Call): Promise<void> {
    booleanParameter(parameters, 'preserveAccess');
    const heir = parameters.get('transferAccess');
    if (heir) await userNamed(parts, heir);
  }
}
