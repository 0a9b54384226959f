import { rowBy } from '../../../core/store/rows.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { findDocument } from '../store.ts';
import { configuration } from '../tables.ts';
import type { StoredTaskGroup } from './rules.ts';

export const taskGroupsName = 'task-group';

const findRevision = rowBy(configuration, 'name', 'revision');

/** Revision of the stored groups. 0: none was ever stored. */
export const taskGroupsRevision = async (reader: Reader): Promise<number> =>
  (await findRevision(reader, { name: taskGroupsName }))?.revision ?? 0;

export async function storedTaskGroups(
  reader: Reader,
): Promise<{ readonly revision: number; readonly groups: readonly StoredTaskGroup[] }> {
  const row = await findDocument(reader, { name: taskGroupsName });
  const document = JSON.parse(row?.document ?? '{}') as { readonly group?: readonly StoredTaskGroup[] };
  return { revision: row?.revision ?? 0, groups: document.group ?? [] };
}
