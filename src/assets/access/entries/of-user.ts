import { accessControlListDocument } from '../../../core/documents/index.ts';
import { baseOf } from '../../../http/address.ts';
import { answer } from '../../../http/answers.ts';
import { page, pageOf } from '../../../http/parameters/index.ts';
import { type Route, roleOrSelf, route } from '../../../http/route.ts';
import { userAt } from '../../../identity/public.ts';
import type { CoreContext } from '../../../room/context.ts';
import { accessOf } from '../viewer.ts';
import { documentOf } from './rules.ts';
import { entriesOfUser } from './store.ts';

/** Route that lists the entries of a user, for all kinds of entities. */
export const entriesOfUserRoute = (parts: CoreContext): Route =>
  route({
    method: 'GET',
    path: '/user/:name/access',
    says: 'The access entries that name the user, on entities that the caller may read. Entries of groups are left out.',
    entities: { name: userAt(parts) },
    query: page(parts.settings.maxPage),
    answers: answer(accessControlListDocument, { list: 'access' }),
    access: roleOrSelf('_accesscontrol_read', 'name'),
    async handle(call, { name: { id: userId } }) {
      const { reader } = call;
      const { administrator, contexts } = await accessOf(reader, call);
      const alone = contexts?.alone('READ');
      const rows = await entriesOfUser(reader, {
        userId,
        all: administrator ? 1 : 0,
        alone: alone?.all ?? '[]',
        having: alone?.having ?? '[]',
        contexts: contexts?.having('READ') ?? '[]',
        ...pageOf(call.query),
      });
      return { access: rows.map((row) => documentOf(row, baseOf(call))) };
    },
  });
