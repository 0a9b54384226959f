import { runInSlices, yieldTurn } from '../../../core/lib/turn.ts';
import { type Merged, mergeInto } from './merge.ts';
import { asksNothing, type MetadataRequest } from './request.ts';
import { type Change, copyState, emptyState, type MetadataState } from './state.ts';
import { takeOut } from './take-out.ts';

/** A change set of the log. */
export interface ChangeSet {
  readonly change: Change;
  readonly request: MetadataRequest;
  /** Newest deletion of a field at the time of writing. */
  readonly epoch: number;
  /** Newest deletion of a field at the time of reading. */
  readonly newestDeletion: number;
}

/** Deletions of fields by number. */
export interface Deletions {
  /** Fields deleted after the first epoch, up to the second. */
  between(from: number, to: number): ReadonlySet<string>;
  /** Number of the newest deletion. */
  readonly newest: number;
}

interface Replayed {
  readonly state: MetadataState;
  /** The change sets with uuids of the instances that they match now. */
  readonly sets: readonly ChangeSet[];
}

type IsRetained = (name: string) => boolean;

const isWritable = (): boolean => false;

/** Elements replayed per tick of the event loop. */
const inOneTurn = 200;

const weightOf = ({ request }: ChangeSet): number =>
  1 + request.spans.reduce((sum, { fields, groups }) => sum + 1 + fields.length + 5 * groups.length, 0);

/**
 * Replays change sets in the order of their ids, with deletions of fields in between. Long logs yield to the event
 * loop.
 */
async function playAll(
  sets: readonly ChangeSet[],
  isKept: IsRetained,
  deletions: Deletions,
  each: (set: ChangeSet, merged: Merged) => void,
  ahead?: (set: ChangeSet, state: MetadataState) => void,
): Promise<MetadataState> {
  let state = emptyState();
  let played = 0;
  let epoch = 0;
  /** Upper bound for elements of the state, since a merge visits all of them. */
  let size = 0;
  for (const set of sets) {
    size += weightOf(set);
    const weight = weightOf(set) + size / 20;
    played += weight;
    if (played > inOneTurn) {
      played = weight;
      await yieldTurn();
    }
    takeOut(state, deletions.between(epoch, set.epoch));
    epoch = set.epoch;
    ahead?.(set, state);
    const merged = await runInSlices(mergeInto(state, set.request, optionsOf(set, isKept)));
    state = merged.state;
    each(set, merged);
  }
  takeOut(state, deletions.between(epoch, deletions.newest));
  return state;
}

/** Replays a log. `isKept`: fields that users cannot change. */
export async function replay(sets: readonly ChangeSet[], isKept: IsRetained, deletions: Deletions): Promise<Replayed> {
  const played: ChangeSet[] = [];
  const state = await playAll(sets, isKept, deletions, (set, { request }) => played.push({ ...set, request }));
  return { state, sets: played };
}

/** Removes parts without effect from the named change sets. Empty change sets disappear. */
export async function trim(
  sets: readonly ChangeSet[],
  isNamed: (id: string) => boolean,
  isKept: IsRetained,
  deletions: Deletions,
): Promise<readonly ChangeSet[]> {
  const left: ChangeSet[] = [];
  await playAll(sets, isKept, deletions, (set, { trimmed }) => {
    if (!isNamed(set.change.id)) left.push(set);
    else if (!asksNothing(trimmed)) left.push({ ...set, request: trimmed });
  });
  return left;
}

/** States before and after a change set. Undefined: not in the log. */
export async function statesAround(
  sets: readonly ChangeSet[],
  id: string,
  isKept: IsRetained,
  deletions: Deletions,
): Promise<{ readonly before: MetadataState; readonly after: MetadataState } | undefined> {
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

const optionsOf = ({ change, request }: ChangeSet, isKept: IsRetained) => ({
  change,
  strict: false,
  isKept: request.system ? isWritable : isKept,
});
