import { useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/client.ts';
import { useKeys } from '../keys.ts';
import { useUnsaved } from '../router.tsx';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { type Clash, ClashDialog } from './clash-dialog.tsx';
import { documentOf, type Part, partOf, type Values, valuesOf, withTyped } from './document.ts';
import { Check, Field } from './field.tsx';
import { RefusalNote, sentenceOf } from './refusal.tsx';

interface DocumentFormProps<D> {
  readonly parts: readonly Part[];
  readonly value: D;
  /** Reads what the service has now: changes of others stay, and a clash is asked about. */
  readonly read?: (() => Promise<D>) | undefined;
  readonly save: (document: D) => Promise<unknown>;
  /** `unsaved`: the document as it was saved, if more was typed since. */
  readonly onSaved: (unsaved?: D) => void;
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
  /** The same, ahead of the next drawing: a save takes a while. */
  const latest = useRef(values);
  const show = (to: Values) => {
    latest.current = to;
    setValues(to);
  };
  const [clashes, setClashes] = useState<readonly Clash[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const baseValues = valuesOf(base, parts);
  const isTyped = ({ at }: Part) => latest.current[at] !== baseValues[at];
  /** `theirs`: where the person lets stay what somebody else has written. */
  const submit = async (theirs: readonly string[] = []) => {
    if (busy) return;
    const sent = latest.current;
    const isChanged = ({ at }: Part) => sent[at] !== baseValues[at];
    setBusy(true);
    setRefusal(undefined);
    setClashes([]);
    try {
      const now = (await read?.()) ?? base;
      const others = valuesOf(now, parts);
      const newClashes = parts
        .filter((part) => isChanged(part) && ![baseValues[part.at], sent[part.at]].includes(others[part.at]))
        .map(({ at, label }) => ({ name: at, label, mine: sent[at] ?? '', theirs: others[at] ?? '' }));
      // Another change may have come while the person chose.
      const isSeen = (one: Clash) => clashes.some((each) => each.name === one.name && each.theirs === one.theirs);
      if (!newClashes.every(isSeen)) return setClashes(newClashes);
      const mine = parts.filter((part) => isChanged(part) && !theirs.includes(part.at));
      const typed = Object.fromEntries(mine.map(({ at }) => [at, sent[at] ?? '']));
      const document = documentOf(now, parts, { ...others, ...typed });
      await save(document);
      // The service may write it in another way.
      const saved = (await read?.()) ?? document;
      const since = parts.filter(({ at }) => latest.current[at] !== sent[at]);
      const laterValues = Object.fromEntries(since.map(({ at }) => [at, latest.current[at] ?? '']));
      setBase(saved);
      show({ ...valuesOf(saved, parts), ...laterValues });
      onSaved(since.length > 0 ? saved : undefined);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  useUnsaved(writable && parts.some(isTyped));
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
      {parts.map(({ at, kind, label, follows: _, ...part }) => {
        const set = (text: string) => show(withTyped(latest.current, parts, at, text));
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
      {refusal && !wrong && <RefusalNote error={refusal} />}
      {writable && (
        <div class="form-buttons">
          {onCancel && <Button onClick={onCancel}>{t('word.cancel')}</Button>}
          <Button kind="main" type="submit" disabled={busy || !parts.some(isTyped)}>
            {t('word.save')}
          </Button>
        </div>
      )}
      {clashes.length > 0 && (
        <ClashDialog clashes={clashes} onChoose={(theirs) => void submit(theirs)} onClose={() => setClashes([])} />
      )}
    </form>
  );
}
