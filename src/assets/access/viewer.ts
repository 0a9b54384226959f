import { type Call, caller } from '../../http/call.ts';
import { inWords } from '../../lib/sentence.ts';
import type { KindName } from '../../room/entity.ts';
import { administrator } from '../../security/subject.ts';
import type { Value } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { notYours } from './refusals.ts';
import { ownerEntry } from './store.ts';

/** What an entry gives, from the least on. Each level includes those before it. */
export const levels = ['NONE', 'READ', 'WRITE', 'ALL', 'OWNER'] as const;

export type Level = (typeof levels)[number];

/** What entries stand on. */
export type Guarded = 'item' | 'collection' | 'library';

/** What a caller wants to do, where the entries of an entity tell it from the rest. */
export type Operation =
  | { readonly type: 'METADATA'; readonly field?: string | undefined }
  | { readonly type: 'SHAPE'; readonly tag?: string | undefined }
  | { readonly type: 'URI'; readonly container?: string | undefined };

/** Whose rights count for a request. Read once per request. */
export interface Viewer {
  /** Administrators need no entries. */
  readonly administrator: boolean;
  /** Empty: a realm vouches for somebody whom the service does not know. */
  readonly userId: string;
}

/** A part of a WHERE clause, with the values of its question marks in order. */
export interface Condition {
  readonly text: string;
  readonly values: readonly Value[];
}

export async function accessOf(_reader: Reader, call: Call): Promise<Viewer> {
  const subject = caller(call);
  return { administrator: await subject.has(administrator), userId: subject.user?.id ?? '' };
}

/** Which entities of a kind the viewer has a level on. `idColumn` is SQL, never text of a caller. */
export function readableWhere(viewer: Viewer, kind: Guarded, idColumn: string, _level: Level = 'READ'): Condition {
  if (viewer.administrator) return { text: '1', values: [] };
  return {
    text: `${idColumn} IN (SELECT entity_id FROM access_entry WHERE user_id = ? AND entity_type = ? AND permission = 'OWNER')`,
    values: [viewer.userId, kind],
  };
}

/** Throws the refusal of a caller who lacks a level on an entity that exists. */
export async function mustHave(
  reader: Reader,
  call: Call,
  kind: KindName,
  { id }: { readonly id: string },
  level: Level,
  _operation?: Operation,
): Promise<void> {
  const viewer = await accessOf(reader, call);
  if (viewer.administrator) return;
  if ((await ownerEntry(reader, { entityType: kind.type, entityId: id }))?.userId === viewer.userId) return;
  throw notYours(`Expected an access entry that gives ${level} on the ${inWords(kind.noun)}`, id);
}
