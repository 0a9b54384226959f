import { badParameter } from '../../../http/parameters/index.ts';
import type { ServiceError } from '../../../lib/errors.ts';
import type { Reader } from '../../../store/statement.ts';
import { type GroupDefinition, withMembers } from '../known.ts';
import { fieldGroupsNamed, groupsBelow, type MemberKind, membersOfGroups } from './store.ts';

/** Groups with what is in them. */
export interface GroupTree {
  /** Those asked for, their members, and with `traverse` all groups below. */
  readonly groups: ReadonlyMap<string, GroupDefinition>;
  /** The names of all members, each once. */
  readonly fieldNames: readonly string[];
  readonly groupNames: readonly string[];
}

interface Depth {
  readonly members: boolean;
  readonly traverse: boolean;
}

/** `most`: members that are read. More are refused. */
export async function loadTree(
  reader: Reader,
  names: readonly string[],
  { members, traverse }: Depth,
  most: number,
): Promise<GroupTree> {
  const given = { names: JSON.stringify(names), limit: most + 1 };
  const walked = traverse ? (await groupsBelow(reader, given)).map(({ name }) => name) : names;
  if (walked.length > most) throw tooManyMembers(most);
  const rows = members ? await membersOfGroups(reader, { ...given, names: JSON.stringify(walked) }) : [];
  if (rows.length > most) throw tooManyMembers(most);
  const those = (kind: MemberKind) => [...new Set(rows.filter((row) => row.kind === kind).map((row) => row.member))];
  const groupNames = those('group');
  const all = [...new Set([...walked, ...groupNames])];
  const groups = withMembers(await fieldGroupsNamed(reader, { names: JSON.stringify(all) }), rows);
  return { groups, fieldNames: those('field'), groupNames };
}

/** Counts what is shown: groups in many groups make a document longer than all groups are. */
export function counterOf(most: number): () => void {
  let left = most;
  return () => {
    if (--left < 0) throw tooManyMembers(most);
  };
}

const tooManyMembers = (most: number): ServiceError =>
  badParameter('number', `Expected a smaller page: its groups have more than ${most} members`);
