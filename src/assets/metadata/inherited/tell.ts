import { serialOf } from '../../../media/files/store.ts';
import type { Statement } from '../../../store/contract.ts';
import { isKept } from '../allowed.ts';
import type { State, StoredGroup } from '../merge/state.ts';
import type { Owner } from '../store.ts';
import { removeNames, removeUses, writeNames, writeUses } from './store.ts';

/** What items could inherit from a state, as the table keeps it. The service's own fields are nobody's to inherit. */
function namesOf({ spans }: State): string {
  const names = new Set<string>();
  for (const { place } of spans.values()) {
    for (const { name } of place.fields.values()) if (!isKept(name)) names.add(JSON.stringify(['field', name]));
    for (const { name } of place.groups) names.add(JSON.stringify(['group', name]));
  }
  return `[${[...names].sort().join()}]`;
}

/** The groups that a state has on any level. */
function groupsOf({ spans }: State): string {
  const names = new Set<string>();
  const collect = (groups: readonly StoredGroup[]): void => {
    for (const { name, place } of groups) {
      names.add(name);
      collect(place.groups);
    }
  };
  for (const { place } of spans.values()) collect(place.groups);
  return JSON.stringify([...names].sort());
}

/** For the commit that changes metadata: by these names others find the entity. Mostly they stay. */
export function tellNames({ kind, id }: Owner, before: State, after: State): readonly Statement[] {
  const names = kind === 'collection' ? namesOf(after) : '';
  const groups = groupsOf(after);
  return [
    ...(kind === 'collection' && names !== namesOf(before) ? writeNames(id, names) : []),
    ...(groups === groupsOf(before) ? [] : writeUses({ kind, id, serial: numberOf(id), names: groups })),
  ];
}

/** Global metadata has no number. */
const numberOf = (id: string): number => serialOf(id) || 0;

export const forgetNames = ({ kind, id }: Owner): readonly Statement[] => [
  ...(kind === 'collection' ? [removeNames({ id })] : []),
  removeUses({ kind, id }),
];
