import { inheritedBy } from '../../assets/metadata/inherited/inherit.ts';
import { copyState, type State } from '../../assets/metadata/merge/state.ts';
import type { Reader } from '../../store/statement.ts';

/** The states of items together with what they inherit from collections: searches find both. */
export async function withInherited(
  reader: Reader,
  items: ReadonlyMap<string, State>,
): Promise<ReadonlyMap<string, State>> {
  const inherited = await inheritedBy(reader, items);
  if (inherited.size === 0) return items;
  return new Map(Array.from(items, ([id, own]) => [id, together(own, inherited.get(id))]));
}

/** What is hidden by the item's own is in none of them. */
function together(own: State, inherited: State | undefined): State {
  if (inherited === undefined) return own;
  const state = copyState(own);
  for (const [key, span] of inherited.spans) {
    const there = state.spans.get(key);
    if (there === undefined) {
      state.spans.set(key, span);
      continue;
    }
    for (const [name, field] of span.place.fields) there.place.fields.set(name, field);
    there.place.groups.push(...span.place.groups);
  }
  return state;
}
