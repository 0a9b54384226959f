import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import { type GroupDefinition, withMembers } from '../known.ts';
import { fieldGroupsNamed, groupsBelow, type MemberKind, membersOfGroups } from './store.ts';

/** Groups with their members. */
interface GroupTree {
  /** Requested groups, their members, and with `traverse` all nested groups. */
  readonly groups: ReadonlyMap<string, GroupDefinition>;
  /** Names of all members, without duplicates. */
  readonly fieldNames: readonly string[];
  readonly groupNames: readonly string[];
}

interface Depth {
  readonly members: boolean;
  readonly traverse: boolean;
}

/** `most`: limit of members. More are refused. */
export async function loadTree(
  reader: Reader,
  names: readonly string[],
  { members, traverse }: Depth,
  most: number,
): Promise<GroupTree> {
  const parameters = { names, limit: most + 1 };
  const walked = traverse ? (await groupsBelow(reader, parameters)).map(({ name }) => name) : names;
  if (walked.length > most) throw tooManyMembers(most);
  const rows = members ? await membersOfGroups(reader, { ...parameters, names: walked }) : [];
  if (rows.length > most) throw tooManyMembers(most);
  const those = (kind: MemberKind) => [...new Set(rows.filter((row) => row.kind === kind).map((row) => row.member))];
  const groupNames = those('group');
  const all = [...new Set([...walked, ...groupNames])];
  const groups = withMembers(await fieldGroupsNamed(reader, { names: all }), rows);
  return { groups, fieldNames: those('field'), groupNames };
}

/** Limit of members in one document, which is serialised without a pause. */
const mostShown = 8000;

/** Bytes that count as one value: longer values count as several. */
const bytesOfOne = 200;

type Texts = readonly { readonly key: string; readonly value: string }[];

/** Counts shown members: a group that occurs in several groups counts each time. */
export function counterOf(maxPageValues: number) {
  const most = Math.min(maxPageValues, mostShown);
  let left = most;
  const take = (weight = 1): void => {
    left -= weight;
    if (left < 0) throw tooManyMembers(most);
  };
  return {
    take,
    /** Counts key-value metadata, or an enumeration. */
    takePairs(pairs: Texts = []): void {
      take(pairs.reduce((sum, { key, value }) => sum + 1 + Math.floor((key.length + value.length) / bytesOfOne), 0));
    },
  };
}

const tooManyMembers = (most: number): ServiceError =>
  badParameter(
    'number',
    `Expected at most ${most} members and values in one answer: ask for a smaller page, or for less`,
  );
