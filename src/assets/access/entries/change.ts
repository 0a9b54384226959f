import { existing } from '../../../core/lib/checks.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import { noSuchGroup, noSuchUser, userNamed } from '../../../identity/public.ts';
import { findGroup, findUser } from '../../../identity/public-reading.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { ownerOf } from '../access.ts';
import { accessEvent } from '../events.ts';
import type { AccessTarget, Guarded } from '../levels.ts';
import { type EntryRequest, noSuchEntry, ownerStays } from './rules.ts';
import {
  changeEntry,
  changeOwner,
  type EntryRow,
  entriesFit,
  entriesOn,
  entryMustExist,
  entryOn,
  groupThere,
  insertEntry,
  maxEntries,
  type NewEntry,
  removeEntry,
  sameEntries,
  userThere,
} from './store.ts';

export interface Grantee {
  /** Grantee as shown in events and documents: a user by its name, never by an alias. */
  readonly named: EntryRequest['grantee'];
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly guard: Statement;
}

/** Grantor of new entries. Entries granted by an administrator stay on without any other entry. */
export interface Grantor {
  readonly grantorId: string | null;
  readonly rooted: number;
}

export async function grantorOf(call: Caller): Promise<Grantor> {
  const subject = subjectOf(call);
  return { grantorId: subject.user?.id ?? null, rooted: (await subject.has(administrator)) ? 1 : 0 };
}

/** Grantee of an entry; 404 if the user or group is unknown. */
export async function granteeOf(reader: Reader, grantee: EntryRequest['grantee']): Promise<Grantee> {
  if ('user' in grantee) {
    const name = grantee.user;
    const user = existing(await findUser(reader, { name }), noSuchUser, name);
    return {
      named: { user: user.name },
      userId: user.id,
      groupId: null,
      guard: userThere({ id: user.id }, noSuchUser(name)),
    };
  }
  const name = grantee.group;
  const group = existing(await findGroup(reader, { name }), noSuchGroup, name);
  return { named: grantee, userId: null, groupId: group.id, guard: groupThere({ id: group.id }, noSuchGroup(name)) };
}

/** Adds entries with new ids, as part of a commit that guards the entity. */
export async function addEntries(
  store: Store,
  target: AccessTarget,
  requests: readonly EntryRequest[],
  grantor: Grantor,
): Promise<CommitPlan & { readonly ids: readonly string[] }> {
  if (requests.length > maxEntries) throw full(target);
  const changes: Statement[] = [];
  const events: CommitPlan['events'][number][] = [];
  const ids: string[] = [];
  // Reads that do not wait for each other share a call to a remote database.
  const grantees = await Promise.all(requests.map(({ grantee }) => granteeOf(store, grantee)));
  for (const [index, request] of requests.entries()) {
    const { named, userId, groupId, guard } = grantees[index]!;
    const id = await store.nextId('access');
    const entry = entryFor(target, id, request, { userId, groupId }, grantor);
    ids.push(id);
    changes.push(guard, insertEntry(entry));
    events.push(...entryEvents('access/create', target, { ...request, grantee: named, id }));
  }
  if (requests.length > 0) changes.push(entriesFit(ofTarget(target), full(target)));
  return { changes, events, ids, touches: touched(target) };
}

const ofTarget = ({ type: entityType, id: entityId }: AccessTarget) => ({ entityType, entityId });

const entryFor = (
  target: AccessTarget,
  id: string,
  { permission, priority, appliesTo, reach, operation, extradata }: EntryRequest,
  { userId, groupId }: Pick<Grantee, 'userId' | 'groupId'>,
  { grantorId, rooted }: Grantor,
): NewEntry => ({
  ...ofTarget(target),
  id,
  entitySerial: serialOf(target.id),
  userId,
  groupId,
  permission,
  priority,
  appliesTo,
  reach,
  operation,
  extradata,
  grantorId,
  rooted,
});

/** Adds one entry. If an equal one exists, only its level changes, if it differs. */
export async function addOnce(
  store: Store,
  target: AccessTarget,
  request: EntryRequest,
  grantor: Grantor,
): Promise<CommitPlan & { readonly ids: readonly string[] }> {
  const { named, userId, groupId } = await granteeOf(store, request.grantee);
  const { reach, priority, operation, extradata, permission } = request;
  const isEqual = (row: EntryRow): boolean =>
    row.permission !== 'OWNER' &&
    row.userId === userId &&
    row.groupId === groupId &&
    row.operation === operation &&
    row.extradata === extradata &&
    row.reach === reach &&
    row.priority === priority;
  const equal = (await entriesOn(store, ofTarget(target))).filter(isEqual);
  const same = { ...ofTarget(target), userId, groupId, operation, extradata, reach, priority, count: equal.length };
  const guard = sameEntries(same, changedMeanwhile('Access', target.id));
  const entry = equal.find((row) => row.permission === permission) ?? equal[0];
  if (!entry) {
    const added = await addEntries(store, target, [request], grantor);
    return { ...added, changes: [guard, ...added.changes] };
  }
  if (entry.permission === permission) return { changes: [], events: [], ids: [entry.id] };
  return {
    changes: [guard, changeEntry({ ...ofTarget(target), id: entry.id, permission, ...grantor })],
    events: entryEvents('access/change', target, { ...request, grantee: named, id: entry.id }),
    ids: [entry.id],
    touches: touched(target),
  };
}

/** Deletes the entries with these ids, or none. */
export async function deleteEntries(reader: Reader, target: AccessTarget, ids: readonly string[]): Promise<CommitPlan> {
  const changes: Statement[] = [];
  const events: CommitPlan['events'][number][] = [];
  for (const id of new Set(ids)) {
    const key = { ...ofTarget(target), id };
    const row = existing((await entryOn(reader, key))[0], noSuchEntry, id);
    if (row.permission === 'OWNER') throw ownerStays(id);
    changes.push(entryMustExist(key, noSuchEntry(id)), removeEntry(key));
    events.push(...entryEvents('access/delete', target, { ...row, grantee: granteeIn(row) }));
  }
  return { changes, events, touches: touched(target) };
}

const granteeIn = ({ user, group }: EntryRow): EntryRequest['grantee'] =>
  group === null ? { user: user ?? 'system' } : { group };

interface EntryEventFacts {
  readonly id: string;
  readonly permission: string;
  readonly grantee: EntryRequest['grantee'];
}

/** Events of entries. Kinds other than items have no triggers, and an event for a user who gets an entry. */
export function entryEvents(
  name: 'access/create' | 'access/change' | 'access/delete',
  { type, id }: AccessTarget,
  { id: accessId, permission, grantee }: EntryEventFacts,
): CommitPlan['events'] {
  if (type === 'item') return [accessEvent(name, id, { itemId: id, accessId, permission, ...grantee })];
  const isNew = name === 'access/create' && 'user' in grantee;
  return isNew ? [accessEvent('access/grant', id, { type, id, permission, user: grantee.user })] : [];
}

export const touched = ({ type, id }: AccessTarget) => [{ kind: type, id, aspect: 'access' }];

const full = ({ id }: AccessTarget): ServiceError =>
  new ServiceError('bad-value', { context: 'access', id, explanation: `Expected at most ${maxEntries} entries` });

/** Makes another user the owner. The OWNER entry keeps its id. */
export async function giveTo(
  store: Store,
  target: AccessTarget,
  name: string,
): Promise<CommitPlan & { readonly id: string }> {
  const user = await userNamed({ store }, name);
  const guard = userThere({ id: user.id }, noSuchUser(name));
  const rows = await entriesOn(store, ofTarget(target));
  const owner = rows.find(({ permission }) => permission === 'OWNER');
  const id = owner?.id ?? (await store.nextId('access'));
  const key = { ...ofTarget(target), id };
  const type = target.type as Guarded;
  const changes = owner
    ? [guard, entryMustExist(key, noSuchEntry(id)), changeOwner({ ...key, userId: user.id })]
    : [guard, ownerOf({ type, id: target.id, serial: serialOf(target.id), entryId: id, userId: user.id })];
  const isSame = owner?.userId === user.id;
  return {
    id,
    changes: isSame ? [] : changes,
    events: isSame
      ? []
      : entryEvents('access/change', target, { id, permission: 'OWNER', grantee: { user: user.name } }),
    touches: touched(target),
  };
}
