import { mergeInto } from './merge.ts';
import { type Change, copyState, emptyState, type State } from './state.ts';
import { asksNothing, type Wish } from './wish.ts';

/** One change set of the log. */
export interface ChangeSet {
  readonly change: Change;
  readonly wish: Wish;
}

export interface Replayed {
  readonly state: State;
  /** The same change sets, with the uuids of the instances that they meet now. */
  readonly sets: readonly ChangeSet[];
}

type IsKept = (name: string) => boolean;

const isWritable = (): boolean => false;

/** Plays change sets in the order of their ids. `isKept`: the fields that users cannot change. */
export function replay(sets: readonly ChangeSet[], isKept: IsKept): Replayed {
  let state = emptyState();
  const played = sets.map((set) => {
    const merged = mergeInto(state, set.wish, optionsOf(set, isKept));
    state = merged.state;
    return { change: set.change, wish: merged.wish };
  });
  return { state, sets: played };
}

/** Takes out of the named change sets what changes nothing. One of which nothing is left disappears. */
export function trim(
  sets: readonly ChangeSet[],
  isNamed: (id: string) => boolean,
  isKept: IsKept,
): readonly ChangeSet[] {
  let state = emptyState();
  return sets.flatMap((set) => {
    const merged = mergeInto(state, set.wish, optionsOf(set, isKept));
    state = merged.state;
    if (!isNamed(set.change.id)) return [set];
    return asksNothing(merged.trimmed) ? [] : [{ change: set.change, wish: merged.trimmed }];
  });
}

/** The states before and after a change set. Undefined: it is not in the log. */
export function statesAround(
  sets: readonly ChangeSet[],
  id: string,
  isKept: IsKept,
): { readonly before: State; readonly after: State } | undefined {
  let state = emptyState();
  for (const set of sets) {
    const before = set.change.id === id ? copyState(state) : undefined;
    state = mergeInto(state, set.wish, optionsOf(set, isKept)).state;
    if (before) return { before, after: state };
  }
  return undefined;
}

const optionsOf = ({ change, wish }: ChangeSet, isKept: IsKept) => ({
  change,
  strict: false,
  isKept: wish.system ? isWritable : isKept,
});
