import type { Reader } from '../../../core/store/statement.ts';
import { keyOf, ownersOf, statesOfOwners } from '../load.ts';
import { Addresses } from '../merge/addresses.ts';
import { everyContents, type MetadataState, type StoredField, type StoredGroup } from '../merge/state.ts';
import type { MetadataOwner } from '../store.ts';

/** Target of a reference. Empty: the target is gone. */
export interface ReferenceTarget {
  readonly referenced?: { readonly id?: string; readonly type?: string; readonly uuid: string };
  readonly field?: StoredField;
  readonly group?: StoredGroup;
  readonly cycle?: true;
  /** The names of the groups around it, the nearest first. */
  readonly around?: readonly string[];
}

export type Resolve = (uuid: string) => ReferenceTarget;

interface Resolver {
  readonly resolve: Resolve;
  /** States with targets of references, since rights in their fields are checked as well. */
  readonly states: readonly MetadataState[];
}

/** Maximum length of a chain of references. */
const maxRounds = 10;

/** Loads the targets of references in other entities. Undefined: the states have no references. */
export async function resolverOf(reader: Reader, states: readonly MetadataState[]): Promise<Resolver | undefined> {
  const addressesById = new Map<string, { readonly owner: MetadataOwner; readonly addresses: Addresses }>();
  const reached: MetadataState[] = [];
  const seen = new Set<string>();
  let waiting = states.flatMap(referencesIn);
  if (waiting.length === 0) return undefined;
  // Each round reads the entities of all references that the previous one found.
  for (let round = 0; waiting.length > 0 && round < maxRounds; round++) {
    for (const uuid of waiting) seen.add(uuid);
    const owners = await ownersOf(reader, waiting);
    const read = await statesOfOwners(reader, [...owners.values()]);
    reached.push(...read.values());
    for (const [uuid, owner] of owners) {
      addressesById.set(uuid, { owner, addresses: new Addresses(read.get(keyOf(owner))!) });
    }
    waiting = [...new Set([...read.values()].flatMap(referencesIn))].filter((uuid) => !seen.has(uuid));
  }

  const resolve: Resolve = (first) => {
    const passed = new Set<string>();
    for (let uuid = first; ; ) {
      const target = addressesById.get(uuid);
      const ofField = target?.addresses.fieldWith(uuid);
      const ofGroup = target?.addresses.groupWith(uuid);
      const [field, group] = [ofField?.field, ofGroup?.group];
      const around = (ofField ?? ofGroup)?.around ?? [];
      const referenced = (field ?? group) && target ? { referenced: referencedOf(target.owner, first) } : {};
      const next = (field ?? group)?.reference;
      if (next === undefined) return { ...referenced, ...(field && { field }), ...(group && { group }), around };
      passed.add(uuid);
      if (passed.has(next)) return { ...referenced, cycle: true };
      uuid = next;
    }
  };
  return { resolve, states: reached };
}

/** Properties of a reference target. Global metadata has no id. */
const referencedOf = ({ kind, id }: MetadataOwner, uuid: string) =>
  kind === 'global' ? { type: kind, uuid } : { id, type: kind, uuid };

function referencesIn(state: MetadataState): readonly string[] {
  const uuids: string[] = [];
  for (const { contents } of everyContents(state)) {
    for (const { reference } of contents.fields.values()) if (reference !== undefined) uuids.push(reference);
    for (const { reference } of contents.groups) if (reference !== undefined) uuids.push(reference);
  }
  return uuids;
}
