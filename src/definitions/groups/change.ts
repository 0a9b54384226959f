import { findEntity } from '../../entities/find.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { roleMissing } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { inSlices } from '../../lib/in-slices.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { nextTurn } from '../../lib/turn.ts';
import type { CoreContext } from '../../room/context.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { granteeOf } from '../access/grantees.ts';
import { askerOf, type FieldLevel, fieldRights, wordOf } from '../access/rights.ts';
import type { MetadataFieldGroup } from '../documents.ts';
import { fieldGroupKind, fieldGroupNamed, groupName } from '../kinds.ts';
import { loadFields } from '../known.ts';
import { giveExternalIds } from '../namespaces/give.ts';
import { createFieldGroup, type FieldGroupState, missingFields, newField, putFieldGroup } from './rules.ts';
import type { FieldGroupRow } from './store.ts';

/** Role needed for creating fields through a group. */
const fieldWriter = '_metadata_field_write';

/** Group named by the path or an external id. Refuses callers without the right. */
export async function groupWithRight(
  { store }: CoreContext,
  call: Caller,
  path: string,
  needed: FieldLevel,
): Promise<FieldGroupRow> {
  const row = await fieldGroupNamed(store, path);
  const rights = await fieldRights(store, await askerOf(call), { groups: [row.name] });
  if (rights.group(row.name) >= needed) return row;
  const explanation = `Expected the right ${wordOf(needed)} in the field group`;
  throw new ServiceError('not-allowed', { context: 'field-group', id: row.name, explanation });
}

/** Creates or changes the group named by the path. Without a document, an existing one stays. */
export async function changeFieldGroup(
  parts: CoreContext,
  call: Caller,
  path: string,
  document: MetadataFieldGroup | undefined,
  clear: boolean,
  needed: FieldLevel,
): Promise<void> {
  const { store, settings } = parts;
  if (document?.access?.length) await checkGranter(call);
  await retryWhenChanged(async () => {
    const there = await findEntity(store, fieldGroupKind(store), path);
    if (there && (document || clear)) await groupWithRight(parts, call, there.id, needed);
    const name = there?.id ?? path;
    if (!document && !clear) return there ? undefined : call.commit(createFieldGroup(name));
    const given = document ?? {};
    const externalIds = await giveExternalIds(parts, groupName, name, given.externalId ?? []);
    const state = { isNew: !there, externalIds, ...(await read(parts, call, given)) };
    return call.commit(putFieldGroup(name, given, clear, state, settings));
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
  const made = await inSlices(missing, async (slice) => {
    await nextTurn();
    return slice.map((field) => newField(field, settings));
  });
  const access = [];
  for (const entry of document.access ?? []) {
    const grantee = await granteeOf(store, entry, '/MetadataFieldGroupDocument/access');
    access.push({ id: await store.nextId('metadata-field-access'), entry, grantee });
  }
  return { newFields: made.flat(), access };
}
