import { useState } from 'preact/hooks';
import { Refusal, send } from '../../api/client.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toast.tsx';
import { t } from '../../texts/index.ts';
import { batchesOf } from '../library/actions.ts';
import type { DialogProps } from '../library/dialog.ts';
import { entryOf, firstWish, GiveFields } from './give.tsx';

/** Gives access to all chosen items that the person may share. The others are counted. */
export function AccessDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const [wish, setWish] = useState(firstWish);
  const [done, setDone] = useState<number>();
  const work = async () => {
    let [given, refused] = [0, 0];
    for await (const ids of batchesOf(chosen)) {
      for (const id of ids) {
        try {
          await send('POST', `/item/${id}/access`, entryOf(wish), { query: { allowDuplicate: false } });
          given += 1;
        } catch (error) {
          // Without the right to share one item, the others still get the entry.
          if (!(error instanceof Refusal) || error.status !== 403 || error.role !== undefined) throw error;
          refused += 1;
        }
        setDone(given + refused);
      }
    }
    toast(t(refused > 0 ? 'access.givenSome' : 'access.given', { count: given, refused, name: wish.name.trim() }));
    onDone('access');
  };
  return (
    <FormDialog title={t('access.giveTitle', { count: size })} action={t('item.give')} onClose={onClose} work={work}>
      <GiveFields wish={wish} onChange={setWish} />
      <p class="muted small">{t('access.giveNote')}</p>
      {done !== undefined && (
        <p role="status">
          <progress value={done} max={size} /> {t('library.doneOf', { done, size })}
        </p>
      )}
    </FormDialog>
  );
}
