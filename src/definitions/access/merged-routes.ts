import { accessControlMergedDocument } from '../../access/public-reading.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { page, pageOf, text } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { type Route, route } from '../../http/route.ts';
import { noSuchUser } from '../../identity/public.ts';
import { effectiveRoles, findUser } from '../../identity/public-reading.ts';
import type { CoreContext } from '../../room/context.ts';
import { accountOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { listFields } from '../fields/store.ts';
import { listFieldGroups } from '../groups/store.ts';
import { administers, allGroups, fieldGroupNamed, fieldNamed, onField, onGroup } from '../kinds.ts';
import { type MergedAccess, mergedFields, mergedGroups } from './merged.ts';

/** Routes for the effective rights of one user in fields and groups. */
export function mergedAccessRoutes({ store, settings, render }: CoreContext): readonly Route[] {
  const username = text('The user', { required: true, expected: 'Expected the name of a user' });
  const paged = { username, ...page(settings.maxPage) };
  const most = settings.maxPageValues;
  const common = {
    method: 'GET',
    answers: accessControlMergedDocument,
    access: administers,
    produces: documentTypes,
  } as const;

  return [
    route({
      ...common,
      path: '/metadata-field/merged-access',
      says: 'The rights of a user on the metadata fields.',
      query: paged,
      async handle(call, type) {
        const user = await userNamed(call.query.username);
        const reader = store.reader(accountOf(call));
        const names = (await listFields(reader, { ...pageOf(call.query) })).map(({ name }) => name);
        const field = await mergedFields(reader, names, user);
        return renderList(render, type, accessControlMergedDocument, { field }, 'field');
      },
    }),
    route({
      ...common,
      path: `${onField}/merged-access`,
      says: 'The rights of a user on one metadata field.',
      query: { username },
      async handle(call, type, params) {
        const { name } = await fieldNamed(store, params.field);
        const field = await mergedFields(store, [name], await userNamed(call.query.username));
        return render(type, accessControlMergedDocument, { field });
      },
    }),
    route({
      ...common,
      path: `${allGroups}/merged-access`,
      says: 'The rights of a user on the field groups and their members.',
      query: paged,
      async handle(call, type) {
        const user = await userNamed(call.query.username);
        const reader = store.reader(accountOf(call));
        const names = (await listFieldGroups(reader, { ...pageOf(call.query) })).map(({ name }) => name);
        const fieldGroup = await mergedGroups(reader, names, user, most);
        return renderList(render, type, accessControlMergedDocument, { fieldGroup }, 'fieldGroup');
      },
    }),
    route({
      ...common,
      path: `${onGroup}/merged-access`,
      says: 'The rights of a user on one field group and its members.',
      query: { username },
      async handle(call, type, params) {
        const { name } = await fieldGroupNamed(store, params.group);
        const reader = store.reader(accountOf(call));
        const fieldGroup = await mergedGroups(reader, [name], await userNamed(call.query.username), most);
        return render(type, accessControlMergedDocument, { fieldGroup });
      },
    }),
  ];

  async function userNamed(name: string): Promise<MergedAccess> {
    const user = await findUser(store, { name });
    if (!user) throw noSuchUser(name.slice(0, 80));
    const roles = await effectiveRoles(store, user.id);
    return { username: user.name, userId: user.id, administers: roles.has(administrator) };
  }
}
