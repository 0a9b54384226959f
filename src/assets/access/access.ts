import type { Call } from '../../http/call.ts';
import type { Entity, KindName } from '../../room/entity.ts';
import type { Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import type { Guarded, Wanted } from './levels.ts';
import { idsAmong, insertOwner, removeEntries } from './store.ts';
import { mustHave, type Viewer } from './viewer.ts';

export type { Level, Wanted } from './levels.ts';
export { accessOf, askingOf, mustHave, type Viewer } from './viewer.ts';

export const mayRead = (reader: Reader, call: Call, kind: KindName, entity: Entity): Promise<void> =>
  mustHave(reader, call, kind, entity, 'READ');

export const mayWrite = (reader: Reader, call: Call, kind: KindName, entity: Entity): Promise<void> =>
  mustHave(reader, call, kind, entity, 'WRITE');

/** The ones of a kind that the viewer may read. */
export const readableAmong = (
  reader: Reader,
  viewer: Viewer,
  kind: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => havingAmong(reader, viewer, kind, ids, 'READ');

/** The same for any level. */
export async function havingAmong(
  reader: Reader,
  viewer: Viewer,
  kind: string,
  ids: readonly string[],
  level: Wanted,
): Promise<ReadonlySet<string>> {
  if (viewer.administrator || ids.length === 0) return new Set(ids);
  return idsAmong(reader, viewer, kind as Guarded, ids, level);
}

export interface NewOwner {
  readonly type: Guarded;
  readonly id: string;
  readonly serial: number;
  /** Of the entry. */
  readonly entryId: string;
  /** Undefined: the service itself owns it. */
  readonly userId: string | undefined;
}

/** For the commit that makes an entity. No event tells of it. */
export const ownerOf = ({ type, id, serial, entryId, userId }: NewOwner): Statement =>
  insertOwner({
    entityType: type,
    entityId: id,
    id: entryId,
    entitySerial: serial,
    userId: userId ?? null,
    reach: ownerReach(type),
  });

/** What a library finds is not its owner's. */
const ownerReach = (type: Guarded): number => (type === 'library' ? 1 : 43);

export const forgetAccess = (type: string, id: string): Statement => removeEntries({ entityType: type, entityId: id });
