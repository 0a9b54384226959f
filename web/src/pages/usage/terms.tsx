import type { UsageDocument, UsageTermsType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useLoad } from '../../components/load.ts';
import { Person } from '../../components/person.tsx';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { Fact } from '../../components/values.tsx';
import { tagWords } from '../../components/words.ts';
import { may, reaches } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import type { TabProps } from '../item/item.ts';
import { rightsOf } from '../library/narrowed.ts';
import { boundWords, dayAndTime, momentOf } from './usage.ts';

interface UsageProps {
  /** Path of the item, the form or the collection. */
  readonly at: string;
  readonly mayChange: boolean;
  readonly onChanged?: (() => void) | undefined;
}

/** The rights of one entity: its own terms, and those that count besides. */
function Usage({ at, mayChange, onChanged }: UsageProps) {
  const [isChanging, change] = useState(false);
  const path = `${at}/usage`;
  const loaded = useLoad(path, (signal) => get<UsageDocument>(path, { signal }));
  const done = () => {
    void loaded.reload();
    onChanged?.();
  };
  return (
    <Shown of={loaded} rows={3}>
      {(terms) => {
        const [tone, state] = rightsOf(terms.state);
        const isOwn = terms.modified !== undefined;
        return (
          <>
            <div class="row wrap">
              {terms.state ? <Mark tone={tone}>{state}</Mark> : <span>{t('usage.none')}</span>}
              <span class="grow" />
              {mayChange && (
                <Button icon="edit" onClick={() => change(true)}>
                  {t(isOwn ? 'usage.change' : 'usage.set')}
                </Button>
              )}
              {mayChange && isOwn && (
                <AskButton
                  action={t('usage.remove')}
                  question={t('usage.removeQuestion')}
                  onYes={() => act(() => send('DELETE', path), t('records.removed')).then(done)}
                />
              )}
            </div>
            {isOwn && <Terms terms={terms} />}
            {(terms.inherited ?? []).map((each) => (
              <section key={`${each.entityId} ${each.modified}`} class="stack">
                <h3>
                  {each.entityType === 'Collection' ? t('usage.ofCollection') : t('usage.ofItem')}{' '}
                  {each.entityType === 'Collection' && each.entityId && (
                    <Link to={`/collection/${each.entityId}`}>{each.entityId}</Link>
                  )}
                </h3>
                <Terms terms={each} />
              </section>
            ))}
            <p class="small muted">{t('usage.about')}</p>
            {isChanging && (
              <TermsForm
                {...{ path, terms }}
                onClose={() => change(false)}
                onDone={() => {
                  toast(t('word.saved'));
                  done();
                }}
              />
            )}
          </>
        );
      }}
    </Shown>
  );
}

const Terms = ({ terms: { usableFrom, usableUntil, reason, user } }: { readonly terms: UsageTermsType }) => (
  <dl class="facts">
    <Fact name={t('usage.from')}>{boundWords(usableFrom, false)}</Fact>
    <Fact name={t('usage.until')}>{boundWords(usableUntil, true)}</Fact>
    <Fact name={t('usage.reason')}>{reason}</Fact>
    <Fact name={t('usage.by')}>{user && <Person user={user} />}</Fact>
  </dl>
);

interface FormProps {
  readonly path: string;
  readonly terms: UsageDocument;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Days are enough: a time is for who needs one. */
function TermsForm({ path, terms, onClose, onDone }: FormProps) {
  const times = {
    from: dayAndTime(terms.usableFrom, false),
    until: dayAndTime(terms.usableUntil, true),
  } as const;
  const [days, setDays] = useState({ from: times.from[0], until: times.until[0] });
  const bound = (name: 'from' | 'until') => (
    <div class="row wrap">
      <Field
        label={t(name === 'from' ? 'usage.from' : 'usage.until')}
        type="date"
        value={days[name]}
        onInput={({ currentTarget: { value } }) => setDays({ ...days, [name]: value })}
      />
      <Field
        label={t('usage.time')}
        type="time"
        name={name}
        defaultValue={times[name][1]}
        disabled={days[name] === ''}
      />
    </div>
  );
  return (
    <FormDialog
      title={t('usage.title')}
      action={t('word.save')}
      disabled={days.from === '' && days.until === ''}
      onClose={onClose}
      work={async (readField) => {
        await send('PUT', path, {
          usableFrom: momentOf(days.from, readField('from'), false),
          usableUntil: momentOf(days.until, readField('until'), true),
          reason: readField('reason').trim() || undefined,
        });
        onDone();
      }}
    >
      {bound('from')}
      {bound('until')}
      <p class="small muted">{t('usage.whole')}</p>
      <Field
        label={t('usage.reason')}
        hint={t('usage.reasonHint')}
        name="reason"
        long
        maxLength={1000}
        defaultValue={terms.reason ?? ''}
      />
    </FormDialog>
  );
}

/** Rights of an item, or of one of its forms. */
export function UsageTab({ item, reload }: TabProps) {
  const own = `/item/${encodeURIComponent(item.id ?? '')}`;
  const [at, choose] = useState(own);
  const shapes = item.shape ?? [];
  return (
    <div class="stack">
      {shapes.length > 0 && (
        <Field
          label={t('usage.for')}
          value={at}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          options={[
            [own, t('usage.whole.item')],
            ...shapes.map(
              ({ id = '', tag }) =>
                [`${own}/shape/${encodeURIComponent(id)}`, tag?.map(tagWords).join(', ') || id] as const,
            ),
          ]}
        />
      )}
      <Usage
        key={at}
        at={at}
        mayChange={may('usage.write') && reaches(item, 'WRITE', at === own ? 'GENERIC' : 'SHAPE')}
        onChanged={() => void reload()}
      />
      <p class="row">
        <Link to="/rights">{t('usage.ending')}</Link>
      </p>
    </div>
  );
}

interface DialogProps {
  readonly at: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Rights of a collection, which count for all that is in it. */
export const UsageDialog = ({ at, name, onClose }: DialogProps) => (
  <Dialog title={`${name}: ${t('usage.title')}`} onClose={onClose}>
    <p class="muted">{t('usage.collection')}</p>
    <Usage at={at} mayChange={may('usage.write')} />
  </Dialog>
);
