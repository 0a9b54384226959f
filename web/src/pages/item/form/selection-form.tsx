import { useState } from 'preact/hooks';
import { Pending } from '../../../components/empty.tsx';
import { useLoad } from '../../../components/load.ts';
import { act } from '../../../components/refusal.tsx';
import { toast } from '../../../components/toast.ts';
import { Link } from '../../../router.tsx';
import { t } from '../../../texts/index.ts';
import { batchesOf, type ChosenItems } from '../../library/actions.ts';
import { MetadataForm } from './form.tsx';
import { metadataOf, saveMany } from './save.ts';

interface SelectionFormProps {
  readonly chosen: ChosenItems;
  readonly size: number;
  readonly onDone: () => void;
}

/** Items that are read for what they have in common: a selection may have thousands. */
const max = 20;

/** Tells how many items are as before, and how many others have changed meanwhile. */
function takenBack(size: number, changedSince: number): void {
  const count = size - changedSince;
  toast(
    [
      (count > 0 || changedSince === 0) && t('form.takenBack', { count }),
      changedSince > 0 && t('form.changedSince', { count: changedSince }),
    ]
      .filter(Boolean)
      .join(' '),
  );
}

/** The form of several items. Only what a person changes is written, in all of them. */
export function SelectionForm({ chosen, size, onDone }: SelectionFormProps) {
  const [done, setDone] = useState<number>();
  const {
    value: items,
    refusal,
    reload,
  } = useLoad('selection', async (signal) => {
    for await (const ids of batchesOf(chosen, signal)) {
      return Promise.all(ids.slice(0, max).map(async (id) => ({ id, metadata: await metadataOf(id) })));
    }
    return [];
  });
  if (!items) return <Pending of={{ refusal, reload }} rows={6} />;
  return (
    <>
      <p class="muted small">
        {t('form.editNote')} {size > max && t('form.editMany', { count: max })}{' '}
        <Link to="/tables">{t('tables.title')}</Link>
      </p>
      {done !== undefined && (
        <p role="status">
          <progress value={done} max={size} /> {t('word.doneOf', { done, size })}
        </p>
      )}
      <MetadataForm
        items={items}
        canEdit
        isPart={size > items.length}
        onSave={async (_base, mine, _label, joined) => {
          setDone(0);
          const undo = await saveMany(batchesOf(chosen), Object.keys(mine), mine, setDone, joined).finally(() =>
            setDone(undefined),
          );
          toast(t('form.written', { count: size }), {
            text: t('word.undo'),
            run: () => void act(async () => takenBack(size, await undo())),
          });
          onDone();
        }}
      />
    </>
  );
}
