/**
 * A plain, slow search over items in memory: the same questions as those of the service, answered from the rules of the
 * reference alone. It shares no code with what it checks.
 */

export interface ModelSpan {
  readonly start: string;
  readonly end: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export interface ModelGroup {
  readonly name: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export interface ModelItem {
  readonly serial: number;
  readonly id: string;
  readonly owner: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly groups: readonly ModelGroup[];
  readonly spans: readonly ModelSpan[];
  readonly annotations: readonly ModelAnnotation[];
}

export interface ModelAnnotation {
  readonly text: string;
  readonly state: 'open' | 'done';
}

export type Kind = 'words' | 'exact' | 'number';

export interface Asked {
  readonly text?: readonly { readonly value: string; readonly noescape?: boolean }[];
  readonly field?: readonly {
    readonly name: string;
    readonly value?: readonly { readonly value: string }[];
    readonly range?: readonly {
      readonly value: readonly { readonly value: string }[];
      readonly exclusiveMinimum?: boolean;
      readonly exclusiveMaximum?: boolean;
    }[];
  }[];
  readonly group?: readonly (Asked & { readonly name: string })[];
  readonly operator?: readonly (Asked & { readonly operation: 'AND' | 'OR' | 'NOT' })[];
  /** All of it in one annotation. */
  readonly annotation?: {
    readonly text?: readonly { readonly value: string }[];
    readonly field?: readonly { readonly name: 'state'; readonly value: readonly { readonly value: string }[] }[];
  };
}

export interface ModelSearch extends Asked {
  readonly filter?: readonly (Asked & { readonly operation: 'AND' | 'OR' | 'NOT'; readonly name: string })[];
  readonly facetFilter?: readonly { readonly field: string; readonly value: string }[];
  readonly facet?: readonly { readonly field: string; readonly exclude?: readonly string[] }[];
  readonly sort?: readonly { readonly field: string; readonly order: 'ascending' | 'descending' }[];
  readonly intervals?: 'all' | 'generic' | 'timed';
}

export type Found = readonly [id: string, start: string | undefined];

/** Words of values. In sought texts, stars and question marks stand for other characters. */
const words = (text: string): string[] => sought(text.replace(/[*?]/g, ' '));

const sought = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9*?]+/)
    .filter((word) => word !== '');

const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );

const spread = /^"(.*)"~(\d)$/;

/** Whether a text has the words of a phrase with a distance. False for other texts. */
const nearIn = (value: string) => {
  const [, phrase, distance] = spread.exec(value) ?? [];
  if (phrase === undefined) return () => false;
  const wanted = words(phrase);
  return (text: string): boolean => {
    const there = words(text);
    return there.some((_, at) => {
      const window = there.slice(at, at + wanted.length + Number(distance));
      return wanted.every(
        (word) => window.filter((each) => each === word).length >= wanted.filter((each) => each === word).length,
      );
    });
  };
};

const isAnnotation = (each: ModelAnnotation, { text = [], field = [] }: NonNullable<Asked['annotation']>): boolean =>
  text.every(({ value }) => sought(value).every((word) => words(each.text).some((one) => pattern(word).test(one)))) &&
  field.every(({ value }) => value.some((wanted) => wanted.value === each.state));

/** Values by field, as one timespan or one group has them. */
type Values = ReadonlyMap<string, readonly string[]>;

interface Context {
  readonly values: Values;
  readonly groups: readonly ModelGroup[];
  readonly annotations: readonly ModelAnnotation[];
}

function valuesOf(...parts: readonly Readonly<Record<string, readonly string[]>>[]): Values {
  const values = new Map<string, string[]>();
  for (const part of parts) {
    for (const [name, given] of Object.entries(part)) values.set(name, [...(values.get(name) ?? []), ...given]);
  }
  return values;
}

export class Model {
  readonly #kinds: Readonly<Record<string, Kind>>;

  constructor(kinds: Readonly<Record<string, Kind>>) {
    this.#kinds = kinds;
  }

  search(items: readonly ModelItem[], search: ModelSearch) {
    const found = this.#found(items, search, () => true);
    const facets = (search.facet ?? []).map(({ field, exclude = [] }) => {
      const among = this.#found(items, search, (name) => !exclude.includes(name), field);
      return this.#facet([...new Set(among.map(([item]) => item))], field);
    });
    const order = this.#order(search);
    const sorted = found.toSorted(([a], [b]) => order(a, b));
    return { hits: found.length, entries: sorted.map(([item, start]): Found => [item.id, start]), facets };
  }

  #found(
    items: readonly ModelItem[],
    search: ModelSearch,
    uses: (filter: string) => boolean,
    facet?: string,
  ): (readonly [ModelItem, string | undefined])[] {
    const { intervals = 'all' } = search;
    const fits = (context: Context): boolean =>
      this.#all(search, context) &&
      (search.filter ?? []).every((each) => !uses(each.name) || this.#operator(each, context)) &&
      (search.facetFilter ?? []).every(
        ({ field, value }) =>
          field === facet || (context.values.get(field) ?? []).some((each) => this.#isSame(field, each, value)),
      );
    return items.flatMap((item): (readonly [ModelItem, string | undefined])[] => {
      const inGroups = item.groups.map(({ fields }) => fields);
      // Values that the service itself writes are text, too.
      const system = { itemId: [item.id], user: [item.owner], mediaType: ['none'] };
      const { annotations } = item;
      const generic = { values: valuesOf(item.fields, system, ...inGroups), groups: item.groups, annotations };
      if (intervals !== 'timed' && fits(generic)) return [[item, undefined]];
      if (intervals === 'generic') return [];
      return item.spans.flatMap((span): (readonly [ModelItem, string | undefined])[] => {
        const context =
          intervals === 'timed'
            ? { values: valuesOf(span.fields), groups: [], annotations }
            : { values: valuesOf(item.fields, system, ...inGroups, span.fields), groups: item.groups, annotations };
        return fits(context) ? [[item, span.start]] : [];
      });
    });
  }

  #isSame(field: string, value: string, wanted: string): boolean {
    return this.#kinds[field] === 'number' ? Number(value) === Number(wanted) : value === wanted;
  }

  #criteria(asked: Asked, context: Context): boolean[] {
    return [
      // A star alone is everything, whether there is a text or not.
      ...(asked.text ?? []).map(
        ({ value }) =>
          value === '*' ||
          [...context.values].some(([name, given]) => this.#kinds[name] !== 'number' && given.some(nearIn(value))) ||
          (!spread.test(value) &&
            sought(value).every((word) =>
              [...context.values].some(
                ([name, given]) =>
                  this.#kinds[name] !== 'number' &&
                  given.some((each) => words(each).some((one) => pattern(word).test(one))),
              ),
            )),
      ),
      ...(asked.field ?? []).map((field) => this.#field(field, context.values)),
      ...(asked.group ?? []).map((group) =>
        context.groups.some(
          (each) =>
            each.name === group.name &&
            this.#all(group, { values: valuesOf(each.fields), groups: [], annotations: [] }),
        ),
      ),
      ...(asked.operator ?? []).map((operator) => this.#operator(operator, context)),
      ...(asked.annotation ? [context.annotations.some((each) => isAnnotation(each, asked.annotation!))] : []),
    ];
  }

  #all = (asked: Asked, context: Context): boolean => this.#criteria(asked, context).every(Boolean);

  #operator({ operation, ...asked }: Asked & { operation: 'AND' | 'OR' | 'NOT' }, context: Context): boolean {
    const results = this.#criteria(asked, context);
    if (results.length === 0) return true;
    return operation === 'AND'
      ? results.every(Boolean)
      : operation === 'OR'
        ? results.some(Boolean)
        : !results.some(Boolean);
  }

  #field({ name, value = [], range = [] }: NonNullable<Asked['field']>[number], values: Values): boolean {
    const given = values.get(name) ?? [];
    if (value.length + range.length === 0) return given.length > 0;
    return (
      value.some(({ value: wanted }) =>
        wanted === '*' ? given.length > 0 : given.some((each) => this.#fits(name, each, wanted)),
      ) ||
      range.some(({ value: [low, high], exclusiveMinimum, exclusiveMaximum }) =>
        given.some((each) => {
          const isNumber = this.#kinds[name] === 'number';
          const compare = (a: string, b: string) => (isNumber ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0);
          const from = low!.value === '' ? 1 : compare(each, low!.value);
          const to = high!.value === '' ? 1 : compare(high!.value, each);
          return (
            (low!.value !== '' && exclusiveMinimum ? from > 0 : from >= 0) &&
            (high!.value !== '' && exclusiveMaximum ? to > 0 : to >= 0)
          );
        }),
      )
    );
  }

  #fits(name: string, value: string, wanted: string): boolean {
    const kind = this.#kinds[name];
    if (kind === 'number') return Number(value) === Number(wanted);
    if (kind === 'exact') return /[*?]/.test(wanted) ? pattern(wanted).test(value) : value === wanted;
    const [there, terms] = [words(value), sought(wanted)];
    return (
      terms.length > 0 &&
      there.some((_, at) =>
        terms.every((word, index) => there[at + index] !== undefined && pattern(word).test(there[at + index]!)),
      )
    );
  }

  #facet(items: readonly ModelItem[], field: string): readonly (readonly [string, number])[] {
    const counts = new Map<string, number>();
    for (const item of items) {
      const all = valuesOf(
        item.fields,
        ...item.groups.map(({ fields }) => fields),
        ...item.spans.map(({ fields }) => fields),
      );
      for (const value of new Set(all.get(field) ?? [])) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const isNumber = this.#kinds[field] === 'number';
    return [...counts].toSorted(([a, x], [b, y]) => y - x || (isNumber ? Number(a) - Number(b) : a < b ? -1 : 1));
  }

  #order({ sort = [] }: ModelSearch) {
    const keyOf = (item: ModelItem, field: string, descending: boolean): string | number | undefined => {
      const all = valuesOf(
        item.fields,
        ...item.groups.map(({ fields }) => fields),
        ...item.spans.map(({ fields }) => fields),
      );
      const given = (all.get(field) ?? []).map((value) => (this.#kinds[field] === 'number' ? Number(value) : value));
      const sorted = given.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      return descending ? sorted.at(-1) : sorted[0];
    };
    return (a: ModelItem, b: ModelItem): number => {
      for (const { field, order } of sort) {
        const [x, y] = [keyOf(a, field, order === 'descending'), keyOf(b, field, order === 'descending')];
        if (x === y) continue;
        if (x === undefined) return 1;
        if (y === undefined) return -1;
        return (x < y ? -1 : 1) * (order === 'descending' ? -1 : 1);
      }
      return b.serial - a.serial;
    };
  }
}
