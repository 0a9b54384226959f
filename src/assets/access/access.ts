import { type Call, caller } from '../../http/call.ts';
import { inWords } from '../../lib/sentence.ts';
import type { Entity, KindName } from '../../room/entity.ts';
import { administrator } from '../../security/subject.ts';
import type { Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { notYours } from './refusals.ts';
import { insertOwner, ownedAmong, ownerEntry, removeEntries } from './store.ts';

/** Whose entities a caller sees: those of everybody, or those that this user owns. */
export type Sees = 'everything' | { readonly userId: string };

export type Level = 'READ' | 'WRITE' | 'ALL';

export async function seenBy(call: Call): Promise<Sees> {
  const subject = caller(call);
  return (await subject.has(administrator)) ? 'everything' : { userId: subject.user?.id ?? '' };
}

/** Administrators and the owner of an entity may do everything with it, others nothing. */
export async function mayDo(reader: Reader, sees: Sees, { type }: KindName, id: string): Promise<boolean> {
  if (sees === 'everything') return true;
  return (await ownerEntry(reader, { entityType: type, entityId: id }))?.userId === sees.userId;
}

/** Throws the refusal of a caller who lacks the level on an entity. */
export async function requireAccess(
  reader: Reader,
  call: Call,
  kind: KindName,
  { id }: Entity,
  level: Level,
): Promise<void> {
  if (await mayDo(reader, await seenBy(call), kind, id)) return;
  throw notYours(`Expected an access entry that gives ${level} on the ${inWords(kind.noun)}`, id);
}

export const mayRead = (reader: Reader, call: Call, kind: KindName, entity: Entity): Promise<void> =>
  requireAccess(reader, call, kind, entity, 'READ');

export const mayWrite = (reader: Reader, call: Call, kind: KindName, entity: Entity): Promise<void> =>
  requireAccess(reader, call, kind, entity, 'WRITE');

/** The ones of a kind that the caller may read. */
export async function readableAmong(
  reader: Reader,
  sees: Sees,
  entityType: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sees === 'everything' || ids.length === 0) return new Set(ids);
  const rows = await ownedAmong(reader, { entityType, ids: JSON.stringify(ids), userId: sees.userId });
  return new Set(rows.map(({ id }) => id));
}

export interface NewOwner {
  readonly type: string;
  readonly id: string;
  readonly serial: number;
  /** Of the entry. */
  readonly entryId: string;
  /** Undefined: the service itself owns it. */
  readonly userId: string | undefined;
}

/** For the commit that makes an entity. No event tells of it. */
export const ownerOf = ({ type, id, serial, entryId, userId }: NewOwner): Statement =>
  insertOwner({ entityType: type, entityId: id, id: entryId, entitySerial: serial, userId: userId ?? null });

export const forgetAccess = (type: string, id: string): Statement => removeEntries({ entityType: type, entityId: id });
