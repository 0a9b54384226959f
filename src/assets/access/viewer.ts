import { ServiceError } from '../../core/lib/errors.ts';
import { after, type Maybe } from '../../core/lib/maybe.ts';
import { typeInWords } from '../../core/lib/messages.ts';
import type { Reader } from '../../core/store/statement.ts';
import { findGroup, findUser, groupsOf } from '../../identity/public-reading.ts';
import type { KindName } from '../../room/entity.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { type Contexts, contextsOf } from './contexts.ts';
import {
  type AccessTarget,
  generic,
  isAtLeast,
  type Level,
  type Operation,
  type OperationType,
  type RequiredLevel,
  targetKey,
} from './levels.ts';
import type { Principals } from './precedence.ts';
import { accessTo, type Decisions, decidingEntry, decisionsOn, principalsFor } from './reading.ts';
import { accessRevision } from './reading-sql.ts';

/** Refusal (403) for an operation on an entity that the caller may see. */
export const notYours = (explanation: string, id: string): ServiceError =>
  new ServiceError('not-allowed', { context: 'access', id, explanation });

/** User whose rights count for a request. */
export interface AccessSubject {
  /** Administrators need no entries. */
  readonly administrator: boolean;
  /** Undefined: a realm vouches for somebody unknown to the service. No entry applies to them. */
  readonly userId: string | undefined;
  /**
   * Roles that searches check: whether the caller may read shapes, files, annotations and approvals, and the access of
   * others. Undefined: none of them.
   */
  readonly sees?: Readonly<Record<Seen, boolean>> | undefined;
}

/** Roles for reading by what searches tell of. */
const readers = {
  shape: ['_item_shape_read'],
  file: ['_file_read'],
  annotation: ['_item_read'],
  approval: ['_item_shape_read'],
  access: ['_accesscontrol_read', '_user_read'],
} as const;
type Seen = keyof typeof readers;
const seen = Object.keys(readers) as Seen[];

/** Whether the caller's roles allow reading anything of a kind. */
export const maySee = ({ administrator: isAdministrator, sees }: AccessSubject, kind: Seen): boolean =>
  isAdministrator || sees?.[kind] === true;

/** User whose rights count, with the contexts that lists need. Read once per request. */
export interface Viewer extends AccessSubject {
  /** Undefined: no entries are needed or none apply. */
  readonly contexts: Contexts | undefined;
  /** User and groups whose entries apply to the viewer. */
  readonly principals?: Principals | undefined;
}

export function askingOf(call: Caller): Maybe<AccessSubject> {
  const subject = subjectOf(call);
  const userId = subject.user?.id;
  return after(subject.roles(), (roles): AccessSubject => {
    if (roles.has(administrator)) return { administrator: true, userId, sees: undefined };
    const sees = { shape: true, file: true, annotation: true, approval: true, access: true };
    for (const kind of seen) for (const role of readers[kind]) sees[kind] &&= roles.has(role);
    return { administrator: false, userId, sees };
  });
}

/** Loads the viewer for computed fields that depend on rights. Called only if a document has such a field. */
export type ViewerFor = () => Promise<Viewer | undefined>;

/** Viewer for lists, counts and searches. For a single entity, `mustHave` is cheaper. */
export const accessOf = (reader: Reader, call: Caller): Maybe<Viewer> =>
  after(askingOf(call), (asking) => viewerFor(reader, asking));

export function viewerFor(reader: Reader, { administrator, userId, sees }: AccessSubject): Maybe<Viewer> {
  if (administrator || userId === undefined) return { administrator, userId, sees, contexts: undefined };
  return after(accessRevision(reader), (now) =>
    after(principalsFor(reader, userId, now.revision), (principals) =>
      after(principals && contextsOf(reader, principals, now), (contexts) => ({
        administrator,
        userId,
        sees,
        principals,
        contexts,
      })),
    ),
  );
}

/**
 * Refuses callers without the level on an existing entity. `operation`: a word for at least one field, tag or type, which
 * the caller of this function checks later. `name`: the id in the refusal, as the caller wrote it.
 */
export function expectLevel(
  reader: Reader,
  call: Caller,
  kind: KindName,
  { id }: { readonly id: string },
  level: RequiredLevel,
  operation: Operation | OperationType,
  name: string,
): Maybe<void> {
  const target = { type: kind.type, id };
  return after(askingOf(call), (asking) =>
    after(levelsOn(reader, asking, [target]), ({ levelOf, maxOf }) => {
      const isSome = typeof operation === 'string';
      const current = isSome ? maxOf(target, operation) : levelOf(target, operation);
      if (!isAtLeast(current, level)) throw lacking(kind, name, level, isSome ? { type: operation } : operation);
    }),
  );
}

/** Refuses callers without the level on an existing entity. `name`: the id in the refusal, as the caller wrote it. */
export async function mustHave(
  reader: Reader,
  call: Caller,
  kind: KindName,
  entity: { readonly id: string },
  level: RequiredLevel,
  operation: Operation = generic,
  name = entity.id,
): Promise<void> {
  await expectLevel(reader, call, kind, entity, level, operation, name);
}

/** Throws unless the caller has the level for at least one field, tag or type. The caller checks the content later. */
export async function mustHaveSome(
  reader: Reader,
  call: Caller,
  kind: KindName,
  entity: { readonly id: string },
  level: RequiredLevel,
  type: OperationType,
  name = entity.id,
): Promise<void> {
  await expectLevel(reader, call, kind, entity, level, type, name);
}

export function lacking(kind: KindName, id: string, level: RequiredLevel, { type, extradata }: Operation = generic) {
  const details = [extradata ?? []].flat().join(', ').slice(0, 80);
  const what = type === 'GENERIC' ? '' : ` for ${type}${details && ` "${details}"`}`;
  return notYours(`Expected an access entry that gives ${level}${what} on the ${typeInWords(kind.noun)}`, id);
}

/** Whether a user may read any of the entities. Used outside of requests; realms may vouch for unknown users. */
export async function isReadableBy(
  reader: Reader,
  name: string,
  ...targets: readonly AccessTarget[]
): Promise<boolean> {
  const user = await findUser(reader, { name });
  if (!user) return true;
  const principals = await principalsFor(reader, user.id);
  const asking = { administrator: principals?.administrator === true, userId: user.id };
  const { levelOf } = await levelsOn(reader, asking, targets);
  return targets.some((target) => isAtLeast(levelOf(target), 'READ'));
}

/** Ids of the users, of some, who may read an entity. */
export async function readersAmong(
  reader: Reader,
  target: AccessTarget,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const access = await accessTo(reader, [target], ids);
  const mayRead = (id: string): boolean => {
    const principals = access.users.get(id);
    if (!principals || principals.administrator) return principals !== undefined;
    return isAtLeast(decidingEntry(access, target, principals, generic)?.permission ?? 'NONE', 'READ');
  };
  return new Set(ids.filter(mayRead));
}

/** Levels of a caller on some entities. */
interface LevelsOn {
  /** Level on an entity. Administrators have OWNER on everything. */
  levelOf(target: AccessTarget, operation?: Operation): Level;
  /** Highest level for an operation on any field, tag or type. */
  maxOf(target: AccessTarget, type: OperationType): Level;
  /** Lowest level for an operation on any field, tag or type. */
  leastOf(target: AccessTarget, type: OperationType): Level;
}

const ofAdministrators: LevelsOn = { levelOf: () => 'OWNER', maxOf: () => 'OWNER', leastOf: () => 'OWNER' };

export function levelsOn(reader: Reader, asking: AccessSubject, targets: readonly AccessTarget[]): Maybe<LevelsOn> {
  if (asking.administrator) return ofAdministrators;
  return after(decisionsOn(reader, targets, asking.userId), levelsBy);
}

function levelsBy({ principals, of }: Decisions): LevelsOn {
  const levelOf = (target: AccessTarget, operation: Operation = generic): Level => {
    const deciding = of(target);
    if (!principals || !deciding) return 'NONE';
    return decidingEntry(deciding.access, deciding.target, principals, operation)?.permission ?? 'NONE';
  };
  /** Levels for an operation on what entries name, and on all else. */
  const levelsFor = (target: AccessTarget, type: OperationType): readonly Level[] => {
    const deciding = of(target);
    const entries = deciding?.access.entries.get(targetKey(deciding.target)) ?? [];
    const details = entries.flatMap((entry) => (entry.operation === type ? (entry.extradata ?? []) : []));
    return [undefined, ...new Set(details)].map((extradata) => levelOf(target, { type, extradata }));
  };
  /** Entities of one context have the same. */
  const leastLevels = new Map<OperationType, Map<ReturnType<typeof of>, Level>>();
  return {
    levelOf,
    maxOf: (target, type) => levelsFor(target, type).reduce((max, level) => (isAtLeast(level, max) ? level : max)),
    leastOf(target, type) {
      const ofType = leastLevels.get(type) ?? new Map<ReturnType<typeof of>, Level>();
      leastLevels.set(type, ofType);
      const deciding = of(target);
      const cached = ofType.get(deciding);
      if (cached !== undefined) return cached;
      const lowest = levelsFor(target, type).reduce((least, level) => (isAtLeast(least, level) ? level : least));
      ofType.set(deciding, lowest);
      return lowest;
    },
  };
}

/** Groups above a group. */
const maxGroups = 10_000;

/** Viewer with the rights of a user who makes no request. Undefined: there is no such user. */
export async function viewerOfUser(reader: Reader, name: string): Promise<Viewer | undefined> {
  const user = await findUser(reader, { name });
  if (!user) return undefined;
  const principals = await principalsFor(reader, user.id);
  return viewerFor(reader, { administrator: principals?.administrator === true, userId: user.id });
}

/**
 * Viewer with the rights of a group, by entries for it and for the groups above it. Undefined: there is no such group.
 */
export async function viewerOfGroup(reader: Reader, name: string): Promise<Viewer | undefined> {
  const group = await findGroup(reader, { name });
  if (!group) return undefined;
  const { groups: above } = await groupsOf(reader, 'ancestors', group.id, undefined, { offset: 0, limit: maxGroups });
  const isAdministrator = [group, ...above].some((each) => each.name === administrator);
  const groups = new Map([group, ...above].map(({ id }) => [id, 0]));
  const principals = { userId: '', enabled: true, administrator: isAdministrator, groups };
  return {
    administrator: isAdministrator,
    userId: undefined,
    principals,
    contexts: isAdministrator ? undefined : await contextsOf(reader, principals),
  };
}
