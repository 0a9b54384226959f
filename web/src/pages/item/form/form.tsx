import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Skeleton } from '../../../components/empty.tsx';
import { RefusalNote } from '../../../components/refusal.tsx';
import { isForItems } from '../../../components/words.ts';
import { useKeys } from '../../../keys.ts';
import { query, setQuery, useUnsaved } from '../../../router.tsx';
import { language, t } from '../../../texts/index.ts';
import { useDefinitions } from './definitions.ts';
import { FieldRow } from './field-row.tsx';
import {
  changedIn,
  commonValues,
  fieldsOf,
  groupsFor,
  inEachForm,
  isList,
  labelOf,
  sectionsOf,
  serviceFields,
  type Values,
  valuesOf,
  wrongIn,
} from './model.ts';
import type { FormItem } from './save.ts';

interface FormProps {
  readonly items: readonly FormItem[];
  readonly canEdit: boolean;
  /** Writes what has changed. A refusal of a field is shown beside it. */
  readonly onSave: (
    base: Values,
    mine: Values,
    label: (name: string) => string,
    /** Lists whose values join those that each item has. */
    joined: ReadonlySet<string>,
  ) => Promise<void>;
  /** Whether there are more items than these: then nobody knows what their lists have in common. */
  readonly isPart?: boolean;
  /** Name of an item without a title. */
  readonly name?: string;
  /** Fields that a search or a person has added to the form. */
  readonly children?: ComponentChildren;
}

/** The bar leaves the field in view. It is asked with each change: a chip moves the field. */
function showField(bar: HTMLElement | null): void {
  if (bar) document.activeElement?.scrollIntoView({ block: 'nearest' });
}

/** Metadata of one item, or what several items have in common, by the definitions of their fields. */
export function MetadataForm({ items: current, canEdit, onSave, isPart, name, children }: FormProps) {
  const definitions = useDefinitions();
  const [typed, setTyped] = useState<Values>({});
  const baseItems = useRef(current);
  // Typed text belongs to the values that were there: news of others wait until it is saved.
  if (Object.keys(typed).length === 0) baseItems.current = current;
  const items = baseItems.current;
  const { values: common, differ: differing } = useMemo(
    () => commonValues(items.map(({ metadata }) => valuesOf(metadata))),
    [items],
  );
  const [added, setAdded] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const shared = [...new Set(items.flatMap(({ metadata }) => metadata.group ?? []))];
  const sections = useMemo(
    () =>
      definitions &&
      sectionsOf(
        groupsFor(definitions.groups, shared),
        definitions.fields,
        ['title', ...Object.keys(common), ...differing, ...added, ...(canEdit ? inEachForm(definitions.fields) : [])],
        new Set(items.flatMap(({ metadata }) => serviceFields(metadata))),
        language.value,
        { other: t('form.other'), technical: t('form.technical') },
      ),
    [definitions, common, added, canEdit, shared.join()],
  );
  const [replaced, setReplaced] = useState<readonly string[]>([]);
  const hasSeveral = (name: string) => items.some(({ metadata }) => (valuesOf(metadata)[name]?.length ?? 0) > 1);
  const lists = (sections ?? [])
    .flatMap(({ fields }) => fields)
    .filter((each) => isList(each) || (differing.has(each.name) && each.many && hasSeveral(each.name)))
    .map(({ name }) => name);
  const differ = isPart ? new Set([...differing, ...lists]) : differing;
  const base = isPart ? Object.fromEntries(Object.entries(common).filter(([name]) => !lists.includes(name))) : common;
  const joined = new Set(lists.filter((name) => differ.has(name) && !replaced.includes(name)));
  const now: Values = { ...base, ...typed };
  const isEmpty = (name: string) => (typed[name] ?? []).every(({ text }) => text.trim() === '');
  // A field whose values differ is changed by whatever is typed into it, even by nothing.
  const changed = [
    ...changedIn(base, now),
    ...Object.keys(typed).filter((name) => differ.has(name) && !joined.has(name) && isEmpty(name)),
  ];
  const label = (name: string): string =>
    sections?.flatMap(({ fields }) => fields).find((each) => each.name === name)?.label ?? name;
  const save = async () => {
    if (changed.length === 0 || isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onSave(base, Object.fromEntries(changed.map((name) => [name, now[name] ?? []])), label, joined);
      // Text that was typed during the save stays.
      setTyped((now) => Object.fromEntries(Object.entries(now).filter(([name, values]) => values !== typed[name])));
    } catch (error) {
      if (error !== stays) setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  useUnsaved(changed.length > 0);
  const form = useRef<HTMLFormElement>(null);
  const [opened, open] = useState<string>();
  useEffect(() => {
    if (opened === undefined) return;
    form.current
      ?.querySelector<HTMLElement>(`[data-field="${CSS.escape(opened)}"] :is(input, textarea, select)`)
      ?.focus();
    open(undefined);
  }, [opened]);
  const isAsked = query.value['edit'] !== undefined;
  const isThere = sections !== undefined;
  // A key that opens the form may be pressed before its fields are known.
  useEffect(() => {
    if (!isAsked || !isThere) return;
    form.current?.querySelector<HTMLElement>(':is(input, textarea, select)')?.focus();
    setQuery({ edit: undefined });
  }, [isAsked, isThere]);
  // A form behind another tab saves nothing.
  useKeys({ 'Ctrl+Enter': () => form.current?.offsetParent && void save() }, { 'Ctrl+Enter': t('word.save') });
  if (!sections) return <Skeleton rows={8} />;
  const refusalOf = (name: string): string | undefined =>
    failure instanceof Refusal && failure.status === 400 && failure.id === name ? failure.explanation : undefined;
  const isBeside = changed.some((name) => refusalOf(name) !== undefined);
  const ownFields = items.length === 1 ? fieldsOf(items[0]!.metadata) : [];
  const row = (definition: (typeof sections)[number]['fields'][number]) => {
    const field = ownFields.find(({ name }) => name === definition.name);
    return (
      <FieldRow
        key={definition.name}
        definition={definition}
        standard={definition.name === 'title' ? name : undefined}
        values={now[definition.name] ?? []}
        isChanged={changed.includes(definition.name)}
        differs={differ.has(definition.name) && typed[definition.name] === undefined}
        isContested={field?.conflict === true || field?.value?.some(({ conflict }) => conflict === true) === true}
        canEdit={canEdit}
        origin={field?.inheritance ?? field?.referenced?.id ?? field?.reference}
        refusal={refusalOf(definition.name)}
        {...(lists.includes(definition.name) && differ.has(definition.name)
          ? {
              joins: joined.has(definition.name),
              onJoin: (joins: boolean) =>
                setReplaced([
                  ...replaced.filter((name) => name !== definition.name),
                  ...(joins ? [] : [definition.name]),
                ]),
            }
          : {})}
        onChange={(values) => setTyped({ ...typed, [definition.name]: values })}
        onReset={() => {
          const { [definition.name]: _gone, ...rest } = typed;
          setTyped(rest);
        }}
      />
    );
  };
  const technical = sections.filter(({ fields }) => fields.every(({ readOnly }) => readOnly));
  const plain = sections.filter((section) => !technical.includes(section));
  const fieldNames = new Set(sections.flatMap(({ fields }) => fields.map(({ name }) => name)));
  const more = (definitions?.fields ?? []).filter((field) => isForItems(field) && !fieldNames.has(field.name ?? ''));
  const wrong = changed.some((name) => {
    const definition = sections.flatMap(({ fields }) => fields).find((each) => each.name === name);
    return definition && now[name]?.some((value) => wrongIn(definition, value) !== undefined);
  });
  return (
    <form
      ref={form}
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {failure !== undefined && !isBeside && <RefusalNote error={failure} />}
      {plain.map(({ name, label: title, fields }) => (
        <section key={`${name}-${title}`} aria-label={title || undefined}>
          {title !== '' && (plain.length > 1 || name !== '') && <h2>{title}</h2>}
          <div class="rows">{fields.map(row)}</div>
        </section>
      ))}
      {plain.length === 0 && !canEdit && <p class="muted">{t('form.nothing')}</p>}
      {canEdit && more.length > 0 && (
        <select
          class="input add-field"
          aria-label={t('form.addField')}
          value=""
          onChange={(event) => {
            setAdded([...added, event.currentTarget.value]);
            open(event.currentTarget.value);
            event.currentTarget.value = '';
          }}
        >
          <option value="">{t('form.addField')}</option>
          {more.map(({ name = '', data }) => (
            <option key={name} value={name}>
              {labelOf(name, data, language.value)}
            </option>
          ))}
        </select>
      )}
      {children}
      {technical.map(({ label: title, fields }) => (
        <details key={title} open={plain.length === 0 || undefined}>
          <summary>{title}</summary>
          <div class="rows">{fields.map(row)}</div>
        </details>
      ))}
      {(changed.length > 0 || items.length > 1) && (
        <footer
          class="save-bar"
          ref={(bar) => showField(bar)}
          role="group"
          aria-label={t('form.unsaved', { count: changed.length })}
        >
          <span class="grow small">{t('form.unsaved', { count: changed.length })}</span>
          <Button disabled={changed.length === 0} onClick={() => setTyped({})}>
            {t('word.undo')}
          </Button>
          <Button kind="main" type="submit" disabled={changed.length === 0 || isBusy || wrong}>
            {t('word.save')}
          </Button>
        </footer>
      )}
    </form>
  );
}

/** Thrown by `onSave` when what was typed stays in the form without a refusal. */
export const stays = new Error('stays');
