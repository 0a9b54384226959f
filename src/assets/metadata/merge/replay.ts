import { nextTurn } from '../../../lib/turn.ts';
import { type Merged, mergeInto } from './merge.ts';
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

/** Elements that are played in one turn of the loop. */
const inOneTurn = 200;

const weightOf = ({ wish }: ChangeSet): number =>
  1 + wish.spans.reduce((sum, { fields, groups }) => sum + 1 + fields.length + 5 * groups.length, 0);

/** Plays change sets in the order of their ids. A long log gives the loop back now and then. */
async function playAll(
  sets: readonly ChangeSet[],
  isKept: IsKept,
  each: (set: ChangeSet, merged: Merged) => void,
  ahead?: (set: ChangeSet, state: State) => void,
): Promise<State> {
  let state = emptyState();
  let played = 0;
  /** At most so many elements has the state. A merge looks at all of them. */
  let size = 0;
  for (const set of sets) {
    size += weightOf(set);
    const weight = weightOf(set) + size / 20;
    played += weight;
    if (played > inOneTurn) {
      played = weight;
      await nextTurn();
    }
    ahead?.(set, state);
    const merged = mergeInto(state, set.wish, optionsOf(set, isKept));
    state = merged.state;
    each(set, merged);
  }
  return state;
}

/** `isKept`: the fields that users cannot change. */
export async function replay(sets: readonly ChangeSet[], isKept: IsKept): Promise<Replayed> {
  const played: ChangeSet[] = [];
  const state = await playAll(sets, isKept, ({ change }, { wish }) => played.push({ change, wish }));
  return { state, sets: played };
}

/** Takes out of the named change sets what changes nothing. One of which nothing is left disappears. */
export async function trim(
  sets: readonly ChangeSet[],
  isNamed: (id: string) => boolean,
  isKept: IsKept,
): Promise<readonly ChangeSet[]> {
  const left: ChangeSet[] = [];
  await playAll(sets, isKept, (set, { trimmed }) => {
    if (!isNamed(set.change.id)) left.push(set);
    else if (!asksNothing(trimmed)) left.push({ change: set.change, wish: trimmed });
  });
  return left;
}

/** The states before and after a change set. Undefined: it is not in the log. */
export async function statesAround(
  sets: readonly ChangeSet[],
  id: string,
  isKept: IsKept,
): Promise<{ readonly before: State; readonly after: State } | undefined> {
  const index = sets.findIndex(({ change }) => change.id === id);
  if (index < 0) return undefined;
  let before = emptyState();
  const after = await playAll(
    sets.slice(0, index + 1),
    isKept,
    () => undefined,
    (set, state) => {
      if (set.change.id === id) before = copyState(state);
    },
  );
  return { before, after };
}

const optionsOf = ({ change, wish }: ChangeSet, isKept: IsKept) => ({
  change,
  strict: false,
  isKept: wish.system ? isWritable : isKept,
});
