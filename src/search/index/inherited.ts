import { inheritedBy } from '../../assets/metadata/inherited/inherit.ts';
import { copyState, type State } from '../../assets/metadata/merge/state.ts';
import type { Reader } from '../../store/statement.ts';

/** The states of items together with what they inherit from collections: searches find both. */
export async function withInherited(
  reader: Reader,
  items: ReadonlyMap<string, State>,
): Promise<ReadonlyMap<string, State>> {
  const heirs = await heirsOf(reader, items);
  return heirs.size === 0 ? items : new Map([...items, ...heirs]);
}

/** The same of those that are below a collection with something to inherit. */
export async function heirsOf(reader: Reader, items: ReadonlyMap<string, State>): Promise<ReadonlyMap<string, State>> {
  const inherited = await inheritedBy(reader, items);
  return new Map(Array.from(inherited, ([id, theirs]) => [id, together(items.get(id)!, theirs)]));
}

/** What is hidden by the item's own is in none of them. */
function together(own: State, inherited: State): State {
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
