import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { typeInWords } from '../../../core/lib/messages.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { keyValuesFrom } from '../../../room/entities/key-values/rules.ts';
import { setKeyValues } from '../../../room/entities/key-values/store.ts';
import type { KindName } from '../../../room/entity.ts';
import { itemEvent } from '../events.ts';
import type { DeletionLock } from './documents.ts';
import {
  type DeletionLockRow,
  deletionLockMustExist,
  insertDeletionLock,
  locksOn,
  lockType,
  markExpired,
  notLocked,
  removeDeletionLock,
  removeLocksOf,
  touchDeletionLock,
  updateDeletionLock,
} from './store.ts';

/** Guard for the commit that deletes an entity: no lock on it, or on a collection above it. */
export const deletable = (kind: KindName, id: string, now: number): Statement =>
  notLocked({ type: kind.type, id, now }, lockedEntity(kind, id));

/** Guard for the commit that deletes or forgets a file: no lock on it, or on entities that use it. */
const fileUnlocked = (id: string, now: number): Statement => notLocked({ type: 'file', id, now }, lockedFile(id));

const lockedEntity = ({ noun }: KindName, id: string): ServiceError =>
  new ServiceError('entity-locked', {
    type: noun,
    id,
    explanation: `Expected no effective deletion lock on the ${typeInWords(noun)}`,
  });

const lockedFile = (id: string): ServiceError =>
  new ServiceError('entity-locked', {
    type: 'File',
    id,
    explanation: 'Expected a deletion of files without an effective deletion lock',
  });

/** Guards for deleting a file if the same commit removes it from its items. */
export function fileDeletable(id: string, items: readonly string[], now: number): readonly Statement[] {
  const locked = lockedFile(id);
  const ofItems = items.map((item) => notLocked({ type: 'item', id: item, now }, locked));
  return [fileUnlocked(id, now), ...ofItems];
}

/** Deletes expired locks with their entity. Locks still in effect prevent the deletion. */
export async function forgetDeletionLocks(reader: Reader, type: string, id: string): Promise<CommitPlan> {
  const rows = await locksOn(reader, { type, id });
  return {
    changes: [
      ...rows.flatMap((row) => forgetEntity(lockType, row.id)),
      ...removeLocksOf.map((statement) => statement({ type, id })),
    ],
    events: rows.map((row) => itemEvent('deletionLock/delete', row.id, payloadOf(row))),
  };
}

const metadataPlace = '/DeletionLockDocument/metadata/field/key';

const metadata = ({ metadata: pairs }: DeletionLock, id: string, mostBytes: number): readonly Statement[] =>
  pairs ? setKeyValues(lockType, id, keyValuesFrom(pairs, metadataPlace, mostBytes), false) : [];

type NewLock = Omit<DeletionLockRow, 'expiresAt'>;

/** The lock that protects the entity for the longest time. */
type Longest = Pick<DeletionLockRow, 'id' | 'serial' | 'entityType' | 'entityId' | 'expiresAt'> | undefined;

interface Considered {
  readonly now: number;
  /** The longest lock among the other ones. */
  readonly other: Longest;
  readonly mostBytes: number;
}

const isLonger = (one: NonNullable<Longest>, other: Longest): boolean =>
  other === undefined ||
  one.expiresAt > other.expiresAt ||
  (one.expiresAt === other.expiresAt && one.serial < other.serial);

/** Event if the effective lock changes. Inherited locks send none: they take effect where they are set. */
function effective(
  row: DeletionLockRow,
  before: number | undefined,
  after: number | undefined,
  considered: Considered,
) {
  const { now, other } = considered;
  const longest = (expiresAt: number | undefined): Longest => {
    const own = expiresAt !== undefined && expiresAt > now ? { ...row, expiresAt } : undefined;
    return own && isLonger(own, other) ? own : other;
  };
  const [was, is] = [longest(before), longest(after)];
  if (is === undefined || is.id === was?.id) return [];
  if (is.entityType !== row.entityType || is.entityId !== row.entityId) return [];
  return [itemEvent('deletionLock/effective', is.id, payloadOf(is))];
}

/** Creates a lock. One that has already expired is accepted, and protects nothing. */
export function lockEntity(lock: NewLock, document: DeletionLock, considered: Considered): CommitPlan {
  const { expiryTime: expiresAt } = document;
  if (expiresAt === undefined) throw badValue('/DeletionLockDocument/expiryTime', 'a date and time');
  const { id } = lock;
  const row = { ...lock, expiresAt };
  return {
    changes: [insertDeletionLock(row), ...metadata(document, id, considered.mostBytes)],
    events: [itemEvent('deletionLock/create', id, payloadOf(row)), ...effective(row, undefined, expiresAt, considered)],
  };
}

/** Changes the properties that the document names. */
export function changeDeletionLock(row: DeletionLockRow, document: DeletionLock, considered: Considered): CommitPlan {
  const { id } = row;
  const { now, mostBytes } = considered;
  const { expiryTime: expiresAt = row.expiresAt } = document;
  return {
    changes: [updateDeletionLock({ id, expiresAt, now }), ...metadata(document, id, mostBytes)],
    events: [
      itemEvent('deletionLock/modify', id, payloadOf({ ...row, expiresAt })),
      ...effective(row, row.expiresAt, expiresAt, considered),
    ],
  };
}

/** Changes the metadata and keeps the expiry time. */
export const changeLockMetadata = (row: DeletionLockRow, changes: readonly Statement[], now: number): CommitPlan => ({
  changes: [
    deletionLockMustExist(row.id, noSuchDeletionLock(row.id)),
    touchDeletionLock({ id: row.id, modifiedAt: now }),
    ...changes,
  ],
  events: [itemEvent('deletionLock/modify', row.id, payloadOf(row))],
});

export function endDeletionLock(row: DeletionLockRow, considered?: Considered): CommitPlan {
  const { id } = row;
  return {
    changes: [
      deletionLockMustExist(id, noSuchDeletionLock(id)),
      ...forgetEntity(lockType, id),
      removeDeletionLock({ id }),
    ],
    events: [
      itemEvent('deletionLock/delete', id, payloadOf(row)),
      ...(considered ? effective(row, row.expiresAt, undefined, considered) : []),
    ],
  };
}

/** `still`: guard that no other instance has sent the event. */
export const expireLock = (row: DeletionLockRow, still: Statement): CommitPlan => ({
  changes: [still, markExpired({ id: row.id })],
  events: [itemEvent('deletionLock/expire', row.id, payloadOf(row))],
});

const payloadOf = ({ id, entityType, entityId, expiresAt }: NonNullable<Longest>) => ({
  deletionLockId: id,
  entityType,
  entityId,
  expiryTime: expiresAt,
});

export const noSuchDeletionLock = (id: string): ServiceError => noSuchEntity({ noun: 'DeletionLock' }, id);
