import { groupKind } from './attributes.ts';
import type { Filter } from './filter.ts';
import { badAttribute, isList, isObject, type Json, type JsonObject, valueNamed } from './json.ts';
import { badSyntax, type Operation, withTargets } from './patch.ts';

/** Users of a group as a provider wants them, by id. */
export interface MemberWish {
  /** Whether users that are not in `add` leave. */
  readonly isWhole: boolean;
  readonly add: ReadonlySet<string>;
  readonly remove: ReadonlySet<string>;
}

export interface GroupWish {
  /** Undefined: as it is. */
  readonly name: string | undefined;
  /** Null: none. Undefined: as it is. */
  readonly externalId: string | null | undefined;
  readonly members: MemberWish;
}

const maxMembers = 20_000;
const maxIdLength = 255;
const costOfMember = 20;

/** Ids of members, as objects or as they are. */
function idsOf(value: Json): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = isList(value) ? value : [value];
  if (list.length > maxMembers) throw badAttribute('members', `at most ${maxMembers} values`);
  return list.map((each) => {
    const id = isObject(each) ? valueNamed(each, 'value') : each;
    if (typeof id !== 'string' || id === '' || id.length > maxIdLength)
      throw badAttribute('members', 'members with the id of a user as value');
    return id;
  });
}

const textOf = (name: string, value: Json): string => {
  if (typeof value === 'string' && value !== '' && value.length <= maxIdLength) return value;
  throw badAttribute(name, `a text of 1 to ${maxIdLength} characters`);
};

/** A whole group: users that the body leaves out leave. */
export function wishOfBody(body: JsonObject): GroupWish {
  const name = valueNamed(body, 'displayName');
  const externalId = valueNamed(body, 'externalId');
  return {
    name: name === undefined || name === null ? undefined : textOf('displayName', name),
    externalId: externalId === undefined || externalId === null ? null : textOf('externalId', externalId),
    members: { isWhole: true, add: new Set(idsOf(valueNamed(body, 'members'))), remove: new Set() },
  };
}

/** Changes that operations make to a group, whatever users it has. */
export function* wishOfOperations(operations: readonly Operation[]): Generator<number, GroupWish> {
  let name: string | undefined;
  let externalId: string | null | undefined;
  let isWhole = false;
  const add = new Set<string>();
  const remove = new Set<string>();

  function changeMembers(op: Operation['op'], ids: readonly string[] | undefined): void {
    if (op === 'replace' || ids === undefined) {
      isWhole = true;
      add.clear();
      remove.clear();
    }
    const [to, from] = op === 'remove' ? [remove, add] : [add, remove];
    for (const id of ids ?? []) {
      to.add(id);
      from.delete(id);
    }
  }

  function apply({ op, target, value }: Operation): number {
    const attribute = target?.along[0]?.name;
    if (attribute === 'members') {
      const chosen = target?.filter && idsIn(target.filter);
      if (chosen && op !== 'remove') throw badSyntax('path', 'members without a filter, to add or replace');
      // A removal without values empties the group.
      changeMembers(
        op,
        chosen ?? (op === 'remove' && (value === undefined || value === null) ? undefined : idsOf(value)),
      );
    } else if (attribute === 'displayName') name = textOf('displayName', value);
    else if (attribute === 'externalId') externalId = op === 'remove' ? null : textOf('externalId', value);
    return costOfMember * (isList(value) ? value.length : 1);
  }

  for (const operation of operations) {
    for (const each of withTargets(operation, groupKind)) yield typeof each === 'number' ? each : apply(each);
  }
  return { name, externalId, members: { isWhole, add, remove } };
}

/** Ids that a filter of members names: `value eq "id"`, or several with `or`. */
function idsIn(filter: Filter): readonly string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(idsIn);
  if (filter.kind === 'compare' && filter.by === 'eq' && filter.along[0]?.name === 'value')
    return [textOf('members', filter.value)];
  throw badSyntax('path', 'a filter of members such as value eq "id"');
}
