import { groupBy } from '../../../core/lib/group-by.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { permissions } from '../documents.ts';
import { type DefinitionKind, entriesAmong, groupsAbove, guardedNames } from './store.ts';

/** Levels of rights in a field or group. Each level includes the lower ones. */
export const level = { none: 0, read: 1, write: 2, delete: 3 } as const;
export type FieldLevel = (typeof level)[keyof typeof level];

export const wordOf = (rank: number): (typeof permissions)[number] => permissions[rank] ?? 'NONE';

/** User whose rights are checked. */
export interface FieldReader {
  /** Undefined: a realm vouches for a name without a user. Entries do not apply. */
  readonly userId: string | undefined;
  /** Administrators need no entry. */
  readonly administers: boolean;
}

export async function askerOf(call: Caller): Promise<FieldReader> {
  const subject = subjectOf(call);
  return { userId: subject.user?.id, administers: await subject.has(administrator) };
}

export interface FieldNames {
  readonly fields?: readonly string[];
  readonly groups?: readonly string[];
}

/**
 * Rights of a user in fields and groups. `around`: groups that contain the field or group, the nearest first. The
 * nearest with entries decides; without any entry, everybody may do everything.
 */
export interface Rights {
  /** True: no entry restricts any of the fields and groups. */
  readonly isAll?: true;
  /** Whether the entity gives no right in any of its fields. */
  isNone?(): boolean;
  field(name: string, ...around: readonly string[]): FieldLevel;
  group(name: string, ...around: readonly string[]): FieldLevel;
}

const everything: Rights = { isAll: true, field: () => level.delete, group: () => level.delete };

/** Reads the rights in the named fields and groups. Among entries that apply, the highest level counts. */
export async function fieldRights(
  reader: Reader,
  asker: FieldReader,
  { fields = [], groups = [] }: FieldNames,
): Promise<Rights> {
  if (asker.administers) return everything;
  const ofFields = await levelsOf(reader, asker, 'field', fields);
  const ofGroups = await levelsOf(reader, asker, 'group', groups);
  if (ofFields.size + ofGroups.size === 0) return everything;
  const nearest = (around: readonly string[]): FieldLevel =>
    around.map((name) => ofGroups.get(name)).find((rank) => rank !== undefined) ?? level.delete;
  return {
    field: (name, ...around) => ofFields.get(name) ?? nearest(around),
    group: (name, ...around) => nearest([name, ...around]),
  };
}

/** Fields that the caller may not read. Fields of a closed group are closed everywhere. */
export async function deniedFields(reader: Reader, asker: FieldReader): Promise<ReadonlySet<string>> {
  if (asker.administers) return new Set();
  const guarded = await guardedNames(reader);
  const groups = [...new Set(guarded.groups.map(({ group }) => group))];
  const fields = [...new Set([...guarded.fields, ...guarded.groups.map(({ field }) => field)])];
  const rights = await fieldRights(reader, asker, { fields, groups });
  const denied = new Set(guarded.fields.filter((name) => rights.field(name) < level.read));
  for (const { field, group } of guarded.groups) if (rights.field(field, group) < level.read) denied.add(field);
  return denied;
}

/** Level in each field or group that has entries. */
async function levelsOf(
  reader: Reader,
  { userId }: FieldReader,
  kind: DefinitionKind,
  names: readonly string[],
): Promise<ReadonlyMap<string, FieldLevel>> {
  if (names.length === 0) return new Map();
  const entries = await entriesAmong(reader, kind, [...new Set(names)]);
  if (entries.length === 0) return new Map();
  const above = userId === undefined ? [] : await groupsAbove(reader, { userId });
  const reached = new Set(above.map(({ id }) => id));
  const reaches = (entry: (typeof entries)[number]) =>
    (userId !== undefined && entry.userId === userId) || (entry.groupId !== null && reached.has(entry.groupId));
  const byName = groupBy(entries, ({ name }) => name);
  return new Map(
    Array.from(byName, ([name, those]) => [
      name,
      Math.max(level.none, ...those.filter(reaches).map((entry) => entry.level)) as FieldLevel,
    ]),
  );
}
