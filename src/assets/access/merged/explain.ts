import type { Reader } from '../../../core/store/statement.ts';
import { usersWithIds } from '../../../identity/public.ts';
import type { CoreContext, Services } from '../../../room/context.ts';
import { findEntity } from '../../../room/entities/find.ts';
import {
  type AccessTarget,
  isAtLeast,
  type Operation,
  type OperationType,
  type RequiredLevel,
  targetKey,
} from '../levels.ts';
import { type AppliedEntry, type criteria, difference, type Principals } from '../precedence.ts';
import { type AccessTo, accessTo, entriesFor } from '../reading.ts';
import { levelsOn } from '../viewer.ts';
import { namesFor, type UserNames } from './merge.ts';

interface Explained {
  readonly permission: string;
  readonly reason: string;
  readonly entry: readonly { readonly id: string; readonly counts: boolean; readonly says: string }[];
}

interface NamedUser {
  readonly id: string;
  readonly name: string;
}

/** Explains which entry decides for a user on an entity, and why, in words. */
export const explainAccess = async (
  reader: Reader,
  target: AccessTarget,
  user: NamedUser,
  operation: Operation,
): Promise<Explained> => explainFrom(reader, await accessTo(reader, [target], [user.id]), target, user, operation);

/** Explains a level that a route asks for. */
export const levelExplainer =
  ({ store, entities }: Pick<CoreContext, 'store' | 'entities'>): Services['explainLevel'] =>
  async (reader, user, { kind, name, level, operation = 'GENERIC' }) => {
    const entityKind = entities[`/${kind}`];
    const entity = entityKind && (await findEntity(store, entityKind, name));
    if (!entity) return undefined;
    const target = { type: kind, id: entity.id };
    const type = operation.replace(/^all /, '') as OperationType;
    const access = await accessTo(reader, [target], [user.id]);
    const explained = await explainFrom(reader, access, target, user, { type });
    const administrator = access.users.get(user.id)?.administrator === true;
    const { levelOf, maxOf } = await levelsOn(reader, { administrator, userId: user.id }, [target]);
    // A route asks for one field or tag at least, unless it says all.
    const own = operation === type && type !== 'GENERIC' ? maxOf(target, type) : levelOf(target, { type });
    const ownerEntry = access.entries
      .get(targetKey(target))
      ?.find(({ permission, distance }) => permission === 'OWNER' && distance === 0);
    const ownerId = ownerEntry?.userId ?? undefined;
    const [owner] = ownerId === undefined ? [] : await usersWithIds(store, { ids: [ownerId] });
    return {
      ...explained,
      id: entity.id,
      granted: isAtLeast(own, level as RequiredLevel),
      mayRead: isAtLeast(levelOf(target), 'READ'),
      owner: owner?.name,
    };
  };

async function explainFrom(
  reader: Reader,
  access: AccessTo,
  target: AccessTarget,
  { id, name }: NamedUser,
  operation: Operation,
): Promise<Explained> {
  const principals = access.users.get(id);
  const ordered = principals ? entriesFor(access, target, principals, operation) : [];
  const names = await namesFor(reader, ordered);
  const words = new Words(access, target, names);
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
  readonly #target: AccessTarget;
  readonly #names: UserNames;

  constructor(access: AccessTo, target: AccessTarget, names: UserNames) {
    this.#access = access;
    this.#target = target;
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
    const where = distance === 0 ? `on the ${this.#target.type} itself` : `on the ${this.#above(entry)}`;
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
