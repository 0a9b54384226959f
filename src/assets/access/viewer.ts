import { type Call, caller } from '../../http/call.ts';
import { findUser } from '../../identity/users/store.ts';
import { inWords } from '../../lib/sentence.ts';
import type { KindName } from '../../room/entity.ts';
import { administrator } from '../../security/subject.ts';
import { lookupsOf, type Reader } from '../../store/statement.ts';
import { type Contexts, contextsOf } from './contexts.ts';
import {
  generic,
  isAtLeast,
  type Level,
  type Operation,
  type OperationType,
  type Place,
  placeKey,
  type Wanted,
} from './levels.ts';
import type { Principals } from './precedence.ts';
import { type AccessTo, accessTo, decidingEntry, principalsOf } from './reading.ts';
import { notYours } from './refusals.ts';

export { type Closed, type ClosedFields, closedTo } from './closed/closed.ts';
export { type ClosedIn, closedShapeWhere, closedWhere } from './closed/store.ts';
export type { Guarded, Level, Operation, Wanted } from './levels.ts';
export { type Condition, contextWhere, readableItems, readableSerial, readableWhere } from './store.ts';

/** Whose rights count for a request. */
export interface Asking {
  /** Administrators need no entries. */
  readonly administrator: boolean;
  /** Undefined: a realm vouches for somebody whom the service does not know. No entry speaks for them. */
  readonly userId: string | undefined;
  /** Roles that searches ask: whether the caller may get shapes and files by themselves. Left out: it may not. */
  readonly sees?: { readonly shape: boolean; readonly file: boolean };
}

/** Whether a caller may get anything of a kind at all, by its roles. */
export const maySee = ({ administrator: isAdministrator, sees }: Asking, kind: 'shape' | 'file'): boolean =>
  isAdministrator || sees?.[kind] === true;

/** The same with all that lists need, read once per request. */
export interface Viewer extends Asking {
  /** Undefined: there are no entries for the viewer. */
  readonly contexts: Contexts | undefined;
  /** User and groups whose entries apply to the viewer. */
  readonly principals?: Principals | undefined;
}

export async function askingOf(call: Call): Promise<Asking> {
  const subject = caller(call);
  const userId = subject.user?.id;
  if (await subject.has(administrator)) return { administrator: true, userId };
  const sees = { shape: await subject.has('_item_shape_read'), file: await subject.has('_file_read') };
  return { administrator: false, userId, sees };
}

/** Loads the viewer for computed fields that depend on rights; called only where a document has such a field. */
export type ViewerFor = () => Promise<Viewer | undefined>;

/** For lists, counts and searches. A single entity costs less with `mustHave`. */
export const accessOf = async (reader: Reader, call: Call): Promise<Viewer> => viewerFor(reader, await askingOf(call));

export async function viewerFor(reader: Reader, asking: Asking): Promise<Viewer> {
  const principals = asking.administrator ? undefined : await principalsFor(reader, asking);
  return { ...asking, principals, contexts: principals && (await contextsOf(reader, principals)) };
}

async function principalsFor(reader: Reader, { userId }: Asking): Promise<Principals | undefined> {
  if (userId === undefined) return undefined;
  return (await principalsOf(lookupsOf(reader), [userId])).get(userId);
}

/** Throws the refusal of a caller who lacks a level on an entity that exists. */
export async function mustHave(
  reader: Reader,
  call: Call,
  kind: KindName,
  { id }: { readonly id: string },
  level: Wanted,
  operation: Operation = generic,
): Promise<void> {
  const { levelOf } = await levelsOn(reader, await askingOf(call), [{ type: kind.type, id }]);
  if (!isAtLeast(levelOf({ type: kind.type, id }, operation), level)) throw lacking(kind, id, level, operation);
}

export function lacking(kind: KindName, id: string, level: Wanted, { type, extradata }: Operation = generic) {
  const details = [extradata ?? []].flat().join(', ').slice(0, 80);
  const what = type === 'GENERIC' ? '' : ` for ${type}${details && ` "${details}"`}`;
  return notYours(`Expected an access entry that gives ${level}${what} on the ${inWords(kind.noun)}`, id);
}

/** Whether a user may read one of some entities without asking for it. A realm may vouch for somebody whom the service does not know. */
export async function isReadableBy(reader: Reader, name: string, ...places: readonly Place[]): Promise<boolean> {
  const user = await findUser(reader, { name });
  if (!user) return true;
  const principals = (await principalsOf(reader, [user.id])).get(user.id);
  const asking = { administrator: principals?.administrator === true, userId: user.id };
  const { levelOf } = await levelsOn(reader, asking, places);
  return places.some((place) => isAtLeast(levelOf(place), 'READ'));
}

/** What a caller may do with some entities. */
export interface LevelsOn {
  /** Administrators own everything. */
  levelOf(place: Place, operation?: Operation): Level;
  /** The highest level for an operation on some field, tag or type. */
  mostOf(place: Place, type: OperationType): Level;
  /** Undefined: the caller needs no entries. */
  readonly access: AccessTo | undefined;
}

export async function levelsOn(reader: Reader, asking: Asking, places: readonly Place[]): Promise<LevelsOn> {
  if (asking.administrator) return { levelOf: () => 'OWNER', mostOf: () => 'OWNER', access: undefined };
  const { userId } = asking;
  const access = await accessTo(reader, places, userId === undefined ? [] : [userId]);
  const principals = access.users.get(userId ?? '');
  const levelOf = (place: Place, operation: Operation = generic): Level =>
    (principals && decidingEntry(access, place, principals, operation)?.permission) ?? 'NONE';
  return {
    access,
    levelOf,
    mostOf(place, type) {
      const entries = access.entries.get(placeKey(place)) ?? [];
      const details = entries.flatMap((entry) => (entry.operation === type ? (entry.extradata ?? []) : []));
      const found = [undefined, ...new Set(details)].map((extradata) => levelOf(place, { type, extradata }));
      return found.reduce((most, level) => (isAtLeast(level, most) ? level : most));
    },
  };
}

/** The same where the caller needs the level for some field, tag or type only. What is in the entity is asked later. */
export async function mustHaveSome(
  reader: Reader,
  call: Call,
  kind: KindName,
  { id }: { readonly id: string },
  level: Wanted,
  type: OperationType,
): Promise<void> {
  const { mostOf } = await levelsOn(reader, await askingOf(call), [{ type: kind.type, id }]);
  if (!isAtLeast(mostOf({ type: kind.type, id }, type), level)) throw lacking(kind, id, level, { type });
}
