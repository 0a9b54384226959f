import { useId } from 'preact/hooks';
import { Button, IconButton } from '../../../components/button.tsx';
import { Growing } from '../../../components/field.tsx';
import { codecWords, tagWords, typeWords } from '../../../components/words.ts';
import { secondsOf } from '../../../player/frames.ts';
import { lengthText } from '../../../texts/clock.ts';
import { dateText, t } from '../../../texts/index.ts';
import { day, kindName } from '../../library/tile.tsx';
import { controlOf } from './controls.tsx';
import { type Definition, type Value, type Wrong, wrongIn } from './model.ts';

interface FieldRowProps {
  readonly definition: Definition;
  readonly values: readonly Value[];
  /** Placeholder where there is no value. */
  readonly standard?: string | undefined;
  readonly isChanged: boolean;
  /** Several items have different values. */
  readonly differs: boolean;
  /** Change sets contradict each other. */
  readonly isContested: boolean;
  readonly canEdit: boolean;
  /** Collection or entity that the values come from. */
  readonly origin: string | undefined;
  readonly refusal: string | undefined;
  readonly onChange: (values: readonly Value[]) => void;
  readonly onReset: () => void;
  /** Whether values join those of each item, or replace them. Left out: all items have the same. */
  readonly joins?: boolean;
  readonly onJoin?: (joins: boolean) => void;
}

const words = (wrong: Wrong): string => {
  switch (wrong.what) {
    case 'least':
      return t('form.least', { value: wrong.value });
    case 'max':
      return t('form.most', { value: wrong.value });
    case 'short':
      return t('form.short', { count: wrong.value });
    case 'long':
      return t('form.long', { count: wrong.value });
    default:
      return t(`form.wrong.${wrong.what}`);
  }
};

/** A field with its values, its state, and what is wrong. */
export function FieldRow(props: FieldRowProps) {
  const { definition, values, isChanged, differs, isContested, canEdit, origin, refusal, onChange, onReset } = props;
  const { joins, onJoin } = props;
  const id = useId();
  const { label, many, languages } = definition;
  if (!canEdit || definition.readOnly || origin !== undefined) {
    return (
      <div class="fact">
        <span class="label">{label}</span>
        <span class="values">
          {differs ? (
            <em class="muted">{t('form.differ')}</em>
          ) : values.length === 0 ? (
            '–'
          ) : (
            values.map((value) => shownValue(definition, value)).join(', ')
          )}
          {origin !== undefined && <span class="muted small"> {t('form.from', { origin })}</span>}
        </span>
      </div>
    );
  }
  const shown = values.length === 0 ? [{ text: '' }] : values;
  const wrong = refusal ?? shown.map((value) => wrongIn(definition, value)).find((each) => each !== undefined);
  const message = wrong === undefined ? undefined : typeof wrong === 'string' ? wrong : words(wrong);
  const set = (at: number, change: Partial<Value>) =>
    onChange(shown.map((value, index) => (index === at ? { ...value, ...change } : value)));
  const Whole = controlOf(definition, values);
  const describedBy = message === undefined ? undefined : `${id}-wrong`;
  const hasLanguages = languages || shown.some(({ lang }) => lang !== undefined);
  return (
    <div class="field" data-field={definition.name} data-changed={isChanged || undefined}>
      <div class="row field-head">
        <label for={Whole ? undefined : `${id}-0`} id={`${id}-label`}>
          {label}
          {definition.required && <span aria-hidden="true"> *</span>}
        </label>
        {Whole && differs && <span class="muted small">{t('form.differ')}</span>}
        {isContested && <span class="mark warn">{t('form.contested')}</span>}
        {isChanged && (
          <>
            <span class="mark live">{t('form.changed')}</span>
            <Button kind="quiet" class="small" aria-label={t('form.reset', { name: label })} onClick={onReset}>
              {t('word.undo')}
            </Button>
          </>
        )}
      </div>
      {joins !== undefined && (
        <div class="row wrap">
          <div class="choices" role="radiogroup" aria-label={t('form.how', { name: label })}>
            {[true, false].map((each) => (
              <label key={String(each)}>
                <input type="radio" name={`${id}-how`} checked={joins === each} onChange={() => onJoin?.(each)} />
                {t(each ? 'form.join' : 'form.replace')}
              </label>
            ))}
          </div>
          {!joins && <span class="mark warn">{t('form.replaceNote')}</span>}
        </div>
      )}
      {Whole && <Whole {...{ definition, values, onChange, describedBy }} labelledBy={`${id}-label`} />}
      {!Whole &&
        shown.map((value, index) => (
          <div class="row" key={String(index)}>
            <Control
              definition={definition}
              id={`${id}-${index}`}
              label={index === 0 ? undefined : t('form.nth', { name: label, number: index + 1 })}
              value={value.text}
              placeholder={differs ? t('form.differ') : (props.standard ?? '')}
              describedBy={describedBy}
              onChange={(text) => set(index, { text })}
            />
            {hasLanguages && (
              <input
                class="input lang"
                aria-label={t('form.lang', { name: label })}
                placeholder="en"
                size={5}
                value={value.lang ?? ''}
                onInput={(event) => set(index, { lang: event.currentTarget.value || undefined })}
              />
            )}
            {shown.length > 1 && (
              <IconButton
                icon="x"
                label={t('form.removeValue', { name: label, number: index + 1 })}
                onClick={() => onChange(shown.filter((_value, at) => at !== index))}
              />
            )}
            {many && index === shown.length - 1 && (
              <IconButton
                icon="plus"
                label={t('form.addValue', { name: label })}
                disabled={value.text === ''}
                onClick={() => onChange([...shown, { text: '' }])}
              />
            )}
          </div>
        ))}
      {message !== undefined && (
        <span class="wrong" id={`${id}-wrong`} role="alert">
          {message}
        </span>
      )}
    </div>
  );
}

const valueText = ({ text, lang }: Value): string => (lang === undefined ? text : `${text} (${lang})`);

/** A value that nobody edits, for people. */
function shownValue({ name, kind }: Definition, value: Value): string {
  const { text } = value;
  if (/Codec$/.test(name)) return codecWords(text);
  if (name === 'mimeType') return typeWords(text);
  if (name === 'mediaType') return kindName(text);
  if (name === 'shapeTag') return tagWords(text);
  if (name === 'durationSeconds') return lengthText(Number(text));
  if (/TimeCode$/.test(name) && Number.isFinite(secondsOf(text, Number.NaN))) return lengthText(secondsOf(text, 0));
  if (kind === 'boolean') return text === 'true' ? t('form.yes') : t('form.no');
  if (kind === 'date' && !Number.isNaN(Date.parse(text))) return dayOrTime(text);
  return valueText(value);
}

const dayOrTime = (text: string): string => (text.includes('T') ? dateText(new Date(text)) : day(text));

interface ControlProps {
  readonly definition: Definition;
  readonly id: string;
  readonly label: string | undefined;
  readonly value: string;
  readonly placeholder: string;
  readonly describedBy: string | undefined;
  readonly onChange: (text: string) => void;
}

function Control({ definition, id, label, value, placeholder, describedBy, onChange }: ControlProps) {
  const { kind, long } = definition;
  const shared = {
    ...{ id, placeholder },
    class: 'input',
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': describedBy === undefined ? undefined : ('true' as const),
  };
  const onInput = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  if (long) return <Growing {...shared} value={value} onInput={onInput} rows={3} />;
  if (kind === 'date') {
    if (/^(?:\d{4}-\d\d-\d\d)?$/.test(value)) return <input {...shared} {...{ value, onInput }} type="date" />;
    const date = new Date(value);
    if (!Number.isNaN(date.getTime())) {
      // Minutes and seconds of the clock of the person.
      const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
      const take = (event: Event) => {
        const typed = (event.currentTarget as HTMLInputElement).value;
        onChange(typed === '' ? '' : new Date(typed).toISOString());
      };
      return <input {...shared} type="datetime-local" step={1} value={local} onInput={take} />;
    }
  }
  return (
    <input
      {...shared}
      {...{ value, onInput }}
      type="text"
      inputMode={kind === 'integer' ? 'numeric' : kind === 'float' ? 'decimal' : undefined}
    />
  );
}
