import type { Statement } from '../../../store/contract.ts';
import { isKept } from '../allowed.ts';
import type { State } from '../merge/state.ts';
import type { Owner } from '../store.ts';
import { removeNames, writeNames } from './store.ts';

/** What items could inherit from a state, as the table keeps it. The service's own fields are nobody's to inherit. */
function namesOf({ spans }: State): string {
  const names = new Set<string>();
  for (const { place } of spans.values()) {
    for (const { name } of place.fields.values()) if (!isKept(name)) names.add(JSON.stringify(['field', name]));
    for (const { name } of place.groups) names.add(JSON.stringify(['group', name]));
  }
  return `[${[...names].sort().join()}]`;
}

/** For the commit that changes the metadata of a collection. */
export function tellNames({ kind, id }: Owner, before: State, after: State): readonly Statement[] {
  if (kind !== 'collection') return [];
  const names = namesOf(after);
  return names === namesOf(before) ? [] : writeNames(id, names);
}

export const forgetNames = ({ kind, id }: Owner): readonly Statement[] =>
  kind === 'collection' ? [removeNames({ id })] : [];
