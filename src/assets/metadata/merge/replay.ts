import { nextTurn } from '../../../lib/turn.ts';
import { type Merged, mergeInto } from './merge.ts';
import { type Change, copyState, emptyState, type State } from './state.ts';
import { takeOut } from './take-out.ts';
import { asksNothing, type Wish } from './wish.ts';

/** One change set of the log. */
export interface ChangeSet {
  readonly change: Change;
  readonly wish: Wish;
  /** The newest deletion of a field that its writer saw. */
  readonly epoch: number;
  /** The same when it was read. */
  readonly newestDeletion: number;
}

/** Deletions of fields, by their numbers. */
export interface Deletions {
  /** The fields that went behind the first of two epochs, and not behind the other one. */
  between(from: number, to: number): ReadonlySet<string>;
  /** The number of the newest one. */
  readonly newest: number;
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

/**
 * Plays change sets in the order of their ids, and deletions of fields where they were among them. A long log gives the
 * loop back now and then.
 */
async function playAll(
  sets: readonly ChangeSet[],
  isKept: IsKept,
  deletions: Deletions,
  each: (set: ChangeSet, merged: Merged) => void,
  ahead?: (set: ChangeSet, state: State) => void,
): Promise<State> {
  let state = emptyState();
  let played = 0;
  let epoch = 0;
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
    takeOut(state, deletions.between(epoch, set.epoch));
    epoch = set.epoch;
    ahead?.(set, state);
    const merged = mergeInto(state, set.wish, optionsOf(set, isKept));
    state = merged.state;
    each(set, merged);
  }
  takeOut(state, deletions.between(epoch, deletions.newest));
  return state;
}

/** `isKept`: the fields that users cannot change. */
export async function replay(sets: readonly ChangeSet[], isKept: IsKept, deletions: Deletions): Promise<Replayed> {
  const played: ChangeSet[] = [];
  const state = await playAll(sets, isKept, deletions, (set, { wish }) => played.push({ ...set, wish }));
  return { state, sets: played };
}

/** Takes out of the named change sets what changes nothing. One of which nothing is left disappears. */
export async function trim(
  sets: readonly ChangeSet[],
  isNamed: (id: string) => boolean,
  isKept: IsKept,
  deletions: Deletions,
): Promise<readonly ChangeSet[]> {
  const left: ChangeSet[] = [];
  await playAll(sets, isKept, deletions, (set, { trimmed }) => {
    if (!isNamed(set.change.id)) left.push(set);
    else if (!asksNothing(trimmed)) left.push({ ...set, wish: trimmed });
  });
  return left;
}

/** The states before and after a change set. Undefined: it is not in the log. */
export async function statesAround(
  sets: readonly ChangeSet[],
  id: string,
  isKept: IsKept,
  deletions: Deletions,
): Promise<{ readonly before: State; readonly after: State } | undefined> {
  const index = sets.findIndex(({ change }) => change.id === id);
  if (index < 0) return undefined;
  let before = emptyState();
  const after = await playAll(
    sets.slice(0, index + 1),
    isKept,
    deletions,
    () => undefined,
    (set, state) => {
      if (set.change.id === id) before = copyState(state);
    },
  );
  takeOut(before, deletions.between(sets[index]!.epoch, deletions.newest));
  return { before, after };
}

const optionsOf = ({ change, wish }: ChangeSet, isKept: IsKept) => ({
  change,
  strict: false,
  isKept: wish.system ? isWritable : isKept,
});
