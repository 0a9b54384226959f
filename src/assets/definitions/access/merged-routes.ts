import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import { page, pageOf, text } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { userNamed } from '../../../identity/public.ts';
import { effectiveRoles } from '../../../identity/public-reading.ts';
import type { CoreContext } from '../../../room/context.ts';
import { administrator } from '../../../security/subject.ts';
import {
  accessControlMergedDocument,
  type FieldPermission,
  type GroupPermission,
} from '../../access/public-reading.ts';
import { listFields } from '../fields/store.ts';
import { listFieldGroups } from '../groups/store.ts';
import { counterOf, loadTree } from '../groups/tree.ts';
import { administers, allGroups, fieldAt, fieldGroupAt, onField, onGroup } from '../kinds.ts';
import type { GroupDefinition } from '../known.ts';
import { type FieldLevel, type FieldReader, fieldRights, wordOf } from './rights.ts';

/** User whose effective rights are shown. */
interface MergedAccess extends FieldReader {
  readonly username: string;
}

const entryOf = ({ username }: MergedAccess, name: string, found: FieldLevel) => ({
  name,
  permission: wordOf(found),
  username,
});

async function mergedFields(
  reader: Reader,
  names: readonly string[],
  user: MergedAccess,
): Promise<readonly FieldPermission[]> {
  const rights = await fieldRights(reader, user, { fields: names });
  return names.map((name) => entryOf(user, name, rights.field(name)));
}

/** Effective rights in groups and all of their members. Entries of a group apply to members without own entries. */
async function mergedGroups(
  reader: Reader,
  names: readonly string[],
  user: MergedAccess,
  most: number,
): Promise<readonly GroupPermission[]> {
  const { groups, fieldNames, groupNames } = await loadTree(reader, names, { members: true, traverse: true }, most);
  const targets = { fields: fieldNames, groups: [...new Set([...names, ...groupNames])] };
  const rights = await fieldRights(reader, user, targets);
  const { take } = counterOf(most);
  const from = (group: GroupDefinition, around: readonly string[]): GroupPermission => {
    take();
    const { name, fields, groups: inner } = group;
    const here = [name, ...around];
    const fieldGroup = inner.flatMap((member) => {
      const definition = groups.get(member.name);
      return definition ? [from(definition, here)] : [];
    });
    const field = fields.map((member) => {
      take();
      return entryOf(user, member.name, rights.field(member.name, ...here));
    });
    return {
      ...entryOf(user, name, rights.group(name, ...around)),
      ...(fieldGroup.length > 0 && { fieldGroup }),
      ...(field.length > 0 && { field }),
    };
  };
  return names.flatMap((name) => {
    const group = groups.get(name);
    return group ? [from(group, [])] : [];
  });
}

/** Routes for the effective rights of one user in fields and groups. */
export function mergedAccessRoutes(parts: CoreContext): readonly Route[] {
  const { store, settings } = parts;
  const username = text('The user', { required: true, expected: 'Expected the name of a user' });
  const paged = { username, ...page(settings.maxPage) };
  const most = settings.maxPageValues;
  const common = { method: 'GET', access: administers } as const;

  async function userIn({ username }: { readonly username: string }): Promise<MergedAccess> {
    const { id, name } = await userNamed(parts, username);
    const roles = await effectiveRoles(store, id);
    return { username: name, userId: id, administers: roles.has(administrator) };
  }

  return [
    route({
      ...common,
      path: '/metadata-field/merged-access',
      says: 'The rights of a user on the metadata fields.',
      query: paged,
      answers: answer(accessControlMergedDocument, { list: 'field' }),
      async handle(call) {
        const user = await userIn(call.query);
        const { reader } = call;
        const names = (await listFields(reader, { ...pageOf(call.query) })).map(({ name }) => name);
        return { field: await mergedFields(reader, names, user) };
      },
    }),
    route({
      ...common,
      path: `${onField}/merged-access`,
      says: 'The rights of a user on one metadata field.',
      entities: { field: fieldAt(store) },
      query: { username },
      answers: accessControlMergedDocument,
      handle: async (call, { field: { id } }) => ({ field: await mergedFields(store, [id], await userIn(call.query)) }),
    }),
    route({
      ...common,
      path: `${allGroups}/merged-access`,
      says: 'The rights of a user on the field groups and their members.',
      query: paged,
      answers: answer(accessControlMergedDocument, { list: 'fieldGroup' }),
      async handle(call) {
        const user = await userIn(call.query);
        const { reader } = call;
        const names = (await listFieldGroups(reader, { ...pageOf(call.query) })).map(({ name }) => name);
        return { fieldGroup: await mergedGroups(reader, names, user, most) };
      },
    }),
    route({
      ...common,
      path: `${onGroup}/merged-access`,
      says: 'The rights of a user on one field group and its members.',
      entities: { group: fieldGroupAt(store) },
      query: { username },
      answers: accessControlMergedDocument,
      async handle(call, { group: { id } }) {
        const { reader } = call;
        return { fieldGroup: await mergedGroups(reader, [id], await userIn(call.query), most) };
      },
    }),
  ];
}
