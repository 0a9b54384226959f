import type { MetadataChangeSetDocument, MetadataDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Empty, Pending } from '../../../components/empty.tsx';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { useLoad } from '../../../components/load.ts';
import { Person } from '../../../components/person.tsx';
import { toast } from '../../../components/toast.ts';
import { Time } from '../../../components/values.tsx';
import { secondsOf } from '../../../player/frames.ts';
import { may, reaches } from '../../../rights.ts';
import { lengthText } from '../../../texts/clock.ts';
import { language, t } from '../../../texts/index.ts';
import { type Change, changesOf, differencesOf } from '../changes.ts';
import { useDefinitions } from '../form/definitions.ts';
import { labelOf } from '../form/model.ts';
import { takeBack } from '../form/save.ts';
import type { TabProps } from '../item.ts';

const page = 30;

/** Changes of the metadata with their users, the newest first. */
export function HistoryTab({ item, reload: reloadItem }: TabProps) {
  const [max, setMost] = useState(page);
  const [changeToUndo, setChangeToUndo] = useState<Change>();
  const { value, refusal, reload } = useLoad(`history ${item.id} ${item.metadata?.revision}`, (signal) =>
    get<MetadataChangeSetDocument>(`/item/${item.id}/metadata/changes`, { signal }),
  );
  const definitions = useDefinitions();
  const label = (name: string) =>
    labelOf(name, definitions?.fields.find((each) => each.name === name)?.data, language.value);
  if (!value) return <Pending of={{ refusal, reload }} />;
  const changes = changesOf(value);
  const canEdit = may('item.edit') && reaches(item, 'WRITE', 'METADATA');
  const undo = async ({ id }: Change) => {
    await takeBack(item.id ?? '', id);
    toast(t('form.undone'));
    reload();
    reloadItem();
  };
  return (
    <div class="stack">
      {changes.length === 0 && <Empty icon="history" text={t('item.noHistory')} />}
      <ol class="plain history">
        {changes.slice(0, max).map((change, index) => (
          <Entry
            key={change.id}
            item={item.id ?? ''}
            {...{ change, label }}
            isOpen={index === 0}
            onUndo={canEdit && change.user !== 'system' ? () => setChangeToUndo(change) : undefined}
          />
        ))}
      </ol>
      {changes.length > max && <Button onClick={() => setMost(max + page)}>{t('word.more')}</Button>}
      {changeToUndo && (
        <FormDialog
          title={t('item.undoTitle')}
          action={t('item.undo')}
          onClose={() => setChangeToUndo(undefined)}
          work={() => undo(changeToUndo)}
        >
          <p>{t('item.undoNote', { fields: changeToUndo.names.map(label).join(', ') })}</p>
        </FormDialog>
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
          <strong>
            <Person user={change.user === 'system' ? undefined : change.user} />
          </strong>{' '}
          <Time at={change.at} /> <span class="muted small">{change.names.map(label).join(', ')}</span>
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
  const { value, refusal, reload } = useLoad(`${item} ${change}`, (signal) =>
    get<MetadataDocument>(`/item/${item}/metadata/changes/${change}/compareTo/previous`, { signal }),
  );
  if (!value) return <Pending of={{ refusal, reload }} rows={1} />;
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
