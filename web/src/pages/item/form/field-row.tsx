import { useId } from 'preact/hooks';
import { IconButton } from '../../../components/button.tsx';
import { codecWords, tagWords, typeWords } from '../../../components/words.ts';
import { lengthText, secondsOf } from '../../../player/frames.ts';
import { dateText, language, t } from '../../../texts/index.ts';
import { day, kindName } from '../../library/tile.tsx';
import { type Definition, type Value, type Wrong, wrongIn } from './model.ts';

interface FieldRowProps {
  readonly definition: Definition;
  readonly values: readonly Value[];
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
}

const words = (wrong: Wrong): string => {
  switch (wrong.what) {
    case 'least':
      return t('form.least', { value: wrong.value });
    case 'most':
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
  const hasLanguages = languages || shown.some(({ lang }) => lang !== undefined);
  return (
    <div class="field" data-field={definition.name} data-changed={isChanged || undefined}>
      <div class="row field-head">
        <label for={`${id}-0`}>
          {label}
          {definition.required && <span aria-hidden="true"> *</span>}
        </label>
        {isContested && <span class="mark warn">{t('form.contested')}</span>}
        {isChanged && (
          <>
            <span class="mark live">{t('form.changed')}</span>
            <IconButton icon="refresh" label={t('form.reset', { name: label })} onClick={onReset} />
          </>
        )}
      </div>
      {shown.map((value, index) => (
        <div class="row" key={String(index)}>
          <Control
            definition={definition}
            id={`${id}-${index}`}
            label={index === 0 ? undefined : t('form.nth', { name: label, number: index + 1 })}
            value={value.text}
            placeholder={differs ? t('form.differ') : ''}
            describedBy={message === undefined ? undefined : `${id}-wrong`}
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

const dayOrTime = (text: string): string => (text.includes('T') ? dateText(new Date(text)) : day(text, language.value));

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
  const { kind, long, options } = definition;
  const shared = {
    ...{ id, placeholder, value },
    class: 'input',
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': describedBy === undefined ? undefined : ('true' as const),
    onInput: (event: Event) => onChange((event.currentTarget as HTMLInputElement).value),
  };
  if (kind === 'boolean') {
    return (
      <select {...shared}>
        <option value="">–</option>
        <option value="true">{t('form.yes')}</option>
        <option value="false">{t('form.no')}</option>
      </select>
    );
  }
  if (long) return <textarea {...shared} rows={3} />;
  const isDay = kind === 'date' && /^(?:\d{4}-\d\d-\d\d)?$/.test(value);
  return (
    <>
      <input
        {...shared}
        type={isDay ? 'date' : 'text'}
        inputMode={kind === 'integer' ? 'numeric' : kind === 'float' ? 'decimal' : undefined}
        list={options.length > 0 ? `${id}-list` : undefined}
      />
      {options.length > 0 && (
        <datalist id={`${id}-list`}>
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
