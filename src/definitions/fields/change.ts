import { findEntity } from '../../entities/find.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { CoreContext } from '../../room/context.ts';
import type { Caller } from '../../security/caller.ts';
import type { MetadataField } from '../documents.ts';
import { fieldKind, fieldName, fieldNamed } from '../kinds.ts';
import { refuseTaken } from '../names.ts';
import { giveExternalIds } from '../namespaces/give.ts';
import { putField } from './rules.ts';
import type { FieldRow } from './store.ts';

/** Creates or changes the field named by the path. External ids find existing fields only. */
export async function changeField(
  parts: CoreContext,
  call: Caller,
  path: string,
  document: MetadataField,
): Promise<FieldRow> {
  const { store, settings } = parts;
  refuseTaken(path);
  return retryWhenChanged(async () => {
    const row = (await findEntity(store, fieldKind(store), path))?.row;
    const name = row?.name ?? path;
    const externalIds = await giveExternalIds(parts, fieldName, name, document.externalId ?? []);
    await call.commit(putField(name, document, row, settings, externalIds));
    return fieldNamed(store, name);
  });
}
