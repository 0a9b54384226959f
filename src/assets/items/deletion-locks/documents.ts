import {
  attribute,
  boolean,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { simpleMetadata } from '../../../core/documents/shared-documents.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { metadataOf } from '../../../room/entities/key-values/rules.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import { type DeletionLockRow, effectiveLocks, entityOf, lockType } from './store.ts';

const deletionLock = structure('DeletionLockType', {
  id: element(string).outputOnly,
  user: element(string).outputOnly,
  expiryTime: element(dateTime),
  modified: element(dateTime).outputOnly,
  entityType: element(string).outputOnly.says('"Item", "Collection" or "File".'),
  entityId: element(string).outputOnly,
  metadata: element(simpleMetadata),
  isExpired: attribute(boolean).outputOnly,
  isEffective: attribute(boolean).outputOnly.says(
    'True for the effective lock of the entity: the one that expires last.',
  ),
  isInherited: attribute(boolean).outputOnly.says(
    'True if the lock is set on a parent of the entity: a collection, or the item of a file.',
  ),
});

export const deletionLockDocument = document('DeletionLockDocument', deletionLock);
export type DeletionLock = Value<typeof deletionLockDocument>;

export const deletionLockListDocument = document('DeletionLockListDocument', {
  count: element(integer).says('Number of locks on all pages, for callers who may read all of them.'),
  lock: list(deletionLock),
});

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

/** Locks that protect one of the entities for the longest time. `except`: id of a lock to ignore. */
export const effectiveLocksOn = (reader: Reader, entities: readonly Protected[], now: number, except = '') =>
  effectiveLocks(reader, { entities: entities.map(({ type, id }) => [type, id]), now, except });

/** Documents of locks, from the view of an entity or of the locked entity itself. */
export async function lockDocuments(
  reader: Reader,
  rows: readonly DeletionLockRow[],
  now: number,
  entity?: Protected,
): Promise<readonly DeletionLock[]> {
  const ids = rows.map(({ id }) => id);
  const [metadata, effective] = await Promise.all([
    keyValuesOf(reader, lockType, ids),
    effectiveLocksOn(reader, entity ? [entity] : rows.map(entityOf), now),
  ]);
  // A lock that protects an entity below its own for the longest time does so for its own, too.
  const effectiveIds = new Set(effective.map(({ id }) => id));
  return rows.map((row) => {
    const { type, id } = entity ?? entityOf(row);
    return {
      id: row.id,
      user: row.user,
      expiryTime: row.expiresAt,
      modified: row.modifiedAt,
      entityType: nouns.get(row.entityType),
      entityId: row.entityId,
      metadata: metadataOf(metadata.get(row.id)),
      isExpired: row.expiresAt <= now,
      isEffective: effectiveIds.has(row.id),
      isInherited: row.entityType !== type || row.entityId !== id,
    };
  });
}
