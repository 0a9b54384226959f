import type { Reader } from '../../../core/store/statement.ts';
import { isKept } from '../allowed.ts';
import { deletionsIn } from '../gone/gone.ts';
import type { Loaded } from '../load.ts';
import { noSuchChangeSet } from '../merge/refusals.ts';
import { replay, statesAround } from '../merge/replay.ts';
import type { MetadataState } from '../merge/state.ts';
import { serialOf } from '../merge/uuid.ts';
import type { MetadataOwner } from '../store.ts';
import { loadLog } from './change.ts';

/**
 * State after the newest of the given change sets. Replaying only the given ones would be wrong: removals need the
 * earlier values.
 */
export async function stateAt(
  reader: Reader,
  owner: MetadataOwner,
  revision: readonly string[],
): Promise<Pick<Loaded, 'state' | 'changedAt'>> {
  const log = await loadLog(reader, owner);
  for (const id of revision) if (!log.some(({ change }) => change.id === id)) throw noSuchChangeSet(id);
  const newest = Math.max(...revision.map(serialOf));
  const sets = log.filter(({ change }) => serialOf(change.id) <= newest);
  const { state } = await replay(sets, isKept, await deletionsIn(reader, log));
  return { state, changedAt: sets.at(-1)?.change.at };
}

/** States after two change sets. Without an older one: the state before the newer one. */
export async function statesOfSets(
  reader: Reader,
  owner: MetadataOwner,
  newer: string,
  older: string | undefined,
): Promise<{ readonly before: MetadataState; readonly after: MetadataState }> {
  const log = await loadLog(reader, owner);
  const deletions = await deletionsIn(reader, log);
  const around = await statesAround(log, newer, isKept, deletions);
  if (around === undefined) throw noSuchChangeSet(newer);
  if (older === undefined) return around;
  const before = (await statesAround(log, older, isKept, deletions))?.after;
  if (before === undefined) throw noSuchChangeSet(older);
  return { before, after: around.after };
}
