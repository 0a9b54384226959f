import { type Call, caller } from '../../../http/call.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { administrator } from '../../../security/subject.ts';
import type { Reader } from '../../../store/statement.ts';
import { permissions } from '../documents.ts';
import { type DefinitionKind, entriesAmong, groupsAbove } from './store.ts';

/** What a user may do with a field or group. Each level includes those before it. */
export const level = { none: 0, read: 1, write: 2, delete: 3 } as const;
export type Level = (typeof level)[keyof typeof level];

export const wordOf = (rank: number): (typeof permissions)[number] => permissions[rank] ?? 'NONE';

/** Whose rights are asked for. */
export interface Asker {
  /** Undefined: a realm vouches for a name that no user has. Entries of groups and users do not reach it. */
  readonly userId: string | undefined;
  /** An administrator needs no entry. */
  readonly administers: boolean;
}

export async function askerOf(call: Call): Promise<Asker> {
  const subject = caller(call);
  return { userId: subject.user?.id, administers: await subject.has(administrator) };
}

export interface Names {
  readonly fields?: readonly string[];
  readonly groups?: readonly string[];
}

/**
 * The rights of a user in fields and groups. `around`: the groups that the field or group is in, the nearest first. The
 * nearest of all that has entries decides; where none has some, everybody may do everything.
 */
export interface Rights {
  field(name: string, ...around: readonly string[]): Level;
  group(name: string, ...around: readonly string[]): Level;
}

const everything: Rights = { field: () => level.delete, group: () => level.delete };

/** Reads the rights in all that are named. The highest level that reaches the user counts. */
export async function fieldRights(reader: Reader, asker: Asker, { fields = [], groups = [] }: Names): Promise<Rights> {
  if (asker.administers) return everything;
  const ofFields = await levelsOf(reader, asker, 'field', fields);
  const ofGroups = await levelsOf(reader, asker, 'group', groups);
  if (ofFields.size + ofGroups.size === 0) return everything;
  const nearest = (around: readonly string[]): Level =>
    around.map((name) => ofGroups.get(name)).find((found) => found !== undefined) ?? level.delete;
  return {
    field: (name, ...around) => ofFields.get(name) ?? nearest(around),
    group: (name, ...around) => nearest([name, ...around]),
  };
}

/** The level in each that has entries. */
async function levelsOf(
  reader: Reader,
  { userId }: Asker,
  kind: DefinitionKind,
  names: readonly string[],
): Promise<ReadonlyMap<string, Level>> {
  if (names.length === 0) return new Map();
  const entries = await entriesAmong(reader, { kind, names: JSON.stringify([...new Set(names)]) });
  if (entries.length === 0) return new Map();
  const above = userId === undefined ? [] : await groupsAbove(reader, { userId });
  const reached = new Set(above.map(({ id }) => id));
  const reaches = (entry: (typeof entries)[number]) =>
    (userId !== undefined && entry.userId === userId) || (entry.groupId !== null && reached.has(entry.groupId));
  const byName = groupBy(entries, ({ name }) => name);
  return new Map(
    Array.from(byName, ([name, those]) => [
      name,
      Math.max(level.none, ...those.filter(reaches).map((entry) => entry.level)) as Level,
    ]),
  );
}
