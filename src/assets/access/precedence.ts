import { type Level, type Operation, rankOf } from './levels.ts';

/** An entry as it applies to one entity. */
export interface AppliedEntry {
  readonly id: string;
  /** The entity that carries the entry. */
  readonly type: string;
  readonly entityId: string;
  /** Steps from that entity down to the one in question; 0: the entity itself. */
  readonly distance: number;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly permission: Level;
  readonly priority: number;
  /** NULL: the entry applies to all operations. */
  readonly operation: string | null;
  readonly extradata: string | null;
  readonly grantorId: string | null;
  /** Granted by the service or an administrator: depends on no other entry. */
  readonly rooted: number;
}

/** A user with the groups through which entries apply. */
export interface Principals {
  readonly userId: string;
  readonly enabled: boolean;
  readonly administrator: boolean;
  /** Groups by id, with their distance from the user. */
  readonly groups: ReadonlyMap<string, number>;
}

/** Nearness of the grantee to a user: -1 for the user, then its groups. Undefined: the entry is for others. */
function nearness({ userId, groupId }: AppliedEntry, principals: Principals): number | undefined {
  if (userId !== null) return userId === principals.userId ? -1 : undefined;
  return groupId === null ? undefined : principals.groups.get(groupId);
}

/** Whether an entry applies to an operation. */
function speaksFor({ operation, extradata }: AppliedEntry, requested: Operation): boolean {
  if (operation === null) return true;
  if (operation !== requested.type) return false;
  return extradata === null || [requested.extradata].flat().includes(extradata);
}

interface Candidate {
  readonly entry: AppliedEntry;
  readonly near: number;
}

const isOwner = ({ entry }: Candidate): boolean =>
  entry.permission === 'OWNER' && entry.distance === 0 && entry.userId !== null;

const detail = ({ operation, extradata }: AppliedEntry): number =>
  operation === null ? 0 : extradata === null ? 1 : 2;

/** NONE outranks every level. */
const strength = ({ permission }: AppliedEntry): number => (permission === 'NONE' ? Infinity : rankOf(permission));

/** Criteria of precedence, in this order. The first that differs decides between two entries: the lower number wins. */
export const criteria = ['owner', 'priority', 'distance', 'nearness', 'detail', 'strength'] as const;

const order = ({ entry, near }: Candidate): readonly number[] => [
  isOwner({ entry, near }) ? 0 : 1,
  -entry.priority,
  entry.distance,
  near,
  -detail(entry),
  -strength(entry),
];

const differing = (one: readonly number[], other: readonly number[]): number =>
  one.findIndex((number, index) => number !== other[index]);

/** The criterion by which an entry precedes another one. Undefined: they rank equally. */
export function difference(
  one: AppliedEntry,
  other: AppliedEntry,
  principals: Principals,
): (typeof criteria)[number] | undefined {
  const [a, b] = [one, other].map((entry) => order({ entry, near: nearness(entry, principals) ?? 0 }));
  return criteria[differing(a!, b!)];
}

/** Entries that apply to a user and an operation, the deciding one first. Undefined operation: any. */
export function inOrder(
  entries: readonly AppliedEntry[],
  principals: Principals,
  operation: Operation | undefined,
): readonly AppliedEntry[] {
  const candidates: { readonly entry: AppliedEntry; readonly order: readonly number[] }[] = [];
  for (const entry of entries) {
    const near = nearness(entry, principals);
    if (near === undefined || (operation && !speaksFor(entry, operation))) continue;
    candidates.push({ entry, order: order({ entry, near }) });
  }
  candidates.sort((one, other) => {
    const index = differing(one.order, other.order);
    return index < 0 ? 0 : one.order[index]! - other.order[index]!;
  });
  return candidates.map(({ entry }) => entry);
}
