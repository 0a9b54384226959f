import { badValue } from '../../documents/bad-value.ts';
import { noSuchEntity } from '../../entities/find.ts';
import { keyValuesFrom } from '../../entities/key-values/documents.ts';
import { removeAllKeys, setKeyValues } from '../../entities/key-values/store.ts';
import { ServiceError } from '../../lib/errors.ts';
import { inWords } from '../../lib/sentence.ts';
import type { EntityKind, KindName } from '../../room/entity.ts';
import type { Statement, Work } from '../../store/contract.ts';
import { happened } from '../events.ts';
import type { DeletionLock } from './documents.ts';
import {
  type DeletionLockRow,
  deletionLockMustExist,
  insertDeletionLock,
  lockType,
  notLocked,
  removeDeletionLock,
  removeLocksOf,
  updateDeletionLock,
} from './store.ts';

/** For the commit that deletes an entity: neither it nor a collection above it is locked. */
export const deletable = (kind: KindName, id: string, now: number): Statement =>
  notLocked({ type: kind.type, id, now }, lockedEntity(kind, id));

const lockedEntity = ({ noun }: KindName, id: string): ServiceError =>
  new ServiceError('entity-locked', {
    type: noun,
    id,
    explanation: `Expected a ${inWords(noun)} without an effective deletion lock`,
  });

/** For the commit that deletes a file: no lock protects it, nor the items that have it, nor the collections above them. */
export function fileDeletable(id: string, items: readonly string[], now: number): readonly Statement[] {
  const explanation = 'Expected a deletion of files without an effective deletion lock';
  const locked = new ServiceError('entity-locked', { type: 'File', id, explanation });
  const ofItems = items.map((item) => notLocked({ type: 'item', id: item, now }, locked));
  return [notLocked({ type: 'file', id, now }, locked), ...ofItems];
}

export const forgetLocks = (type: string, id: string): readonly Statement[] =>
  removeLocksOf.map((statement) => statement({ type, id }));

const metadataPlace = '/DeletionLockDocument/metadata/field/key';

const metadata = ({ metadata: given }: DeletionLock, id: string, mostBytes: number): readonly Statement[] =>
  given ? setKeyValues(lockType, id, keyValuesFrom(given, metadataPlace, mostBytes), false) : [];

type Made = Omit<DeletionLockRow, 'expiresAt'>;

/** One that has expired already is taken, and protects nothing. */
export function lockEntity(kind: EntityKind, made: Made, document: DeletionLock, mostBytes: number): Work {
  const { expiryTime: expiresAt } = document;
  if (expiresAt === undefined) throw badValue('/DeletionLockDocument/expiryTime', 'a date and time');
  const { id, entityId } = made;
  return {
    changes: [
      kind.mustExist(entityId, noSuchEntity(kind, entityId)),
      insertDeletionLock({ ...made, expiresAt }),
      ...metadata(document, id, mostBytes),
    ],
    events: [happened('deletionLock/create', id, payloadOf(made))],
  };
}

/** What the document does not name stays. */
export function changeLock(row: DeletionLockRow, document: DeletionLock, now: number, mostBytes: number): Work {
  const { id } = row;
  return {
    changes: [
      deletionLockMustExist(id, noSuchLock(id)),
      updateDeletionLock({ id, expiresAt: document.expiryTime ?? row.expiresAt, now }),
      ...metadata(document, id, mostBytes),
    ],
    events: [happened('deletionLock/modify', id, payloadOf(row))],
  };
}

export function removeLock(row: DeletionLockRow): Work {
  const { id } = row;
  return {
    changes: [
      deletionLockMustExist(id, noSuchLock(id)),
      removeAllKeys({ owner: lockType, id }),
      removeDeletionLock({ id }),
    ],
    events: [happened('deletionLock/delete', id, payloadOf(row))],
  };
}

const payloadOf = ({ id, entityType, entityId }: Pick<DeletionLockRow, 'id' | 'entityType' | 'entityId'>) => ({
  deletionLockId: id,
  entityType,
  entityId,
});

export const noSuchLock = (id: string): ServiceError => noSuchEntity({ noun: 'DeletionLock' }, id);
