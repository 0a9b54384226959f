import type { MetadataFieldDocument, MetadataFieldGroupDocument, MetadataFieldGroupListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { exists, get, Refusal, send } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import type { Part } from '../../components/document.ts';
import { Find, Pager, pageIn } from '../../components/list-query.tsx';
import { Records } from '../../components/records.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { isOfService } from '../../components/words.ts';
import { type Query, searchOf } from '../../match.ts';
import { may } from '../../rights.ts';
import { type PageProps, setQuery } from '../../router.tsx';
import { type Key, language, t } from '../../texts/index.ts';
import '../people/page.css';
import {
  dataKeys,
  type FieldForm,
  fieldOf,
  formOf,
  type GroupForm,
  groupFormOf,
  groupOf,
  nameOfLabel,
} from './fields.ts';

const pageSize = 100;
const all = 1000;

/** All entries of a list whose order is by name and that has no count. */
async function every<T>(path: string, of: string, query: object, signal: AbortSignal): Promise<T[]> {
  const rows: T[] = [];
  for (let first = 1; first > rows.length; first += all) {
    const page = await get<Readonly<Record<string, T[]>>>(path, { query: { ...query, first, number: all }, signal });
    rows.push(...(page[of] ?? []));
    if (rows.length < first + all - 1) break;
  }
  return rows;
}

const pathOf = (name = ''): string => `/metadata-field/${encodeURIComponent(name)}`;
const groupPath = (name = ''): string => `/metadata-field/field-group/${encodeURIComponent(name)}`;

/** The service would change what has the name already. */
async function mustBeNew(path: string, name = ''): Promise<void> {
  if (await exists(path))
    throw new Refusal(409, 'conflict', { context: '/name', explanation: t('word.taken', { name }) });
}

export function FieldsAndGroups({ query }: Pick<PageProps, 'query'>) {
  const kinds = (['field', 'fieldgroup'] as const).filter((each) => may(`${each}.read`));
  const kind = kinds.find((each) => each === query['show']) ?? 'field';
  const [hits, setHits] = useState(0);
  const List = kind === 'field' ? Fields : Groups;
  return (
    <Tabs
      label={t('nav.fields')}
      tabs={kinds.map((id) => ({ id, text: t(`fields.kind.${id}`) }))}
      chosen={kind}
      onChoose={(show) => setQuery({ show: show === 'field' ? undefined : show, page: undefined })}
    >
      <List key={kind} query={query} onHits={setHits} />
      <Pager page={pageIn(query)} size={pageSize} hits={hits} />
    </Tabs>
  );
}

interface ListProps {
  readonly query: Query;
  /** Tells how many names the search finds. */
  readonly onHits: (hits: number) => void;
}

/** Page of the rows that the search finds. */
function narrow<T extends { readonly name?: string }>(rows: readonly T[], { query, onHits }: ListProps): readonly T[] {
  const matches = rows.filter(({ name = '' }) => name.toLowerCase().includes((query['q'] ?? '').toLowerCase()));
  onHits(matches.length);
  return matches.slice((pageIn(query) - 1) * pageSize, pageIn(query) * pageSize);
}

type FieldType = NonNullable<MetadataFieldDocument['type']>;
const both = ['sortable', 'noindex'];
/** Variants of each type, in the order of the menu. */
const variants: Readonly<Record<Exclude<FieldType, `${string}-${'sortable' | 'noindex'}`>, readonly string[]>> = {
  ...{ string: both, date: both, integer: both, float: both, 'string-exact': ['sortable'] },
  ...{ long: ['noindex'], boolean: ['noindex'], timeCode: ['noindex'] },
};
const types = Object.entries(variants).flatMap(([type, suffixes]) => [
  type,
  ...suffixes.map((suffix) => `${type}-${suffix}`),
]);

/** "Short text, as a whole: for choices and filters, sorts lists (string-exact-sortable)". */
function typeWords(type: string): string {
  const suffix = both.find((each) => type.endsWith(`-${each}`));
  const base = suffix ? type.slice(0, -suffix.length - 1) : type;
  const words = t(`fields.type.${base}` as Key);
  return `${words}${suffix ? `, ${t(`fields.type.${suffix}` as Key)}` : ''} (${type})`;
}

/** The label in the language of the page stands first. */
const ownLabel = () => dataKeys.find((key) => key === `label_${language.value}`) ?? 'label_en';

const dataPart = (key: (typeof dataKeys)[number]): Part => ({
  at: `data.${key}`,
  label: t(`fields.data.${key}`),
  kind: key === 'ui_order' ? 'number' : ['ui_form', 'facet', 'ui_hidden'].includes(key) ? 'flag' : undefined,
});

const fieldParts = (field: FieldForm | undefined): readonly Part[] => [
  dataPart(ownLabel()),
  ...(field
    ? []
    : [
        {
          ...{ at: 'name', label: t('fields.name'), hint: t('fields.nameHint'), required: true },
          follows: { at: `data.${ownLabel()}`, as: nameOfLabel },
        },
      ]),
  { at: 'type', label: t('jobs.typeFilter'), options: types.map((type) => [type, typeWords(type)] as const) },
  ...dataKeys.filter((key) => key !== ownLabel()).map(dataPart),
  { at: 'values', label: t('fields.values'), hint: t('fields.valuesHint'), kind: 'lines' },
];

function Fields(props: ListProps) {
  const query = { includeValues: true, data: 'all' };
  return (
    <Records<FieldForm>
      title={t('fields.kind.field')}
      icon="fields"
      isFixed={isOfService}
      find={<Find />}
      findText={searchOf(props.query)}
      none={t('word.nothingFound')}
      make={t('fields.makeField')}
      writable={may('field.write')}
      load={async (signal) =>
        narrow((await every<MetadataFieldDocument>('/metadata-field', 'field', query, signal)).map(formOf), props)
      }
      nameOf={({ name = '' }) => name}
      columns={[
        { id: 'name', title: t('word.name'), cell: ({ name }) => name },
        { id: 'label', title: t('fields.data.label_en'), cell: ({ data }) => data?.['label_en'] },
        {
          id: 'type',
          title: t('jobs.typeFilter'),
          cell: ({ type = '' }) => (
            <code class="cut" title={typeWords(type)}>
              {type}
            </code>
          ),
        },
        { id: 'values', title: t('fields.values'), at: 'end', cell: ({ values }) => values?.length },
        {
          id: 'marks',
          title: '',
          cell: ({ data, name, system }) => (
            <span class="row">
              {data?.['facet'] && <Mark tone="live">{t('fields.isFacet')}</Mark>}
              {isOfService({ name, system }) && <Mark>{t('fields.system')}</Mark>}
            </span>
          ),
        },
      ]}
      parts={fieldParts}
      blank={{ type: 'string' }}
      read={async ({ name }) => formOf(await get<MetadataFieldDocument>(pathOf(name), { query }))}
      save={async (field, before) => {
        const at = pathOf(field.name);
        if (!before) await mustBeNew(at, field.name);
        const { document, removed } = fieldOf(field, before);
        await send('PUT', at, document);
        for (const key of removed) await send('DELETE', `${at}/metadata/${key}`);
      }}
      remove={({ name }) => send('DELETE', pathOf(name))}
    />
  );
}

const groupParts = (group: GroupForm | undefined): readonly Part[] => [
  ...(group ? [] : [{ at: 'name', label: t('word.name'), required: true }]),
  { at: 'isDefault', label: t('fields.usual'), kind: 'flag' },
  { at: 'field', label: t('fields.kind.field'), hint: t('fields.linesHint'), kind: 'lines' },
  { at: 'group', label: t('fields.kind.fieldgroup'), hint: t('fields.linesHint'), kind: 'lines' },
];

function Groups(props: ListProps) {
  const readGroup = (name = '') => get<MetadataFieldGroupDocument>(groupPath(name), { query: { data: 'all' } });
  return (
    <Records<GroupForm>
      title={t('fields.kind.fieldgroup')}
      icon="fields"
      find={<Find />}
      findText={searchOf(props.query)}
      none={t('word.nothingFound')}
      make={t('people.makeGroup')}
      writable={may('fieldgroup.write')}
      load={async (signal) =>
        narrow(
          (
            await every<NonNullable<MetadataFieldGroupListDocument['group']>[number]>(
              '/metadata-field/field-group',
              'group',
              { content: true, data: 'all' },
              signal,
            )
          ).map(groupFormOf),
          props,
        )
      }
      nameOf={({ name = '' }) => name}
      columns={[
        { id: 'name', title: t('word.name'), cell: ({ name }) => name },
        { id: 'field', title: t('fields.kind.field'), cell: ({ field = [] }) => field.join(', ') },
        { id: 'group', title: t('fields.kind.fieldgroup'), cell: ({ group = [] }) => group.join(', ') },
        {
          id: 'marks',
          title: '',
          cell: ({ isDefault }) => isDefault && <Mark tone="live">{t('fields.usual')}</Mark>,
        },
      ]}
      parts={groupParts}
      blank={{}}
      read={async ({ name }) => groupFormOf(await readGroup(name))}
      save={async (group, before) => {
        const at = groupPath(group.name);
        if (!before) await mustBeNew(at, group.name);
        await send('PUT', at, groupOf(group, before && (await readGroup(group.name))), { query: { clear: true } });
      }}
      remove={({ name }) => send('DELETE', groupPath(name))}
    />
  );
}
