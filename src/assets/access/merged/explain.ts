import type { Reader } from '../../../core/store/statement.ts';
import type { AccessTarget, Operation } from '../levels.ts';
import { type AppliedEntry, type criteria, difference, type Principals } from '../precedence.ts';
import { type AccessTo, accessTo, entriesFor } from '../reading.ts';
import { namesFor, type UserNames } from './merge.ts';

interface Explained {
  readonly permission: string;
  readonly reason: string;
  readonly entry: readonly { readonly id: string; readonly counts: boolean; readonly says: string }[];
}

/** Explains which entry decides for a user on an entity, and why, in words. */
export async function explainAccess(
  reader: Reader,
  place: AccessTarget,
  { id, name }: { readonly id: string; readonly name: string },
  operation: Operation,
): Promise<Explained> {
  const access = await accessTo(reader, [place], [id]);
  const principals = access.users.get(id);
  const ordered = principals ? entriesFor(access, place, principals, operation) : [];
  const names = await namesFor(reader, ordered);
  const words = new Words(access, place, names);
  const entry = ordered.map((each) => ({ id: each.id, counts: access.grants.isOn(each), says: words.entry(each) }));
  const user = `"${name}"`;
  if (principals?.administrator) {
    const reason = `${user} has the role _administrator, and needs no entry`;
    return { permission: 'OWNER', reason, entry };
  }
  const counting = ordered.filter((each) => access.grants.isOn(each));
  const [first] = counting;
  if (!first) {
    const reason = entry.length > 0 ? `No entry that speaks for ${user} counts` : `No entry speaks for ${user}`;
    return { permission: 'NONE', reason: `${reason}, so nothing is allowed`, entry };
  }
  const why = words.why(counting, principals!);
  return { permission: first.permission, reason: `${first.id} decides for ${user}: ${why}`, entry };
}

const reasons: Readonly<Record<(typeof criteria)[number], string>> = {
  owner: 'it is the entry of the owner',
  priority: 'it has a higher priority',
  distance: 'it stands nearer',
  nearness: 'whom it names is nearer to the user',
  detail: 'it speaks for less than the others do',
  strength: 'it is the strongest of equals, and NONE is stronger than all',
};

class Words {
  readonly #access: AccessTo;
  readonly #place: AccessTarget;
  readonly #names: UserNames;

  constructor(access: AccessTo, place: AccessTarget, names: UserNames) {
    this.#access = access;
    this.#place = place;
    this.#names = names;
  }

  why([first, second]: readonly AppliedEntry[], principals: Principals): string {
    if (!second) return 'it is the only one that counts';
    const by = difference(first!, second, principals);
    return by ? `${reasons[by]} (the next is ${second.id})` : `${second.id} says the same`;
  }

  /** Describes an entry: level, grantee, location, and the reason if it does not count. */
  entry(entry: AppliedEntry): string {
    const { permission, operation, extradata, groupId, priority, distance } = entry;
    const scope = operation === null ? '' : ` for ${operation}${extradata === null ? '' : ` "${extradata}"`}`;
    const to = groupId === null ? 'the user' : `the group "${this.#names.group(groupId) ?? groupId}"`;
    const rank = priority === 0 ? '' : ` with priority ${priority}`;
    const where = distance === 0 ? `on the ${this.#place.type} itself` : `on the ${this.#above(entry)}`;
    const says = permission === 'NONE' ? `Takes all${scope} from ${to}` : `Gives ${permission}${scope} to ${to}`;
    return `${says}${rank}, ${where}${this.#off(entry)}`;
  }

  #above({ type, entityId, distance }: AppliedEntry): string {
    return `${type} ${entityId}, ${distance} ${distance === 1 ? 'step' : 'steps'} above`;
  }

  #off(entry: AppliedEntry): string {
    if (this.#access.grants.isOn(entry)) return '';
    const grantor = this.#access.users.get(entry.grantorId!);
    const name = `"${this.#names.user(entry.grantorId!) ?? entry.grantorId}"`;
    if (!grantor) return '. It does not count: its grantor is gone';
    if (!grantor.enabled) return `. It does not count: its grantor ${name} is disabled`;
    return `. It does not count: its grantor ${name} has no ALL on the ${entry.type} ${entry.entityId}`;
  }
}
