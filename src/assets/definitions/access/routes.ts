import { existing } from '../../../core/lib/checks.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import { page, pageOf, text } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import { userNamed } from '../../../identity/public.ts';
import { effectiveRoles } from '../../../identity/public-reading.ts';
import type { CoreContext } from '../../../room/context.ts';
import type { Entity } from '../../../room/entity.ts';
import { administrator } from '../../../security/subject.ts';
import { granteeNamed, granteeOf } from '../../access/public.ts';
import {
  accessControlMergedDocument,
  type FieldPermission,
  type GroupPermission,
} from '../../access/public-reading.ts';
import { metadataFieldAccessDocument, metadataFieldAccessListDocument } from '../documents.ts';
import { administers, allGroups, fieldAt, fieldGroupAt, onField, onGroup } from '../entities.ts';
import { listFields } from '../fields/store.ts';
import { counterOf, loadTree } from '../groups/documents.ts';
import { listFieldGroups } from '../groups/store.ts';
import type { GroupDefinition } from '../known.ts';
import { type FieldLevel, type FieldReader, fieldRights, wordOf } from './rights.ts';
import { createEntry, type Definition, deleteEntry, entryFrom, levelOf, noSuchGrant } from './rules.ts';
import { type DefinitionKind, entriesOf, findEntry } from './store.ts';

/**
 * Routes for the entries of fields and groups. Entries are rights, so callers that act for a user cannot write them.
 */
export const fieldAccessRoutes = (parts: CoreContext): readonly Route[] => [
  ...entryRoutes(parts, 'field', onField, fieldAt(parts.store)),
  ...entryRoutes(parts, 'group', onGroup, fieldGroupAt(parts.store)),
];

function entryRoutes(
  { store, settings }: CoreContext,
  kind: DefinitionKind,
  path: string,
  definition: PathEntity<Entity>,
): readonly Route[] {
  const noun = kind === 'field' ? 'field' : 'field group';
  const all = `${path}/access`;
  const one = `${all}/:access`;
  const shared = { entities: { [kind]: definition }, access: administers } as const;
  const definitionIn = (segments: Readonly<Record<string, Entity>>): Definition => ({ kind, name: segments[kind]!.id });

  return [
    route({
      ...shared,
      method: 'GET',
      path: all,
      says: `The access entries of a ${noun}, in order of creation.`,
      query: page(settings.maxPage),
      answers: answer(metadataFieldAccessListDocument, { list: 'access' }),
      async handle(call, segments) {
        const of = definitionIn(segments);
        const rows = await entriesOf(call.reader, { ...of, ...pageOf(call.query) });
        return { access: rows.map((row) => entryFrom(row, of)) };
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: all,
      says: `Grants a user or group a right on a ${noun}. From the first entry on, users without an entry have no rights.`,
      reads: metadataFieldAccessDocument,
      answers: metadataFieldAccessDocument,
      location: ({ id = '' }, segments) => [...path.split('/').slice(1, -1), definitionIn(segments).name, 'access', id],
      acting: 'refused',
      async handle(call, segments) {
        const { body } = call;
        const of = definitionIn(segments);
        const grantee = await granteeOf(store, granteeNamed(body, '/MetadataFieldAccessControlDocument'));
        const id = await store.nextId('metadata-field-access');
        const level = levelOf(body.permission);
        await call.commit(createEntry(id, of, grantee, level));
        const { user = null, group = null } = body;
        return entryFrom({ id, level, user, group }, of);
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: one,
      says: `One access entry of a ${noun}.`,
      answers: metadataFieldAccessDocument,
      async handle(_call, segments) {
        const of = definitionIn(segments);
        const id = segment(segments, 'access');
        const row = existing((await findEntry(store, { ...of, id }))[0], noSuchGrant, id);
        return entryFrom(row, of);
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: one,
      says: `Removes an access entry from a ${noun}. Without entries, everybody has all rights.`,
      acting: 'refused',
      handle: (call, segments) => call.commit(deleteEntry(segment(segments, 'access'), definitionIn(segments))),
    }),
  ];
}

/** User whose effective rights are shown. */
interface MergedAccess extends FieldReader {
  readonly username: string;
}

const entryOf = ({ username }: MergedAccess, name: string, rank: FieldLevel) => ({
  name,
  permission: wordOf(rank),
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
  max: number,
): Promise<readonly GroupPermission[]> {
  const { groups, fieldNames, groupNames } = await loadTree(reader, names, { members: true, traverse: true }, max);
  const targets = { fields: fieldNames, groups: [...new Set([...names, ...groupNames])] };
  const rights = await fieldRights(reader, user, targets);
  const { take } = counterOf(max);
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
  const max = settings.maxPageValues;
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
        return { fieldGroup: await mergedGroups(reader, names, user, max) };
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
        return { fieldGroup: await mergedGroups(reader, [id], await userIn(call.query), max) };
      },
    }),
  ];
}
