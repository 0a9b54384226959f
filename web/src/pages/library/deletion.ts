import type { ItemListDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { beforeLogOut } from '../../api/session.ts';
import { sentenceOf } from '../../components/refusal.tsx';
import { standing, tellFailure } from '../../components/toast.ts';
import { reaches } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { type ChosenItems, chosenIds } from './actions.ts';
import { leaving, moved } from './leaving.ts';
import { nameIn, valuesOf } from './results.ts';
import { oneOf } from './search.ts';

/** Seconds in which a deletion can be undone. */
export const undoSeconds = 10;
/** Items of one deletion that can be undone: their ids fit into one address. */
export const maxUndone = 300;

/** Names of items that the person may not delete, and the ids of the others. They are asked for at once. */
export async function deletableOf(chosen: ChosenItems, signal: AbortSignal) {
  const ids = await chosenIds(chosen, maxUndone);
  const query = { content: 'metadata,access', field: '__name,mediaType,created', terse: 'true', number: ids.length };
  const { item = [] } = await send<ItemListDocument>('PUT', '/item', { field: [oneOf(ids)] }, { query, signal });
  const closed = item.filter((each) => !reaches(each, 'ALL'));
  return {
    ids: ids.filter((id) => !closed.some((each) => each.id === id)),
    closed: closed.map((each) => nameIn(valuesOf(each))),
  };
}

let pending: readonly string[] = [];
let timer: ReturnType<typeof setTimeout>;

function take(): readonly string[] {
  const ids = pending;
  pending = [];
  clearTimeout(timer);
  standing.value = undefined;
  return ids;
}

function bringBack(ids: readonly string[], isUndone: boolean): void {
  for (const id of ids) leaving.delete(id);
  moved.value = { isUndone };
}

/** Takes items out of all lists, and deletes them once nobody can undo it any more. A deletion that waits is done first. */
export function deleteLater(ids: readonly string[], text: string): void {
  void deleteNow();
  pending = ids;
  for (const id of ids) leaving.add(id);
  moved.value = { isUndone: false };
  const undo = { text: t('word.undo'), run: () => bringBack(take(), true) };
  standing.value = { text, actions: [undo], onClose: deleteNow };
  timer = setTimeout(deleteNow, undoSeconds * 1000);
}

/** Deletes what waits. Items that stay are back in the lists, with the reason. */
async function deleteNow(): Promise<void> {
  const ids = take();
  if (ids.length === 0) return;
  // The request goes on when its page is closed.
  const options = { query: { id: ids.join(',') }, keepalive: true };
  try {
    await send('DELETE', '/item', undefined, options);
    for (const id of ids) leaving.delete(id);
  } catch (error) {
    bringBack(ids, false);
    tellFailure(t('library.notDeleted', { reason: sentenceOf(error) }));
  }
}

addEventListener('pagehide', () => void deleteNow());
beforeLogOut(deleteNow);
