import type { Reader } from '../../../core/store/statement.ts';
import { copyState, inheritedBy, type MetadataState } from '../../metadata/public-reading.ts';

/** States of items including inherited metadata, since searches find both. */
export async function withInherited(
  reader: Reader,
  items: ReadonlyMap<string, MetadataState>,
): Promise<ReadonlyMap<string, MetadataState>> {
  const heirs = await heirsOf(reader, items);
  return heirs.size === 0 ? items : new Map([...items, ...heirs]);
}

/** States of items that inherit something, including the inherited metadata. */
export async function heirsOf(
  reader: Reader,
  items: ReadonlyMap<string, MetadataState>,
): Promise<ReadonlyMap<string, MetadataState>> {
  const inherited = await inheritedBy(reader, items);
  return new Map(Array.from(inherited, ([id, theirs]) => [id, together(items.get(id)!, theirs)]));
}

/** Merges inherited metadata into a copy of the own. Hidden fields and groups are already left out. */
function together(own: MetadataState, inherited: MetadataState): MetadataState {
  const state = copyState(own);
  for (const [key, span] of inherited.spans) {
    const ownSpan = state.spans.get(key);
    if (ownSpan === undefined) {
      state.spans.set(key, span);
      continue;
    }
    for (const [name, field] of span.place.fields) ownSpan.place.fields.set(name, field);
    ownSpan.place.groups.push(...span.place.groups);
  }
  return state;
}
