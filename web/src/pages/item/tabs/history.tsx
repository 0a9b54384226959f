import type { MetadataChangeSetDocument, MetadataDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Empty, Skeleton } from '../../../components/empty.tsx';
import { useLoad } from '../../../components/load.ts';
import { act, RefusalNote } from '../../../components/refusal.tsx';
import { Time } from '../../../components/values.tsx';
import { lengthText, secondsOf } from '../../../player/frames.ts';
import { may } from '../../../rights.ts';
import { language, t } from '../../../texts/index.ts';
import { type Change, changesOf, differencesOf } from '../changes.ts';
import { useDefinitions } from '../form/definitions.ts';
import { labelOf } from '../form/model.ts';
import { takeBack } from '../form/save.ts';
import { reaches, type TabProps } from '../item.ts';

const page = 30;

/** Who has changed what, the newest first. */
export function HistoryTab({ item, reload: reloadItem }: TabProps) {
  const [most, setMost] = useState(page);
  const [changeToUndo, setChangeToUndo] = useState<Change>();
  const { value, refusal, reload } = useLoad(`history ${item.id} ${item.metadata?.revision}`, (signal) =>
    get<MetadataChangeSetDocument>(`/item/${item.id}/metadata/changes`, { signal }),
  );
  const definitions = useDefinitions();
  const label = (name: string) =>
    labelOf(name, definitions?.fields.find((each) => each.name === name)?.data, language.value);
  if (refusal && !value) return <RefusalNote error={refusal} onAgain={reload} />;
  if (!value) return <Skeleton />;
  const changes = changesOf(value);
  const canEdit = may('item.edit') && reaches(item, 'WRITE', 'METADATA');
  const undo = async ({ id }: Change) => {
    if (await act(() => takeBack(item.id ?? '', id), t('form.undone'))) {
      reload();
      reloadItem();
    }
    setChangeToUndo(undefined);
  };
  return (
    <div class="stack">
      {changes.length === 0 && <Empty icon="history" text={t('item.noHistory')} />}
      <ol class="plain history">
        {changes.slice(0, most).map((change, index) => (
          <Entry
            key={change.id}
            item={item.id ?? ''}
            {...{ change, label }}
            isOpen={index === 0}
            onUndo={canEdit && change.user !== 'system' ? () => setChangeToUndo(change) : undefined}
          />
        ))}
      </ol>
      {changes.length > most && <Button onClick={() => setMost(most + page)}>{t('word.more')}</Button>}
      {changeToUndo && (
        <Dialog title={t('item.undoTitle')} onClose={() => setChangeToUndo(undefined)}>
          <p>{t('item.undoNote', { fields: changeToUndo.names.map(label).join(', ') })}</p>
          <footer class="row end">
            <Button onClick={() => setChangeToUndo(undefined)}>{t('word.cancel')}</Button>
            <Button kind="main" onClick={() => void undo(changeToUndo)}>
              {t('item.undo')}
            </Button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}

interface EntryProps {
  readonly item: string;
  readonly change: Change;
  readonly isOpen: boolean;
  readonly label: (name: string) => string;
  readonly onUndo: (() => void) | undefined;
}

function Entry({ item, change, isOpen: isFirst, label, onUndo }: EntryProps) {
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>{change.user ?? t('item.service')}</strong> <Time at={change.at} />{' '}
          <span class="muted small">{change.names.map(label).join(', ')}</span>
        </summary>
        {isOpen && <Differences item={item} change={change.id} label={label} />}
        {onUndo && (
          <Button kind="quiet" icon="history" onClick={onUndo}>
            {t('item.undo')}
          </Button>
        )}
      </details>
    </li>
  );
}

function Differences({ item, change, label }: { item: string; change: string; label: (name: string) => string }) {
  const { value, refusal } = useLoad(`${item} ${change}`, (signal) =>
    get<MetadataDocument>(`/item/${item}/metadata/changes/${change}/compareTo/previous`, { signal }),
  );
  if (refusal) return <RefusalNote error={refusal} />;
  if (!value) return <Skeleton rows={1} />;
  const rows = differencesOf(value);
  if (rows.length === 0) return <p class="muted small">{t('item.sameValues')}</p>;
  return (
    <dl class="facts small differences">
      {rows.map(({ name, span, before, after }) => (
        <>
          <dt key={`${name} ${span}`}>
            {label(name)}
            {span !== undefined && (
              <div>
                {span
                  .split(' – ')
                  .map((code) => lengthText(secondsOf(code, 0)))
                  .join(' – ')}
              </div>
            )}
          </dt>
          <dd>
            {before.length > 0 && <del>{before.join(', ')}</del>} {after.length > 0 && <ins>{after.join(', ')}</ins>}
          </dd>
        </>
      ))}
    </dl>
  );
}
