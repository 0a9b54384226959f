import type { MetadataFieldGroupType, MetadataFieldType } from 'portico/types';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { RefusalNote } from '../components/refusal.tsx';
import { isOfService, subtitle } from '../components/words.ts';
import { useKeys } from '../keys.ts';
import { labelOf } from '../pages/item/form/model.ts';
import { language, t } from '../texts/index.ts';
import { type Counting, frameOf, timecode } from './frames.ts';
import type { Place, Span, SpanField } from './spans.ts';

interface SpanDialogProps {
  /** Left out: a new entry. */
  readonly span: Span | undefined;
  readonly place: Place;
  readonly counting: Counting;
  readonly groups: readonly MetadataFieldGroupType[];
  readonly fields: readonly MetadataFieldType[];
  readonly onClose: () => void;
  readonly onRemove: (span: Span) => Promise<void>;
  readonly onSave: (what: Pick<Span, 'kind' | 'name'>, fields: readonly SpanField[], place: Place) => Promise<void>;
}

const keyOf = ({ kind, name }: Pick<Span, 'kind' | 'name'>): string => `${kind}:${name}`;

/** Values and times of a timed entry. Its end is the last frame that it has, as the out point of the player is. */
export function SpanDialog({ span, place, counting, groups, fields, onClose, onRemove, onSave }: SpanDialogProps) {
  const label = (name: string, data: MetadataFieldType['data']) =>
    name === subtitle ? t('player.subtitle') : labelOf(name, data, language.value);
  const kinds = [
    ...groups.map(({ name = '', data }) => ({ kind: 'group' as const, name, text: label(name, data) })),
    ...fields
      .filter((field) => !isOfService(field))
      .map(({ name = '', data }) => ({ kind: 'field' as const, name, text: label(name, data) })),
  ];
  const defaultValue = kinds.find(({ name }) => name === subtitle) ??
    kinds[0] ?? { kind: 'field' as const, name: subtitle };
  const [what, setWhat] = useState<Pick<Span, 'kind' | 'name'>>(span ?? defaultValue);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries((span?.fields ?? []).map((each) => [each.name, each.values.join('\n')])),
  );
  const [times, setTimes] = useState({ from: timecode(place.from, counting), to: timecode(place.to - 1, counting) });
  const [failure, setFailure] = useState<unknown>();
  const names: readonly Pick<MetadataFieldType, 'name' | 'data'>[] =
    what.kind === 'field'
      ? [fields.find(({ name }) => name === what.name) ?? { name: what.name }]
      : (groups.find(({ name }) => name === what.name)?.field ?? span?.fields ?? []);
  const [from, to] = [frameOf(times.from, counting), frameOf(times.to, counting)];
  const wrongEnd = from !== undefined && to !== undefined && to < from;
  const save = async (event: Event) => {
    event.preventDefault();
    if (from === undefined || to === undefined || wrongEnd || isEmpty) return;
    const sent = names.map(({ name = '' }) => ({
      name,
      // Lines of a field are its values.
      values: (values[name] ?? '').split('\n').filter((text) => text.trim() !== ''),
    }));
    await onSave(
      what,
      sent.filter((each) => each.values.length > 0),
      { from, to: to + 1 },
    ).catch(setFailure);
  };
  const form = useRef<HTMLFormElement>(null);
  useKeys({ 'Ctrl+Enter': () => form.current?.requestSubmit() }, { 'Ctrl+Enter': t('word.save') });
  const isEmpty = names.every(({ name = '' }) => (values[name] ?? '').trim() === '');
  return (
    <Dialog title={span ? t('player.spanEdit') : t('player.spanNew')} onClose={onClose}>
      <form ref={form} class="stack" onSubmit={save}>
        {failure !== undefined && <RefusalNote error={failure} />}
        {!span && (
          <Field
            label={t('player.spanKind')}
            options={kinds.map((each) => [keyOf(each), each.text])}
            value={keyOf(what)}
            onChange={(event) => {
              const selectedKind = kinds.find((each) => keyOf(each) === event.currentTarget.value);
              if (selectedKind) setWhat(selectedKind);
            }}
          />
        )}
        {names.map(({ name = '', data }, index) => (
          <Field
            key={name}
            long
            autofocus={index === 0}
            label={label(name, data)}
            value={values[name] ?? ''}
            onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
        <div class="two">
          <Field
            label={t('player.from')}
            value={times.from}
            wrong={from === undefined ? t('player.noTimecode') : undefined}
            onInput={(event) => setTimes({ ...times, from: event.currentTarget.value })}
          />
          <Field
            label={t('player.to')}
            value={times.to}
            wrong={to === undefined ? t('player.noTimecode') : wrongEnd ? t('player.endFirst') : undefined}
            onInput={(event) => setTimes({ ...times, to: event.currentTarget.value })}
          />
        </div>
        <footer class="row end">
          {span && (
            <Button kind="danger" icon="trash" onClick={() => void onRemove(span).catch(setFailure)}>
              {t('player.spanRemove')}
            </Button>
          )}
          <span class="grow" />
          <Button onClick={onClose}>{t('word.cancel')}</Button>
          <Button kind="main" type="submit" disabled={isEmpty}>
            {t('word.save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
