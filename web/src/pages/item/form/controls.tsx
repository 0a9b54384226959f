import type { ItemListDocument } from 'portico/types';
import { useId, useState } from 'preact/hooks';
import { send } from '../../../api/client.ts';
import { IconButton } from '../../../components/button.tsx';
import { Chips } from '../../../components/chips.tsx';
import { Icon } from '../../../components/icon.tsx';
import { may } from '../../../rights.ts';
import { t } from '../../../texts/index.ts';
import { type Definition, starsOf, type Value } from './model.ts';

interface ControlProps {
  readonly definition: Definition;
  /** Id of the label. */
  readonly labelledBy: string;
  readonly describedBy: string | undefined;
  readonly values: readonly Value[];
  readonly onChange: (values: readonly Value[]) => void;
}

/** Choices that stand side by side. More of them are a list. */
const maxButtons = 6;

/** The control for all values of a field together. Undefined: each value has a control of its own. */
export function controlOf(definition: Definition, values: readonly Value[]) {
  const { kind, many, options, isTags } = definition;
  if (starsOf(definition) > 0 && values.length < 2) return Stars;
  if (kind === 'boolean') return Switch;
  if (options.length > maxButtons && !many) return Choice;
  if (options.length > maxButtons || (options.length === 0 && isTags)) return Tags;
  return options.length > 0 ? Buttons : undefined;
}

const texts = (values: readonly Value[]): readonly string[] =>
  values.flatMap(({ text }) => (text.trim() === '' ? [] : [text]));
const valuesFor = (all: readonly string[]): readonly Value[] => all.map((text) => ({ text }));

function Stars({ definition, labelledBy, describedBy, values, onChange }: ControlProps) {
  const name = useId();
  const now = Number(values[0]?.text || 0);
  return (
    <div class="row">
      <div class="choices stars" role="radiogroup" aria-labelledby={labelledBy} aria-describedby={describedBy}>
        {Array.from({ length: starsOf(definition) }, (_star, at) => (
          <label key={at} data-on={at < now || undefined} title={`${at + 1}`}>
            <input
              type="radio"
              name={name}
              aria-label={t('form.stars', { count: at + 1 })}
              checked={at + 1 === now}
              onChange={() => onChange([{ text: String(at + 1) }])}
            />
            <Icon name="star" />
          </label>
        ))}
      </div>
      {now > 0 && (
        <IconButton icon="x" label={t('form.none', { name: definition.label })} onClick={() => onChange([])} />
      )}
    </div>
  );
}

function Switch({ labelledBy, describedBy, values, onChange }: ControlProps) {
  const now = values[0]?.text;
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        class="input"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        checked={now === 'true'}
        aria-checked={now === 'true'}
        onChange={(event) => onChange([{ text: String(event.currentTarget.checked) }])}
      />
      <span>{now === undefined || now === '' ? '–' : t(now === 'true' ? 'form.yes' : 'form.no')}</span>
    </label>
  );
}

/** Choices of the definition, and values that are none of them. */
function choicesOf({ options }: Definition, values: readonly Value[]): Definition['options'] {
  const others = texts(values).filter((text) => !options.some(([key]) => key === text));
  return [...options, ...others.map((text) => [text, text] as const)];
}

function Buttons({ definition, labelledBy, describedBy, values, onChange }: ControlProps) {
  const name = useId();
  const { many } = definition;
  const chosen = texts(values);
  const choose = (key: string, isOn: boolean) => {
    const rest = many ? chosen.filter((each) => each !== key) : [];
    onChange(valuesFor(isOn ? [...rest, key] : rest));
  };
  return (
    <div class="row">
      <div
        class="choices"
        role={many ? 'group' : 'radiogroup'}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
      >
        {choicesOf(definition, values).map(([key, text]) => (
          <label key={key}>
            <input
              type={many ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(key)}
              onChange={(event) => choose(key, event.currentTarget.checked)}
            />
            {text}
          </label>
        ))}
      </div>
      {!many && chosen.length > 0 && (
        <IconButton icon="x" label={t('form.none', { name: definition.label })} onClick={() => onChange([])} />
      )}
    </div>
  );
}

function Choice({ definition, labelledBy, describedBy, values, onChange }: ControlProps) {
  return (
    <select
      class="input"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      value={values[0]?.text ?? ''}
      onChange={(event) => onChange(valuesFor([event.currentTarget.value].filter(Boolean)))}
    >
      <option value="">–</option>
      {choicesOf(definition, values).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Values that items have already, the most frequent first. */
async function usedValues(field: string): Promise<readonly string[]> {
  const query = { number: 0, count: false };
  const facet = [{ name: field, field, maxResults: 50, minCount: 1 }];
  const answer = await send<ItemListDocument>('PUT', '/item', { facet }, { query });
  return (answer.facet?.[0]?.count ?? []).flatMap(({ fieldValue }) => fieldValue ?? []);
}

/** Several short texts: each is a chip, and what is typed becomes one with Enter or a comma. */
function Tags({ definition, labelledBy, describedBy, values, onChange }: ControlProps) {
  const id = useId();
  const [used, setUsed] = useState<readonly string[]>();
  const { options, isFacet, label, name } = definition;
  const chosen = texts(values);
  const textOf = (key: string): string => options.find(([each]) => each === key)?.[1] ?? key;
  const take = (field: HTMLInputElement) => {
    const typed = field.value
      .split(',')
      .map((text) => text.trim())
      .map((text) => options.find(([, words]) => words === text)?.[0] ?? text)
      .filter((text) => text !== '' && !chosen.includes(text));
    field.value = '';
    if (typed.length > 0) onChange(valuesFor([...chosen, ...new Set(typed)]));
  };
  const ask = () => {
    if (used || options.length > 0 || !isFacet || !may('item.search')) return;
    setUsed([]);
    // Completion is no need: without it everything is typed.
    usedValues(name).then(setUsed, () => undefined);
  };
  const proposals = options.length > 0 ? options.map(([, words]) => words) : (used ?? []);
  return (
    <div class="tags">
      <Chips
        label={label}
        chips={chosen.map((text) => ({
          ...{ id: text, text: textOf(text) },
          onRemove: () => onChange(valuesFor(chosen.filter((each) => each !== text))),
        }))}
      />
      <input
        class="input"
        list={`${id}-list`}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        placeholder={t('form.addTag')}
        onFocus={ask}
        onBlur={(event) => take(event.currentTarget)}
        onInput={(event) => {
          const field = event.currentTarget;
          // A choice of the list replaces the text. Words that are typed may go on: "boat", "boathouse".
          const { inputType = 'insertReplacementText' } = event as Partial<InputEvent>;
          const isChoice = inputType === 'insertReplacementText' && proposals.includes(field.value);
          if (isChoice || field.value.includes(',')) take(field);
        }}
        onKeyDown={(event) => {
          const field = event.currentTarget;
          if (event.key === 'Enter') {
            take(field);
            // Enter makes a chip, and with Ctrl it saves the form.
            if (!event.ctrlKey && !event.metaKey) event.preventDefault();
          } else if (event.key === 'Backspace' && field.value === '') onChange(valuesFor(chosen.slice(0, -1)));
        }}
      />
      <datalist id={`${id}-list`}>
        {proposals
          .filter((text) => !chosen.includes(text))
          .map((text) => (
            <option key={text} value={text} />
          ))}
      </datalist>
    </div>
  );
}
