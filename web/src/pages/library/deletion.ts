import { send } from '../../api/client.ts';
import { beforeLogOut } from '../../api/session.ts';
import { sentenceOf } from '../../components/refusal.tsx';
import { standing, tellFailure } from '../../components/toast.ts';
import { t } from '../../texts/index.ts';
import { leaving, moved } from './leaving.ts';

/** Seconds in which a deletion can be undone. */
export const undoSeconds = 10;
/** Items of one deletion that can be undone: their ids fit into one address. */
export const maxUndone = 300;

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
