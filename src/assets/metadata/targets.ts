import { groupBy } from '../../lib/group-by.ts';
import type { Reader } from '../../store/statement.ts';
import type { Asker } from '../definitions/access/rights.ts';
import { readableFields } from './allowed.ts';
import { keyOf, ownersOf, statesOfOwners } from './load.ts';
import { noSuchEntry } from './merge/refusals.ts';
import { type Place, type State, uuidOfInstance } from './merge/state.ts';

/** A field that a reference shows. */
interface Shown {
  readonly name: string;
  /** The names of the groups, the nearest first. */
  readonly around: readonly string[];
}

/**
 * Each reference leads to a group or field that is there, and that the asker may read: uuids are no secret. Without an
 * asker, the service itself refers.
 */
export async function expectTargets(reader: Reader, uuids: readonly string[], asker: Asker | undefined): Promise<void> {
  if (uuids.length === 0) return;
  const owners = await ownersOf(reader, uuids);
  const states = await statesOfOwners(reader, [...owners.values()]);
  for (const uuid of uuids) {
    const owner = owners.get(uuid);
    if (owner === undefined || !states.has(keyOf(owner))) throw noSuchEntry(uuid);
  }
  for (const [key, ofOwner] of groupBy(uuids, (uuid) => keyOf(owners.get(uuid)!))) {
    const owner = owners.get(ofOwner[0]!)!;
    const state = states.get(key)!;
    const shown = new Map([[owner.id, { state }]]);
    const isReadable = asker && (await readableFields(reader, asker, owner.kind, shown))?.(owner.id);
    const targets = targetsIn(state, new Set(ofOwner));
    for (const uuid of ofOwner) {
      const fields = targets.get(uuid);
      if (!fields?.every(({ name, around }) => isReadable?.(name, around) ?? true)) throw noSuchEntry(uuid);
    }
  }
}

/** What those of the uuids show that a state has. */
function targetsIn({ spans }: State, uuids: ReadonlySet<string>): ReadonlyMap<string, readonly Shown[]> {
  const found = new Map<string, readonly Shown[]>();
  const look = ({ fields, groups }: Place, around: readonly string[]): readonly Shown[] => {
    const shown: Shown[] = [];
    for (const field of fields.values()) {
      const one = { name: field.name, around };
      shown.push(one);
      const uuid = uuidOfInstance(field);
      if (uuids.has(uuid)) found.set(uuid, [one]);
    }
    for (const group of groups) {
      const inside = look(group.place, [group.name, ...around]);
      shown.push(...inside);
      const uuid = uuidOfInstance(group);
      if (uuids.has(uuid)) found.set(uuid, inside);
    }
    return shown;
  };
  for (const { place } of spans.values()) look(place, []);
  return found;
}
