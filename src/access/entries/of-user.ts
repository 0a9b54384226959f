import { accessControlListDocument } from '../../documents/index.ts';
import { baseOf } from '../../http/address.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { type Route, roleOrSelf, route } from '../../http/route.ts';
import { noSuchUser } from '../../identity/public.ts';
import { findUser } from '../../identity/public-reading.ts';
import type { CoreContext } from '../../room/context.ts';
import { accountOf } from '../../security/caller.ts';
import { accessOf } from '../viewer.ts';
import { documentOf } from './rules.ts';
import { entriesOfUser } from './store.ts';

/** Route that lists the entries of a user, for all kinds of entities. */
export const entriesOfUserRoute = ({ store, settings, render }: CoreContext): Route =>
  route({
    method: 'GET',
    path: '/user/:name/access',
    says: 'The access entries that name the user, on entities that the caller may read. Entries of groups are left out.',
    query: page(settings.maxPage),
    answers: accessControlListDocument,
    access: roleOrSelf('_accesscontrol_read', 'name'),
    produces: documentTypes,
    async handle(call, type, params) {
      const user = await findUser(store, { name: params.name });
      if (!user) throw noSuchUser(params.name.slice(0, 80));
      const reader = store.reader(accountOf(call));
      const { administrator, contexts } = await accessOf(reader, call);
      const alone = contexts?.alone('READ');
      const rows = await entriesOfUser(reader, {
        userId: user.id,
        all: administrator ? 1 : 0,
        alone: alone?.all ?? '[]',
        having: alone?.having ?? '[]',
        contexts: contexts?.having('READ') ?? '[]',
        ...pageOf(call.query),
      });
      const access = rows.map((row) => documentOf(row, baseOf(call)));
      return renderList(render, type, accessControlListDocument, { access }, 'access');
    },
  });
