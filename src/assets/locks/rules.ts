import { badValue } from '../../documents/bad-value.ts';
import { noSuchEntity } from '../../entities/find.ts';
import { forgetEntity } from '../../entities/forget.ts';
import { keyValuesFrom } from '../../entities/key-values/documents.ts';
import { setKeyValues } from '../../entities/key-values/store.ts';
import { ServiceError } from '../../lib/errors.ts';
import { inWords } from '../../lib/sentence.ts';
import type { EntityKind, KindName } from '../../room/entity.ts';
import type { Statement, Work } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { happened } from '../events.ts';
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

/** For the commit that deletes an entity: neither it nor a collection above it is locked. */
export const deletable = (kind: KindName, id: string, now: number): Statement =>
  notLocked({ type: kind.type, id, now }, lockedEntity(kind, id));

/** For the commit that deletes or forgets a file: neither it nor what has it is locked. */
export const fileUnlocked = (id: string, now: number): Statement =>
  notLocked({ type: 'file', id, now }, lockedFile(id));

const lockedEntity = ({ noun }: KindName, id: string): ServiceError =>
  new ServiceError('entity-locked', {
    type: noun,
    id,
    explanation: `Expected no effective deletion lock on the ${inWords(noun)}`,
  });

const lockedFile = (id: string): ServiceError =>
  new ServiceError('entity-locked', {
    type: 'File',
    id,
    explanation: 'Expected a deletion of files without an effective deletion lock',
  });

/** The same where the commit has taken the file from the items already. */
export function fileDeletable(id: string, items: readonly string[], now: number): readonly Statement[] {
  const locked = lockedFile(id);
  const ofItems = items.map((item) => notLocked({ type: 'item', id: item, now }, locked));
  return [fileUnlocked(id, now), ...ofItems];
}

/** Locks that have expired go with their entity; others would keep it. */
export async function forgetLocks(reader: Reader, type: string, id: string): Promise<Work> {
  const rows = await locksOn(reader, { type, id });
  return {
    changes: [
      ...rows.flatMap((row) => forgetEntity(lockType, row.id)),
      ...removeLocksOf.map((statement) => statement({ type, id })),
    ],
    events: rows.map((row) => happened('deletionLock/delete', row.id, payloadOf(row))),
  };
}

const metadataPlace = '/DeletionLockDocument/metadata/field/key';

const metadata = ({ metadata: given }: DeletionLock, id: string, mostBytes: number): readonly Statement[] =>
  given ? setKeyValues(lockType, id, keyValuesFrom(given, metadataPlace, mostBytes), false) : [];

type Made = Omit<DeletionLockRow, 'expiresAt'>;

/** The lock that protects the entity for the longest time, all others considered. */
export type Longest = Pick<DeletionLockRow, 'id' | 'serial' | 'entityType' | 'entityId' | 'expiresAt'> | undefined;

interface Considered {
  readonly now: number;
  /** The longest of the other locks. */
  readonly other: Longest;
  readonly mostBytes: number;
}

const isLonger = (one: NonNullable<Longest>, other: Longest): boolean =>
  other === undefined ||
  one.expiresAt > other.expiresAt ||
  (one.expiresAt === other.expiresAt && one.serial < other.serial);

/** Tells of the lock that takes the place of another one. An inherited one was it already, where it is set. */
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
  return [happened('deletionLock/effective', is.id, payloadOf(is))];
}

/** One that has expired already is taken, and protects nothing. */
export function lockEntity(kind: EntityKind, made: Made, document: DeletionLock, considered: Considered): Work {
  const { expiryTime: expiresAt } = document;
  if (expiresAt === undefined) throw badValue('/DeletionLockDocument/expiryTime', 'a date and time');
  const { id, entityId } = made;
  const row = { ...made, expiresAt };
  return {
    changes: [
      kind.mustExist(entityId, noSuchEntity(kind, entityId)),
      insertDeletionLock(row),
      ...metadata(document, id, considered.mostBytes),
    ],
    events: [happened('deletionLock/create', id, payloadOf(row)), ...effective(row, undefined, expiresAt, considered)],
  };
}

/** What the document does not name stays. */
export function changeLock(row: DeletionLockRow, document: DeletionLock, considered: Considered): Work {
  const { id } = row;
  const { now, mostBytes } = considered;
  const { expiryTime: expiresAt = row.expiresAt } = document;
  return {
    changes: [
      deletionLockMustExist(id, noSuchLock(id)),
      updateDeletionLock({ id, expiresAt, now }),
      ...metadata(document, id, mostBytes),
    ],
    events: [
      happened('deletionLock/modify', id, payloadOf({ ...row, expiresAt })),
      ...effective(row, row.expiresAt, expiresAt, considered),
    ],
  };
}

/** When it expires stays. */
export const changeLockMetadata = (row: DeletionLockRow, changes: readonly Statement[], now: number): Work => ({
  changes: [deletionLockMustExist(row.id, noSuchLock(row.id)), touchDeletionLock({ id: row.id, now }), ...changes],
  events: [happened('deletionLock/modify', row.id, payloadOf(row))],
});

export function removeLock(row: DeletionLockRow, considered?: Considered): Work {
  const { id } = row;
  return {
    changes: [deletionLockMustExist(id, noSuchLock(id)), ...forgetEntity(lockType, id), removeDeletionLock({ id })],
    events: [
      happened('deletionLock/delete', id, payloadOf(row)),
      ...(considered ? effective(row, row.expiresAt, undefined, considered) : []),
    ],
  };
}

/** `still`: the guard that nobody else told of it. */
export const expireLock = (row: DeletionLockRow, still: Statement): Work => ({
  changes: [still, markExpired({ id: row.id })],
  events: [happened('deletionLock/expire', row.id, payloadOf(row))],
});

const payloadOf = ({ id, entityType, entityId, expiresAt }: NonNullable<Longest>) => ({
  deletionLockId: id,
  entityType,
  entityId,
  expiryTime: expiresAt,
});

export const noSuchLock = (id: string): ServiceError => noSuchEntity({ noun: 'DeletionLock' }, id);
