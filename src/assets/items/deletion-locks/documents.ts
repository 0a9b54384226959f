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
import { simpleMetadata } from '../../../core/documents/shared/simple-metadata.ts';

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
