import { ServiceError } from '../../../core/lib/errors.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { inSlices, yieldTurn } from '../../../core/lib/turn.ts';
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
import { createFieldGroup, type FieldGroupState, missingFields, newField, putFieldGroup } from './rules.ts';

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
        await mustHaveRight(reader, call, entity.id, needed);
        return entity;
      },
    };
  };

/** Sub-resources of a group need the same rights as the group. */
export const fieldGroupPlace = (reader: Reader): EntityResource<Entity> => ({
  ...entityAt(reader, fieldGroupKind(reader), groupPath, (use) => guardedGroup(reader)(level[use])),
  kind: groupName,
});

/** Refuses callers without the right in a group. */
async function mustHaveRight(reader: Reader, caller: Caller, name: string, needed: FieldLevel): Promise<void> {
  const rights = await fieldRights(reader, await askerOf(caller), { groups: [name] });
  if (rights.group(name) >= needed) return;
  const explanation = `Expected the right ${wordOf(needed)} in the field group`;
  throw new ServiceError('not-allowed', { context: 'field-group', id: name, explanation });
}

/** Creates or changes the group named by the path. Without a document, an existing one stays. */
export async function changeFieldGroup(
  parts: CoreContext,
  call: Caller,
  path: string,
  document: MetadataFieldGroup | undefined,
  clear: boolean,
): Promise<void> {
  const { store, settings } = parts;
  if (document?.access?.length) await checkGranter(call);
  await call.change(async () => {
    const group = await findEntity(store, fieldGroupKind(store), path);
    if (group && (document || clear)) await mustHaveRight(store, call, group.id, level.write);
    const name = group?.id ?? path;
    if (!document && !clear) return group ? undefined : createFieldGroup(name);
    const content = document ?? {};
    const externalIds = await giveExternalIds(parts, groupName, name, content.externalId ?? []);
    const state = { isNew: !group, externalIds, ...(await read(parts, call, content)) };
    return putFieldGroup(name, content, clear, state, settings);
  });
}

/** Checks the caller as on the route for entries, since entries are rights. */
async function checkGranter(call: Caller): Promise<void> {
  if (!(await subjectOf(call).has(administrator))) throw roleMissing(administrator);
  if (await onlyActs(call)) throw outlastsActing();
}

async function read(
  { store, settings }: CoreContext,
  call: Caller,
  document: MetadataFieldGroup,
): Promise<Pick<FieldGroupState, 'newFields' | 'access'>> {
  const names = (document.field ?? []).flatMap(({ name }) => name ?? []);
  const missing = missingFields(document, new Set((await loadFields(store, names)).keys()));
  if (missing.length > 0 && !(await subjectOf(call).has(fieldWriter))) throw roleMissing(fieldWriter);
  // Yields between fields, since compiling a pattern takes long.
  const fields = await inSlices(missing, async (slice) => {
    await yieldTurn();
    return slice.map((field) => newField(field, settings));
  });
  const access = await askEach(document.access ?? [], async (entry) => {
    const grantee = await granteeOf(store, granteeNamed(entry, '/MetadataFieldGroupDocument/access'));
    return { id: await store.nextId('metadata-field-access'), entry, grantee };
  });
  return { newFields: fields.flat(), access };
}
