import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { MetadataOwner } from '../store.ts';
import { fieldsFree, insertLock, type LockRow, removeEditLock, removeExpired, updateLock } from './store.ts';

export interface LockRequest {
  readonly user: string;
  /** Empty: all fields. */
  readonly fields: readonly string[];
  readonly expiresAt: number;
}

/** Refusal of a change to fields that another user has locked. */
const locked = ({ id }: { readonly id: string }): ServiceError =>
  new ServiceError('metadata-locked', {
    type: 'metadata-lock',
    id,
    explanation: 'Another user holds a lock on these fields: wait until it expires',
  });

export const noSuchEditLock = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'metadata-lock', id: id.slice(0, 80) });

/** Guard for a commit that changes these fields. */
export const expectUnlocked = (owner: MetadataOwner, user: string, fields: readonly string[], now: number): Statement =>
  free(owner, { user, fields, now }, 0, '');

function free(
  owner: { readonly kind: string; readonly id: string },
  wanted: { readonly user: string; readonly fields: readonly string[]; readonly now: number },
  all: 0 | 1,
  except: string,
): Statement {
  const { user, now, fields } = wanted;
  return fieldsFree({ kind: owner.kind, id: owner.id, user, now, fields, all, except }, locked(owner));
}

export function createLock(id: string, owner: MetadataOwner, request: LockRequest, now: number): CommitPlan {
  const { user, fields, expiresAt } = request;
  return changing(
    removeExpired({ ...owner, now }),
    free(owner, { user, fields, now }, fields.length === 0 ? 1 : 0, ''),
    insertLock({ id, ownerType: owner.kind, ownerId: owner.id, user, expiresAt, fields: JSON.stringify(fields) }),
  );
}

/** Extends the lock of its holder, or changes its fields. */
export function changeEditLock(lock: LockRow, request: LockRequest, now: number): CommitPlan {
  const { user, fields, expiresAt } = request;
  const owner = { kind: lock.ownerType, id: lock.ownerId };
  return changing(
    free(owner, { user, fields, now }, fields.length === 0 ? 1 : 0, lock.id),
    updateLock({ id: lock.id, expiresAt, fields: JSON.stringify(fields) }),
  );
}

export const deleteLock = ({ id }: LockRow): CommitPlan => changing(removeEditLock({ id }));

/** Refuses callers other than the holder and administrators. */
export function expectHolder(lock: LockRow, user: string, administers: boolean): void {
  if (administers || lock.user === user) return;
  const explanation = `Expected the user who holds the lock: "${lock.user}"`;
  throw new ServiceError('not-allowed', { context: 'metadata-lock', id: lock.id, explanation });
}
