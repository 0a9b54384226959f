import type { Reader } from '../../../store/statement.ts';
import { keyOf, ownersOf, statesOfOwners } from '../load.ts';
import { Addresses } from '../merge/addresses.ts';
import { placesOf, type State, type StoredField, type StoredGroup } from '../merge/state.ts';
import type { Owner } from '../store.ts';

/** What a reference leads to. Nothing: its target is gone. */
export interface Target {
  readonly referenced?: { readonly id?: string; readonly type?: string; readonly uuid: string };
  readonly field?: StoredField;
  readonly group?: StoredGroup;
  readonly cycle?: true;
}

export type Resolve = (uuid: string) => Target;

/** How many references may lead from one to the next. */
const mostRounds = 10;

/** Follows references through other entities. Undefined where a state has none. */
export async function resolverOf(reader: Reader, states: readonly State[]): Promise<Resolve | undefined> {
  const found = new Map<string, { readonly owner: Owner; readonly addresses: Addresses }>();
  const seen = new Set<string>();
  let waiting = states.flatMap(referencesIn);
  if (waiting.length === 0) return undefined;
  // Each round reads the entities of all references that the last one met.
  for (let round = 0; waiting.length > 0 && round < mostRounds; round++) {
    for (const uuid of waiting) seen.add(uuid);
    const owners = await ownersOf(reader, waiting);
    const read = await statesOfOwners(reader, [...owners.values()]);
    for (const [uuid, owner] of owners) {
      found.set(uuid, { owner, addresses: new Addresses(read.get(keyOf(owner))!) });
    }
    waiting = [...new Set([...read.values()].flatMap(referencesIn))].filter((uuid) => !seen.has(uuid));
  }

  return (first) => {
    const passed = new Set<string>();
    for (let uuid = first; ; ) {
      const target = found.get(uuid);
      const field = target?.addresses.fieldWith(uuid)?.field;
      const group = target?.addresses.groupWith(uuid)?.group;
      const told = (field ?? group) && target ? { referenced: referencedOf(target.owner, first) } : {};
      const next = (field ?? group)?.reference;
      if (next === undefined) return { ...told, ...(field && { field }), ...(group && { group }) };
      passed.add(uuid);
      if (passed.has(next)) return { ...told, cycle: true };
      uuid = next;
    }
  };
}

/** Global metadata has no id. */
const referencedOf = ({ kind, id }: Owner, uuid: string) =>
  kind === 'global' ? { type: kind, uuid } : { id, type: kind, uuid };

function referencesIn(state: State): readonly string[] {
  const uuids: string[] = [];
  for (const { place } of placesOf(state)) {
    for (const { reference } of place.fields.values()) if (reference !== undefined) uuids.push(reference);
    for (const { reference } of place.groups) if (reference !== undefined) uuids.push(reference);
  }
  return uuids;
}
