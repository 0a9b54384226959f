import { type AccessTarget, generic, isAtLeast, targetKey } from './levels.ts';
import { type AppliedEntry, inOrder, type Principals } from './precedence.ts';

/** Input for deciding about some entities: entries that reach each of them, and the users behind the entries. */
export interface Situation {
  /** Entries by entity key. Includes each entity that carries one of the grants. */
  readonly entries: ReadonlyMap<string, readonly AppliedEntry[]>;
  readonly users: ReadonlyMap<string, Principals>;
}

/** Key of a grantor on an entity, by which all of its grants are on or off. */
const grantKey = ({ type, entityId, grantorId }: AppliedEntry): string => `${type} ${entityId} ${grantorId}`;

/** An entry that reaches a grantor. `grant`: key of the grant that it depends on. */
interface Reached {
  readonly grant: string | undefined;
  readonly gives: boolean;
}

interface Grant {
  readonly key: string;
  /** Entries on the entity of the grant, the deciding entry first. */
  readonly reached: readonly Reached[];
}

/**
 * Active grants: the grantor has ALL on the entity. A grantor can get ALL by grants of others, and other entries can
 * deny it. Two bounds converge: grants certainly on, and grants possibly on. Grants left between them depend on
 * themselves, and are off. Each chain of grantors therefore ends at an owner or an administrator.
 */
export class Grants {
  readonly #on: ReadonlySet<string>;
  readonly #possible: ReadonlySet<string>;
  readonly #situation: Situation;

  constructor(situation: Situation) {
    this.#situation = situation;
    const grants = grantsOf(situation);
    let certain = reachedBy(grants, undefined);
    for (;;) {
      this.#possible = reachedBy(grants, certain);
      const next = reachedBy(grants, this.#possible);
      if (next.size === certain.size) break;
      certain = next;
    }
    this.#on = certain;
  }

  isOn(entry: AppliedEntry): boolean {
    return isRooted(entry, this.#situation) || this.#on.has(grantKey(entry));
  }

  /** Whether grants of a user on an entity are on. */
  holds(target: AccessTarget, userId: string): boolean {
    const user = this.#situation.users.get(userId);
    if (!user?.enabled) return false;
    return user.administrator || holds(reachedOn(target, user, this.#situation), this.#on, this.#possible);
  }
}

/** Whether an entry depends on no other: set by the service, an administrator, or the owner of the entity. */
function isRooted(entry: AppliedEntry, { entries, users }: Situation): boolean {
  if (entry.rooted === 1 || entry.grantorId === null) return true;
  const grantor = users.get(entry.grantorId);
  if (!grantor?.enabled) return false;
  if (grantor.administrator) return true;
  const here = entries.get(targetKey({ type: entry.type, id: entry.entityId })) ?? [];
  return here.some(
    ({ permission, distance, userId }) => permission === 'OWNER' && distance === 0 && userId === grantor.userId,
  );
}

function grantsOf(situation: Situation): readonly Grant[] {
  const grants = new Map<string, Grant>();
  for (const list of situation.entries.values()) {
    for (const entry of list) {
      const key = grantKey(entry);
      if (grants.has(key) || isRooted(entry, situation)) continue;
      const grantor = situation.users.get(entry.grantorId!);
      const target = { type: entry.type, id: entry.entityId };
      if (grantor?.enabled) grants.set(key, { key, reached: reachedOn(target, grantor, situation) });
    }
  }
  return [...grants.values()];
}

const reachedOn = (target: AccessTarget, user: Principals, situation: Situation): readonly Reached[] =>
  inOrder(situation.entries.get(targetKey(target)) ?? [], user, generic).map((each) => ({
    grant: isRooted(each, situation) ? undefined : grantKey(each),
    gives: isAtLeast(each.permission, 'ALL'),
  }));

/** `deniers`: the entries that count where they deny. Undefined: all of them. */
function holds(
  reached: readonly Reached[],
  on: ReadonlySet<string>,
  deniers: ReadonlySet<string> | undefined,
): boolean {
  for (const { grant, gives } of reached) {
    const counts = grant === undefined || (gives ? on.has(grant) : !deniers || deniers.has(grant));
    if (counts) return gives;
  }
  return false;
}

function reachedBy(grants: readonly Grant[], deniers: ReadonlySet<string> | undefined): ReadonlySet<string> {
  const on = new Set<string>();
  for (let before = -1; before !== on.size; ) {
    before = on.size;
    for (const { key, reached } of grants) if (!on.has(key) && holds(reached, on, deniers)) on.add(key);
  }
  return on;
}
