import { useState } from 'preact/hooks';
import { Refusal } from '../api/client.ts';
import { useKeys } from '../keys.ts';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { documentOf, type Part, partOf, type Values, valuesOf } from './document.ts';
import { RefusalNote, sentenceOf } from './empty.tsx';
import { Check, Field } from './field.tsx';

interface DocumentFormProps<D> {
  readonly parts: readonly Part[];
  readonly value: D;
  /** What the service has now. It is compared with what the form began with, so no change of another person is lost. */
  readonly read?: (() => Promise<D>) | undefined;
  readonly save: (document: D) => Promise<unknown>;
  readonly onSaved: () => void;
  /** Left out: the form has nothing to leave. */
  readonly onCancel?: (() => void) | undefined;
  /** Whether it can be saved. Its fields are shown all the same. */
  readonly writable?: boolean;
}

/** A form for a document, from the description of its parts. */
export function DocumentForm<D>(props: DocumentFormProps<D>) {
  const { parts, value, read, save, onSaved, onCancel, writable = true } = props;
  const [base, setBase] = useState(value);
  const [values, setValues] = useState<Values>(() => valuesOf(value, parts));
  const [theirs, setTheirs] = useState<D>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const began = valuesOf(base, parts);
  const changedAt = (other: Values) => parts.filter(({ at }) => other[at] !== began[at]);
  const submit = async () => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const now = await read?.();
      if (now !== undefined && changedAt(valuesOf(now, parts)).length > 0) setTheirs(now);
      else {
        await save(documentOf(now ?? base, parts, values));
        setBase(documentOf(base, parts, values));
        onSaved();
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  const settle = (mine: boolean) => {
    setBase(theirs!);
    if (!mine) setValues(valuesOf(theirs, parts));
    setTheirs(undefined);
  };
  useKeys({ 'Ctrl+Enter': () => void (writable && submit()) }, writable ? { 'Ctrl+Enter': t('word.save') } : {});
  const wrong = refusal && partOf(refusal, parts, values);

  return (
    <form
      class="document-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {parts.map(({ at, kind, label, ...part }) => {
        const set = (text: string) => setValues((now) => ({ ...now, [at]: text }));
        if (kind === 'flag') {
          return (
            <Check
              key={at}
              label={label}
              disabled={!writable}
              checked={values[at] !== ''}
              onChange={({ currentTarget }) => set(currentTarget.checked ? 'true' : '')}
            />
          );
        }
        return (
          <Field
            key={at}
            {...part}
            label={label}
            long={kind === 'lines' || kind === 'blocks' || kind === 'long'}
            type={kind === 'number' ? 'number' : 'text'}
            disabled={!writable}
            wrong={wrong?.at === at ? sentenceOf(refusal) : undefined}
            value={values[at] ?? ''}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        );
      })}
      {theirs !== undefined && (
        <div class="note warn" role="alert">
          <div class="grow stack">
            <p class="what">{t('form.conflict')}</p>
            <ul>
              {changedAt(valuesOf(theirs, parts)).map((part) => (
                <li key={part.at}>
                  {part.label}: {valuesOf(theirs, [part])[part.at] || '–'}
                </li>
              ))}
            </ul>
            <div class="row wrap">
              <Button onClick={() => settle(true)}>{t('form.keepMine')}</Button>
              <Button onClick={() => settle(false)}>{t('form.takeTheirs')}</Button>
            </div>
          </div>
        </div>
      )}
      {refusal && !wrong && <RefusalNote error={refusal} />}
      {writable && (
        <div class="form-buttons">
          {onCancel && <Button onClick={onCancel}>{t('word.cancel')}</Button>}
          <Button kind="main" type="submit" disabled={busy || theirs !== undefined || changedAt(values).length === 0}>
            {t('word.save')}
          </Button>
        </div>
      )}
    </form>
  );
}
