import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { inSlices, yieldTurn } from '../../../core/lib/turn.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { onlyActs, outlastsActing } from '../../../http/acting.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { roleMissing } from '../../../http/route.ts';
import type { CoreContext } from '../../../room/context.ts';
import { findEntity } from '../../../room/entities/find.ts';
import { type EntityResource, entityAt } from '../../../room/entities/place.ts';
import type { Entity } from '../../../room/entity.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { granteeNamed, granteeOf } from '../../access/public.ts';
import { askerOf, type FieldLevel, fieldRights, level, wordOf } from '../access/rights.ts';
import type { MetadataFieldGroup } from '../documents.ts';
import { fieldGroupAt, fieldGroupKind, groupName, groupPath } from '../entities.ts';
import { loadFields } from '../known.ts';
import { giveExternalIds } from '../namespaces/give.ts';
import { createFieldGroup, type FieldGroupState, newField, putFieldGroups } from './rules.ts';
import { fieldGroupsNamed, lackedMembers, maxGroups } from './store.ts';
import { groupsIn, missingFields, nameOf, root } from './tree.ts';

/** Role needed for creating fields through a group. */
const fieldWriter = '_metadata_field_write';

/** Field groups in paths, by the right that the caller needs in them. */
export const guardedGroup =
  (reader: Reader) =>
  (needed: FieldLevel): PathEntity<Entity> => {
    const group = fieldGroupAt(reader);
    return {
      ...group,
      level: wordOf(needed),
      async find(name, call, segments) {
        const entity = await group.find(name, call, segments);
        await mustHaveRight(reader, call, [entity.id], needed);
        return entity;
      },
    };
  };

/** Sub-resources of a group need the same rights as the group. */
export const fieldGroupPlace = (reader: Reader): EntityResource<Entity> => ({
  ...entityAt(reader, fieldGroupKind(reader), groupPath, (use) => guardedGroup(reader)(level[use])),
  kind: groupName,
});

/** Refuses callers without the right in each of the groups. */
async function mustHaveRight(
  reader: Reader,
  caller: Caller,
  names: readonly string[],
  needed: FieldLevel,
): Promise<void> {
  const rights = await fieldRights(reader, await askerOf(caller), { groups: names });
  const name = names.find((each) => rights.group(each) < needed);
  if (name === undefined) return;
  const explanation = `Expected the right ${wordOf(needed)} in the field group`;
  throw new ServiceError('not-allowed', { context: 'field-group', id: name, explanation });
}

/** Creates or changes the group named by the path, and those inside it. Without a document, an existing one stays. */
export async function changeFieldGroup(
  parts: CoreContext,
  call: Caller,
  path: string,
  document: MetadataFieldGroup | undefined,
  clear: boolean,
): Promise<void> {
  const { store, settings } = parts;
  await call.change(async () => {
    const group = await findEntity(store, fieldGroupKind(store), path);
    if (group && (document || clear)) await mustHaveRight(store, call, [group.id], level.write);
    const name = group?.id ?? path;
    if (!document && !clear) return group ? undefined : createFieldGroup(name);
    const groups = await readGroups(parts, call, name, document ?? {});
    return putFieldGroups(groups, await newFields(parts, call, groups), clear, settings);
  });
}

/** Checks the caller as on the route for entries, since entries are rights. */
async function checkGranter(call: Caller): Promise<void> {
  if (!(await subjectOf(call).has(administrator))) throw roleMissing(administrator);
  if (await onlyActs(call)) throw outlastsActing();
}

/** The groups of a document that change: the one of the path, new ones, and others that lack members of the document. */
async function readGroups(
  parts: CoreContext,
  call: Caller,
  path: string,
  document: MetadataFieldGroup,
): Promise<readonly FieldGroupState[]> {
  const { store } = parts;
  const documents = groupsIn(path, document);
  const existingNames = new Set(
    (await fieldGroupsNamed(store, { names: [...documents.keys()] })).map(({ name }) => name),
  );
  const lacked = await lackedContent(store, documents, (name) => name !== path && existingNames.has(name));
  const changed = Array.from(documents, ([name, content]) => ({ name, content: lacked(name, content) }));
  const groups = changed.flatMap(({ name, content }) =>
    content ? { name, content, isNew: !existingNames.has(name) } : [],
  );
  if (groups.length > maxGroups)
    throw badValue(`${root}/group`, `at most ${maxGroups} groups that change`, String(groups.length));
  const extended = groups.filter(({ name, isNew }) => !isNew && name !== path).map(({ name }) => name);
  if (extended.length > 0) await mustHaveRight(store, call, extended, level.write);
  if (groups.some(({ content: { access = [] } }) => access.length > 0)) await checkGranter(call);
  return askEach(groups, async ({ name, content, isNew }) => {
    const externalIds = await giveExternalIds(parts, groupName, name, content.externalId ?? []);
    const access = await askEach(content.access ?? [], async (entry) => {
      const grantee = await granteeOf(store, granteeNamed(entry, `${root}/access`));
      return { id: await store.nextId('metadata-field-access'), entry, grantee };
    });
    return { name, isNew, content, externalIds, access };
  });
}

/** Reduces the documents of groups inside, which are there, to members that they lack. Undefined: they lack none. */
async function lackedContent(
  reader: Reader,
  documents: ReadonlyMap<string, MetadataFieldGroup>,
  isThere: (name: string) => boolean,
): Promise<(name: string, content: MetadataFieldGroup) => MetadataFieldGroup | undefined> {
  const members = Array.from(documents).flatMap(([groupName, { field = [], group = [] }]) =>
    isThere(groupName)
      ? [
          ...field.map(({ name }) => [groupName, 'field', nameOf(name, 'field')] as const),
          ...group.map(({ name }) => [groupName, 'group', nameOf(name, 'group')] as const),
        ]
      : [],
  );
  const rows = members.length > 0 ? await lackedMembers(reader, { members }) : [];
  const lacked = new Set(rows.map(({ at }) => members[at]!.join('/')));
  return (groupName, content) => {
    if (!isThere(groupName)) return content;
    const field = content.field?.filter(({ name }) => lacked.has(`${groupName}/field/${name}`)) ?? [];
    const group = content.group?.filter(({ name }) => lacked.has(`${groupName}/group/${name}`)) ?? [];
    return field.length + group.length > 0 ? { field, group } : undefined;
  };
}

/** Statements that create the fields which the groups get, and which nobody has defined. */
async function newFields(
  { store, settings }: CoreContext,
  call: Caller,
  groups: readonly FieldGroupState[],
): Promise<readonly Statement[]> {
  const members = groups.flatMap(({ content: { field = [] } }) => field);
  const defined = await loadFields(
    store,
    members.flatMap(({ name }) => name ?? []),
  );
  const missing = missingFields(members, new Set(defined.keys()));
  if (missing.length > 0 && !(await subjectOf(call).has(fieldWriter))) throw roleMissing(fieldWriter);
  // Yields between fields, since compiling a pattern takes long.
  const fields = await inSlices(missing, async (slice) => {
    await yieldTurn();
    return slice.map((field) => newField(field, settings));
  });
  return fields.flat(2);
}
