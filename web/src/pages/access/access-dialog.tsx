import { useState } from 'preact/hooks';
import { Refusal, send } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { toast } from '../../components/toast.ts';
import { t } from '../../texts/index.ts';
import { batchesOf, type DialogProps } from '../library/actions.ts';
import { EntryFields, emptyDraft, entryOf } from './entry-fields.tsx';

/** Gives access to all chosen items that the person may share. The others are counted. */
export function AccessDialog({ chosen, size, onClose, onDone }: DialogProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [done, setDone] = useState<number>();
  const work = async () => {
    let [grants, refusals] = [0, 0];
    for await (const ids of batchesOf(chosen)) {
      for (const id of ids) {
        try {
          await send('POST', `/item/${id}/access`, entryOf(draft), { query: { allowDuplicate: false } });
          grants += 1;
        } catch (error) {
          // Without the right to share one item, the others still get the entry.
          if (!(error instanceof Refusal) || error.status !== 403 || error.role !== undefined) throw error;
          refusals += 1;
        }
        setDone(grants + refusals);
      }
    }
    toast(
      t(refusals > 0 ? 'access.givenSome' : 'access.given', {
        count: grants,
        refused: refusals,
        name: draft.name.trim(),
      }),
    );
    onDone('access');
  };
  return (
    <FormDialog title={t('access.giveTitle', { count: size })} action={t('access.give')} onClose={onClose} work={work}>
      <EntryFields draft={draft} onChange={setDraft} />
      <p class="muted small">{t('access.giveNote')}</p>
      {done !== undefined && (
        <p role="status">
          <progress value={done} max={size} /> {t('word.doneOf', { done, size })}
        </p>
      )}
    </FormDialog>
  );
}
