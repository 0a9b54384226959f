import { jobDocument } from '../../documents/index.ts';
import { type Call, caller } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { booleanParameter } from '../../http/parameter.ts';
import { done, type Reply } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import type { IdentityParts } from '../parts.ts';
import { changeUser, userNamed } from '../users/change.ts';
import { namesAround } from '../users/store.ts';
import { deletionJob, jobWish } from './documents.ts';
import { deleteUser, disableUser, enableUser, forgetters } from './rules.ts';

export function deletionRoutes(parts: IdentityParts): readonly Route[] {
  const { store, clock, render } = parts;

  return [
    {
      method: 'DELETE',
      path: '/user/:name',
      access: role('_administrator'),
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
      produces: [],
      async handle(call, _type, params) {
        await changeUser(parts, call, params['name']!, enableUser);
        return done;
      },
    },
  ];

  async function remove(call: Call, type: MediaType, name: string): Promise<Reply> {
    const wish = jobWish(call.parameters);
    const started = clock.now();
    await changeUser(parts, call, name, async (row) => {
      const { groups } = await namesAround(store, row);
      const forgotten = forgetters.flatMap((forget) => forget(row));
      return deleteUser(row, groups, forgotten);
    });
    const jobId = await store.nextId('job');
    return render(type, jobDocument, deletionJob(jobId, caller(call).name, started, clock.now(), wish));
  }

  /** Nobody grants access to anything yet, so there is none to keep or to hand over; a wrong wish is told all the same. */
  async function checkAccessParameters({ parameters }: Call): Promise<void> {
    booleanParameter(parameters, 'preserveAccess');
    const heir = parameters.get('transferAccess');
    if (heir) await userNamed(parts, heir);
  }
}
