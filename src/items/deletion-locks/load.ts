import { metadataOf } from '../../entities/key-values/documents.ts';
import { keyValuesOf } from '../../entities/key-values/store.ts';
import type { Reader } from '../../store/statement.ts';
import type { DeletionLock } from './documents.ts';
import { type DeletionLockRow, effectiveLock, lockType } from './store.ts';

export interface Protected {
  readonly type: string;
  readonly id: string;
}

const nouns: ReadonlyMap<string, string> = new Map([
  ['item', 'Item'],
  ['collection', 'Collection'],
  ['library', 'Library'],
  ['file', 'File'],
]);

/** Documents of locks, from the view of an entity or of the locked entity itself. */
export async function lockDocuments(
  reader: Reader,
  rows: readonly DeletionLockRow[],
  now: number,
  entity?: Protected,
): Promise<readonly DeletionLock[]> {
  const ids = rows.map(({ id }) => id);
  const metadata = await keyValuesOf(reader, lockType, ids);
  const effective = new Map<string, string | undefined>();
  const documents: DeletionLock[] = [];
  for (const row of rows) {
    const { type, id } = entity ?? { type: row.entityType, id: row.entityId };
    const key = `${type}/${id}`;
    if (!effective.has(key)) effective.set(key, (await effectiveLock(reader, { type, id, now, except: '' }))[0]?.id);
    documents.push({
      id: row.id,
      user: row.user,
      expiryTime: row.expiresAt,
      modified: row.modifiedAt,
      entityType: nouns.get(row.entityType),
      entityId: row.entityId,
      metadata: metadataOf(metadata.get(row.id)),
      isExpired: row.expiresAt <= now,
      isEffective: effective.get(key) === row.id,
      isInherited: row.entityType !== type || row.entityId !== id,
    });
  }
  return documents;
}
