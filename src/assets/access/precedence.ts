import { type Level, type Operation, rankOf } from './levels.ts';

/** An entry as it reaches one entity. */
export interface Applied {
  readonly id: string;
  /** The entity that it stands on. */
  readonly type: string;
  readonly entityId: string;
  /** How far that is above the entity; 0: it is the entity itself. */
  readonly distance: number;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly permission: Level;
  readonly priority: number;
  /** NULL: it speaks for all operations. */
  readonly operation: string | null;
  readonly extradata: string | null;
  readonly grantorId: string | null;
  /** Granted by the service or an administrator: it needs no other entry. */
  readonly rooted: number;
}

/** A user with all that leads to entries. */
export interface Principals {
  readonly userId: string;
  readonly enabled: boolean;
  readonly administrator: boolean;
  /** Groups by id, with the number of groups between the user and them. */
  readonly groups: ReadonlyMap<string, number>;
}

/** How near the grantee of an entry is to a user: -1 the user, then its groups. Undefined: the entry is for others. */
export function nearness({ userId, groupId }: Applied, principals: Principals): number | undefined {
  if (userId !== null) return userId === principals.userId ? -1 : undefined;
  return groupId === null ? undefined : principals.groups.get(groupId);
}

/** Whether an entry speaks for an operation. */
export function speaksFor({ operation, extradata }: Applied, asked: Operation): boolean {
  if (operation === null) return true;
  return operation === asked.type && (extradata === null || extradata === asked.extradata);
}

interface Candidate {
  readonly entry: Applied;
  readonly near: number;
}

const isOwner = ({ entry }: Candidate): boolean =>
  entry.permission === 'OWNER' && entry.distance === 0 && entry.userId !== null;

const detail = ({ operation, extradata }: Applied): number => (operation === null ? 0 : extradata === null ? 1 : 2);

/** NONE beats all. */
const strength = ({ permission }: Applied): number => (permission === 'NONE' ? Infinity : rankOf(permission));

/** The numbered order: below 0 where the first one decides. */
function compare(one: Candidate, other: Candidate): number {
  const [a, b] = [one.entry, other.entry];
  return (
    Number(isOwner(other)) - Number(isOwner(one)) ||
    b.priority - a.priority ||
    a.distance - b.distance ||
    one.near - other.near ||
    detail(b) - detail(a) ||
    (strength(a) === strength(b) ? 0 : strength(b) - strength(a))
  );
}

/** The entries that speak for a user and an operation, the one that decides first. */
export function inOrder(entries: readonly Applied[], principals: Principals, asked: Operation): readonly Applied[] {
  const candidates: Candidate[] = [];
  for (const entry of entries) {
    const near = nearness(entry, principals);
    if (near !== undefined && speaksFor(entry, asked)) candidates.push({ entry, near });
  }
  return candidates.sort(compare).map(({ entry }) => entry);
}
