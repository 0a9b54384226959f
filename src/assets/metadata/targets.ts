import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { FieldReader } from '../definitions/public-reading.ts';
import { readableFields } from './allowed.ts';
import { keyOf, ownersOf, statesOfOwners } from './load.ts';
import { noSuchMetadataEntry } from './merge/refusals.ts';
import { type Contents, type MetadataState, uuidOfInstance } from './merge/state.ts';

/** A field visible through a reference. */
interface Shown {
  readonly name: string;
  /** Names of the groups, the nearest first. */
  readonly around: readonly string[];
}

/**
 * Refuses references to missing groups or fields, or to those that the asker may not read: uuids are not secret.
 * Undefined asker: the service itself.
 */
export async function expectTargets(
  reader: Reader,
  uuids: readonly string[],
  asker: FieldReader | undefined,
): Promise<void> {
  if (uuids.length === 0) return;
  const owners = await ownersOf(reader, uuids);
  const states = await statesOfOwners(reader, [...owners.values()]);
  for (const uuid of uuids) {
    const owner = owners.get(uuid);
    if (owner === undefined || !states.has(keyOf(owner))) throw noSuchMetadataEntry(uuid);
  }
  for (const [key, ofOwner] of groupBy(uuids, (uuid) => keyOf(owners.get(uuid)!))) {
    const owner = owners.get(ofOwner[0]!)!;
    const state = states.get(key)!;
    const { kind, id } = owner;
    const isReadable = asker && (await readableFields(reader, asker, { kind, ids: [id] }, { states: [state] }))?.(id);
    const targets = targetsIn(state, new Set(ofOwner));
    for (const uuid of ofOwner) {
      const fields = targets.get(uuid);
      if (!fields?.every(({ name, around }) => isReadable?.(name, around) ?? true)) throw noSuchMetadataEntry(uuid);
    }
  }
}

/** Fields visible through each of the uuids that occur in the state. */
function targetsIn({ spans }: MetadataState, uuids: ReadonlySet<string>): ReadonlyMap<string, readonly Shown[]> {
  const shownByUuid = new Map<string, readonly Shown[]>();
  const look = ({ fields, groups }: Contents, around: readonly string[]): readonly Shown[] => {
    const shown: Shown[] = [];
    for (const field of fields.values()) {
      const one = { name: field.name, around };
      shown.push(one);
      const uuid = uuidOfInstance(field);
      if (uuids.has(uuid)) shownByUuid.set(uuid, [one]);
    }
    for (const group of groups) {
      const inside = look(group.contents, [group.name, ...around]);
      shown.push(...inside);
      const uuid = uuidOfInstance(group);
      if (uuids.has(uuid)) shownByUuid.set(uuid, inside);
    }
    return shown;
  };
  for (const { contents } of spans.values()) look(contents, []);
  return shownByUuid;
}
