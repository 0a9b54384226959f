import type {
  MetadataDocument,
  MetadataFieldGroupDocument,
  MetadataFieldType,
  MetadataFieldValueType,
} from 'portico/types';

import { isOfService } from '../../../components/words.ts';

export type Kind = 'text' | 'integer' | 'float' | 'boolean' | 'date' | 'timeCode';

/** Value of a field in a form: a text, and its language if it has one. */
export interface Value {
  readonly text: string;
  readonly lang?: string | undefined;
}

/** Field as a form knows it: from its definition, or from its name alone. */
export interface Definition {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  readonly many: boolean;
  readonly long: boolean;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** Values have languages. */
  readonly languages: boolean;
  readonly least?: number | undefined;
  readonly max?: number | undefined;
  readonly pattern?: string | undefined;
  /** Suggested values with their texts. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly order: number;
  readonly hidden: boolean;
  /** Values are short texts beside each other, such as keywords. */
  readonly isTags: boolean;
  /** Searches count its values. */
  readonly isFacet: boolean;
}

interface Section {
  /** Name of the group. Empty: fields of no group. */
  readonly name: string;
  readonly label: string;
  readonly fields: readonly Definition[];
}

type Data = readonly { readonly key: string; readonly value: string }[] | undefined;
const datum = (data: Data, key: string): string | undefined => data?.find((each) => each.key === key)?.value;

/** Label of a field or group in a language: `label_sv`, or else its name in words. */
export const labelOf = (name: string, data: Data, language: string): string =>
  datum(data, `label_${language}`) ?? datum(data, 'label_en') ?? datum(data, 'label') ?? wordsOf(name);

/** `film_title` and `originalWidth` as words. */
function wordsOf(name: string): string {
  const words = name
    .replace(/^portal_(?:mf)?/, '')
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1).toLowerCase();
}

function kindOf(type = 'string'): Kind {
  const plain = type.split('-')[0]!;
  if (plain === 'long') return 'integer';
  return plain === 'integer' || plain === 'float' || plain === 'boolean' || plain === 'date' || plain === 'timeCode'
    ? plain
    : 'text';
}

export function definitionOf(field: MetadataFieldType, language: string): Definition {
  const { name = '', schema, data, values, type } = field;
  const numbers = field.integerRestriction ?? field.longRestriction ?? field.floatRestriction;
  const text = field.stringRestriction;
  const kind = kindOf(type);
  const many = kind !== 'boolean' && (schema?.max ?? -1) !== 1;
  const long = datum(data, 'ui_long') === 'true' || (text?.maxLength ?? 0) > 200;
  const languages = datum(data, 'ui_languages') !== undefined;
  return {
    ...{ name, kind, many, long, languages },
    label: labelOf(name, data, language),
    required: (schema?.min ?? 0) > 0,
    readOnly: isOfService(field) || datum(data, 'ui_readonly') === 'true',
    least: numbers?.minInclusive ?? text?.minLength,
    max: numbers?.maxInclusive ?? text?.maxLength,
    pattern: text?.pattern,
    options: (values?.field ?? []).map(({ key, value = '' }) => [key, typeof value === 'string' ? value : value.value]),
    order: Number(datum(data, 'ui_order') ?? 1000),
    hidden: datum(data, 'ui_hidden') === 'true',
    isFacet: datum(data, 'facet') === 'true',
    isTags: many && !long && !languages && kind === 'text' && (/-exact$/.test(type ?? '') || (schema?.max ?? 0) > 1),
  };
}

/** Most stars: longer scales are numbers. */
const maxStars = 10;

/** Stars of a field of whole numbers from 1 on. 0: it is another one. */
export const starsOf = ({ kind, least, max = 0, options }: Definition): number =>
  kind === 'integer' && least === 1 && max > 1 && max <= maxStars && options.length === 0 ? max : 0;

const inOrder = (fields: readonly Definition[]): readonly Definition[] =>
  fields.filter(({ hidden }) => !hidden).toSorted((one, other) => one.order - other.order);

/** Names of fields that are in the form of each item, with a value or without. */
export const inEachForm = (fields: readonly MetadataFieldType[]): readonly string[] =>
  fields.flatMap(({ name, data }) => (name !== undefined && datum(data, 'ui_form') === 'true' ? [name] : []));

/**
 * Sections of a form: a section for each field group, then one for fields with values that no group has, then one for
 * those that the service has written.
 */
export function sectionsOf(
  groups: readonly MetadataFieldGroupDocument[],
  allFields: readonly MetadataFieldType[],
  names: readonly string[],
  ofService: ReadonlySet<string>,
  language: string,
  words: { readonly other: string; readonly technical: string },
): readonly Section[] {
  const inGroups = groups.map(({ name = '', data, field = [] }) => ({
    name,
    label: labelOf(name, data, language),
    fields: inOrder(field.map((each) => definitionOf(each, language))),
  }));
  const placed = new Set(groups.flatMap(({ field = [] }) => field.map(({ name }) => name)));
  const byName = new Map(allFields.map((field) => [field.name, field]));
  const rest = inOrder(
    [...new Set(names)]
      .filter((name) => !placed.has(name))
      .map((name) => definitionOf(byName.get(name) ?? { name }, language))
      .map((field) => (ofService.has(field.name) ? { ...field, readOnly: true } : field)),
  );
  const isTitle = ({ name }: Definition) => name === 'title';
  return [
    // The title comes first.
    { name: '', label: '', fields: rest.filter(isTitle) },
    ...inGroups,
    {
      name: '',
      label: inGroups.length > 0 ? words.other : '',
      fields: rest.filter((field) => !field.readOnly && !isTitle(field)),
    },
    { name: '', label: words.technical, fields: rest.filter((field) => field.readOnly && !isTitle(field)) },
  ].filter(({ fields }) => fields.length > 0);
}

/**
 * Groups whose fields make the form: those of the items. A new item has none, and is asked for the fields of the groups
 * with `ui_default=true`, or of the only one there is.
 */
export function groupsFor<G extends Pick<MetadataFieldGroupDocument, 'name' | 'data'>>(
  groups: readonly G[],
  own: readonly string[],
): readonly G[] {
  const chosen = groups.filter(({ name = '' }) => own.includes(name));
  if (chosen.length > 0) return chosen;
  const defaultValue = groups.filter(({ data }) => datum(data, 'ui_default') === 'true');
  return defaultValue.length > 0 || groups.length > 1 ? defaultValue : groups;
}

/** Values of an item by the names of their fields. Those of conflicting change sets are all there. */
export type Values = Readonly<Record<string, readonly Value[]>>;

/** Fields that count for the whole item, without those of tracks. */
export const fieldsOf = ({ timespan = [] }: MetadataDocument): readonly MetadataFieldValueType[] =>
  timespan
    .filter(({ start = '-INF', end = '+INF' }) => start === '-INF' && end === '+INF')
    .flatMap(({ field = [] }) => field)
    .filter(({ track }) => track === undefined);

export const valuesOf = (metadata: MetadataDocument): Values =>
  Object.fromEntries(
    fieldsOf(metadata).flatMap(({ name = '', value = [] }) =>
      // The name is computed: no form has it.
      name.startsWith('__')
        ? []
        : [
            [
              name,
              value.map((each) => ({ text: each.value ?? '', ...(each.lang !== undefined && { lang: each.lang }) })),
            ],
          ],
    ),
  );

/** Fields whose values all come from the service. */
export const serviceFields = (metadata: MetadataDocument): readonly string[] =>
  fieldsOf(metadata).flatMap(({ name = '', value = [] }) =>
    value.length > 0 && value.every(({ user }) => user === 'system') ? [name] : [],
  );

/** Values of several items: those that all have, and the names of fields whose values differ. */
export function commonValues(all: readonly Values[]): {
  readonly values: Values;
  readonly differ: ReadonlySet<string>;
} {
  const names = new Set(all.flatMap((values) => Object.keys(values)));
  const values: Record<string, readonly Value[]> = {};
  const differ = new Set<string>();
  for (const name of names) {
    const first = all[0]?.[name] ?? [];
    if (all.every((each) => same(each[name], first))) values[name] = first;
    else differ.add(name);
  }
  return { values, differ };
}

/** Whether a field holds values beside each other, to which others are added. */
export const isList = ({ many, isTags, options }: Definition): boolean => many && (isTags || options.length > 0);

const written = (values: readonly Value[] = []): string =>
  JSON.stringify(values.filter(({ text }) => text.trim() !== '').map(({ text, lang }) => [text, lang ?? '']));

/** Whether values say the same. Empty ones do not count. */
export const same = (one: readonly Value[] | undefined, other: readonly Value[] | undefined): boolean =>
  written(one) === written(other);

/** Names of fields that a person has changed. */
export const changedIn = (base: Values, now: Values): readonly string[] =>
  Object.keys(now).filter((name) => !same(base[name], now[name]));

/** Document that writes the values of some fields. An empty field loses its values. `joined`: fields that keep theirs. */
export const documentOfChange = (
  names: readonly string[],
  values: Values,
  joined?: ReadonlySet<string>,
): MetadataDocument => ({
  timespan: [
    {
      ...{ start: '-INF', end: '+INF' },
      field: names.map((name) => ({
        name,
        ...(joined?.has(name) && { mode: 'add' }),
        value: (values[name] ?? [])
          .filter(({ text }) => text.trim() !== '')
          .map(({ text, lang }) => ({ value: text, ...(lang && { lang }) })),
      })),
    },
  ],
});

export interface Clash {
  readonly name: string;
  readonly theirs: readonly Value[];
  readonly user: string | undefined;
  readonly at: string | undefined;
}

/** Fields that somebody else has changed since they were read, and that now have other values than the person typed. */
export const clashes = (base: Values, mine: Values, now: MetadataDocument): readonly Clash[] => {
  const theirs = valuesOf(now);
  return changedIn(base, mine).flatMap((name) => {
    if (same(theirs[name], base[name]) || same(theirs[name], mine[name])) return [];
    const field = fieldsOf(now).find((each) => each.name === name);
    return [{ name, theirs: theirs[name] ?? [], user: field?.user, at: field?.timestamp }];
  });
};

/** Id of the change set that is new in a revision. */
export function newChange(before = '', after = ''): string | undefined {
  const idsBefore = new Set(before.split(','));
  return after.split(',').find((id) => id !== '' && !idsBefore.has(id));
}

/** Error in a text before it is sent, as the name of a message with its value. The API has the last word. */
export type Wrong =
  | { readonly what: 'number' | 'whole' | 'pattern' | 'date' }
  | { readonly what: 'least' | 'max' | 'short' | 'long'; readonly value: number };

export function wrongIn(definition: Definition, { text }: Value): Wrong | undefined {
  if (text === '') return undefined;
  const { kind, least = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, pattern } = definition;
  if (kind === 'integer' || kind === 'float') {
    if (!Number.isFinite(Number(text))) return { what: 'number' };
    if (kind === 'integer' && !/^-?\d+$/.test(text)) return { what: 'whole' };
    if (Number(text) < least) return { what: 'least', value: least };
    if (Number(text) > max) return { what: 'max', value: max };
  }
  if (kind === 'date' && Number.isNaN(Date.parse(text))) return { what: 'date' };
  if (kind === 'text') {
    if ([...text].length < least) return { what: 'short', value: least };
    if ([...text].length > max) return { what: 'long', value: max };
    if (pattern !== undefined && !fits(pattern, text)) return { what: 'pattern' };
  }
  return undefined;
}

/** A pattern that this browser cannot read is left to the API. */
function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(text);
  } catch {
    return true;
  }
}
