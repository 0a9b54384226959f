import { type Comparable, isText, valueTypeOf } from '../../definitions/public-reading.ts';
import type {
  ItemSearch,
  SearchContent,
  SearchField,
  SearchFilter,
  SearchOperator,
  SearchRange,
  SearchText,
  SearchValue,
} from '../documents.ts';
import { comparableOf, type FieldForm } from '../index/values.ts';
import {
  all,
  and,
  type End,
  type Fact,
  type Level,
  type Linked,
  linkedKinds,
  maxDepth,
  type Node,
  none,
  not,
  or,
  type SearchKind,
  type Test,
} from './ast.ts';
import { dateSought } from './date-math.ts';
import { isJoined } from './joined.ts';
import type { Names } from './names.ts';
import { factOf } from './names.ts';
import { queryOf } from './query-string.ts';
import { joinedField, maxPatternLength, textOfFile, textOfJoined } from './read-linked.ts';
import { badSearch, LinkBounds } from './refusals.ts';
import { nearUnitsOf, plainUnitsOf, type SearchToken, type SearchUnit, unitsOf } from './terms.ts';

/** Maximum values per field. */
const maxValues = 1000;
/** Maximum values and words per search, and characters of the texts that are split into words. */
const [maxParts, maxCharacters] = [500, 65_536];
/** Maximum values per field checked one by one: the index reads each for every hit. */
const maxSingly = 32;
/** Maximum words of a search times the fields searched. */
const maxLookups = 2000;

/** Maximum number of boosts, and maximum boost. */
const [maxBoosts, maxBoost] = [32, 1000];

export interface NamedNode {
  readonly name: string | undefined;
  readonly node: Node;
}

/** Criterion with its boost for relevance; default: 1. */
export interface Boost {
  readonly node: Node;
  readonly by: number;
}

/** Parser of the criteria in search documents. `found`: kind of hits. */
export class CriteriaReader {
  readonly #names: Names;
  readonly #kind: SearchKind;
  readonly #links = new LinkBounds();
  readonly #boosts: Boost[] = [];
  /** Boosts from definitions, used as far as the limit allows. */
  readonly #weights: Boost[] = [];
  #scores = true;
  #parts = 0;
  #lookups = 0;
  #characters = 0;

  constructor(names: Names, kind: SearchKind) {
    this.#names = names;
    this.#kind = kind;
  }

  criteria(search: ItemSearch): Node {
    return and(this.#content(search, this.#kind, 0));
  }

  /** Boosts of the criteria read so far, without filters. */
  get boosts(): readonly Boost[] {
    return [...this.#boosts, ...this.#weights].slice(0, maxBoosts);
  }

  filters(search: ItemSearch): readonly NamedNode[] {
    this.#scores = false;
    return (search.filter ?? []).map((filter: SearchFilter) => ({
      name: filter.name,
      node: this.#operator(filter, this.#kind, 1),
    }));
  }

  /** Facet filters, each with the field whose facet ignores it. */
  facetFilters(search: ItemSearch): readonly NamedNode[] {
    this.#scores = false;
    return (search.facetFilter ?? []).map(({ field, value, range }) => {
      const criterion: SearchField = {
        name: field,
        ...(value !== undefined && { value: [{ value }] }),
        ...(range && { range: [{ value: [{ value: range.start ?? '' }, { value: range.end ?? '' }] }] }),
      };
      return { name: field, node: this.field(criterion, this.#kind, true) };
    });
  }

  #content(content: SearchContent, level: Level, depth: number): readonly Node[] {
    if (depth > maxDepth) throw badSearch('operator', `Expected at most ${maxDepth} criteria inside each other`);
    if (content.acl !== undefined && depth > 0) throw badSearch('acl', 'Expected it outside of all other criteria');
    if (content.collection !== undefined || content.relation !== undefined) {
      throw badSearch(
        content.collection ? 'collection' : 'relation',
        `Expected ${linkedKinds.join(', ')}: others are not supported`,
      );
    }
    const links = linkedKinds.flatMap((to) => {
      const inner = content[to];
      return inner === undefined ? [] : [this.#linked(to, level, () => and(this.#content(inner, to, depth + 1)))];
    });
    return [
      ...(content.text ?? []).map((text) => this.#text(text, level)),
      ...(content.field ?? []).map((field) => this.field(field, level)),
      ...(content.group ?? []).map((group): Node => {
        if (group.name === undefined && !group.isAny) throw badSearch('group', 'Expected the name of a group');
        return { is: 'group', name: group.name, of: and(this.#content(group, level, depth + 1)) };
      }),
      ...(content.operator ?? []).map((operator) => this.#operator(operator, level, depth + 1)),
      ...links,
      ...(content.reference ?? []).map((uuid): Node => ({ is: 'reference', uuid })),
    ];
  }

  #linked(to: Linked, level: Level, read: () => Node): Node {
    if (isJoined(to) && !this.#names.joins[to]) throw badSearch(to, 'Expected it in searches of entities only');
    return to === level ? read() : { is: 'linked', to, of: this.#links.within(to, read) };
  }

  #operator({ operation = 'AND', ...content }: SearchOperator, level: Level, depth: number): Node {
    const nodes = this.#content(content, level, depth);
    if (nodes.length === 0) return all;
    return operation === 'AND' ? and(nodes) : operation === 'OR' ? or(nodes) : not(or(nodes));
  }

  #count(): void {
    if (++this.#parts > maxParts)
      throw badSearch('field', `Expected at most ${maxParts} values and words in one search`);
  }

  #counted(node: Node): Node {
    this.#count();
    return node;
  }

  /** Adds a boost for values of the entity itself. Linked entities do not score. */
  #boosted(node: Node, level: Level, by = 1): Node {
    if (!(by >= 0 && by <= maxBoost)) throw badSearch('boost', `Expected a boost from 0 to ${maxBoost}`, String(by));
    if (by === 1 || level !== this.#kind || !this.#scores) return node;
    if (this.#boosts.push({ node, by }) > maxBoosts)
      throw badSearch('boost', `Expected at most ${maxBoosts} values with a boost`);
    return node;
  }

  /** Adds the boost of a definition. Limits refuse nothing here, since the caller did not set it. */
  #weighed(node: Node, level: Level, by = 1): Node {
    const scores = by !== 1 && level === this.#kind && this.#scores;
    if (scores) this.#weights.push({ node, by: Math.min(Math.max(by, 0), maxBoost) });
    return node;
  }

  #text({ boost, ...content }: SearchText, level: Level): Node {
    return this.#boosted(this.#plainText(content, level), level, boost);
  }

  #plainText({ value = '', noescape }: SearchText, level: Level): Node {
    this.#count();
    if (level === 'shape') throw badSearch('text', `Expected fields: a ${level} has no text`);
    if (isJoined(level) && this.#names.joins[level]?.textIndex === undefined)
      throw badSearch('text', `Expected fields: the ${level} has no text`);
    if (level === 'file') return textOfFile(value, noescape, () => this.#count());
    if (isJoined(level)) return textOfJoined(value, noescape, () => this.#count());
    if (!noescape) return this.#words(value);
    return queryOf(value, {
      word: (text) => this.#words(text),
      phrase: (text) => {
        const units = this.#phrase(text);
        return this.#everywhere((field) => ({ is: 'words', ...field, units }));
      },
      near: (text, distance) => this.#each(nearUnitsOf(this.#bounded(text), distance)),
      spread: (text, distance) => {
        const tokens = this.#phrase(text).flat();
        return this.#everywhere((field) => spread(tokens, distance, field.field));
      },
      boosted: (node, by) => this.#boosted(node, level, by),
      range: () => {
        throw badSearch('text', 'Expected ranges in fields only', value);
      },
    });
  }

  /** Refuses texts that would take long to split. */
  #bounded(text: string): string {
    this.#characters += text.length;
    if (this.#characters > maxCharacters)
      throw badSearch('text', `Expected at most ${maxCharacters} characters of texts in one search`);
    return text;
  }

  /** Words that follow each other, which count as those of a text do. */
  #phrase(text: string, split: (text: string) => readonly SearchUnit[] = plainUnitsOf): readonly SearchUnit[] {
    const units = split(this.#bounded(text));
    for (const _ of units.flat()) this.#count();
    return units;
  }

  /** Each word in any field. */
  #words(text: string): Node {
    const units = unitsOf(this.#bounded(text));
    if (units.length === 0) return text.trim() === '' ? all : none;
    if (/^[\s*]+$/.test(text)) return all;
    return this.#each(units);
  }

  #each(units: readonly SearchUnit[]): Node {
    for (const _ of units) this.#count();
    return units.length === 0
      ? none
      : and(units.map((unit) => this.#everywhere((field) => ({ is: 'words', ...field, units: [unit] }))));
  }

  #everywhere(node: (where: { readonly field?: FieldForm; readonly everywhere?: true }) => Node): Node {
    const { readable } = this.#names;
    this.#lookups += readable?.length ?? 0;
    if (this.#lookups > maxLookups)
      throw badSearch('text', 'Expected fewer words: some fields are closed to the caller');
    return readable === undefined ? node({}) : or(readable.map((field) => node({ field, everywhere: true })));
  }

  /** Criterion on a field. `whole`: the complete value, as in facets. */
  field(criterion: SearchField, level: Level, whole = false): Node {
    const { name, target, value = [], range = [] } = criterion;
    if (target !== undefined && target !== level) {
      return this.#linked(target, level, () => this.field({ ...criterion, target: undefined }, target, whole));
    }
    if (value.length + range.length > maxValues) throw badSearch('field', `Expected at most ${maxValues} values`, name);
    this.#count();
    const joined = isJoined(level) ? joinedField(this.#names.joins, level, name) : undefined;
    if (joined)
      return 'words' in joined ? joined.words(criterion, () => this.#count()) : this.#fact(joined.fact, criterion);
    const form = level === 'shape' || level === 'file' ? undefined : this.#names.field(name);
    if (form) {
      const node = this.#tests(
        criterion,
        (each) => this.#boosted(this.#value(form, each, whole, level), level, each.boost),
        (each) => this.#range(form, each),
        some(form),
      );
      return this.#weighed(node, level, form.boost);
    }
    const fact = factOf(level, name);
    if (level === 'both') {
      const facts = (['item', 'collection'] as const).flatMap((kind) => factOf(kind, name) ?? []);
      return or(facts.map((each) => this.#fact(each, criterion)));
    }
    return fact === undefined ? none : this.#fact(fact, criterion);
  }

  #fact(fact: Fact, criterion: SearchField): Node {
    const form = formOfFact(fact, criterion.name, this.#names);
    const node = (test: Test): Node => ({ is: 'fact', fact, test });
    return this.#tests(
      criterion,
      ({ value = '' }) => node(testOf(form, spelled(fact, value))),
      (range) => node(betweenOf(form, range)),
      node({ is: 'some' }),
    );
  }

  #tests(
    { value = [], range = [] }: SearchField,
    test: (value: SearchValue) => Node,
    between: (range: SearchRange) => Node,
    exists: Node,
  ): Node {
    if (value.length + range.length === 0) return exists;
    const each = value.map((searchValue) => ((searchValue.value ?? '').trim() === '*' ? exists : test(searchValue)));
    const tests = value.length > maxSingly ? inOne(each) : each.map((node) => this.#counted(node));
    return or([...tests, ...range.map(between)]);
  }

  #value(
    field: FieldForm,
    { value = '', noescape, minimum, maximum }: SearchValue,
    whole: boolean,
    level: Level,
  ): Node {
    if (minimum || maximum) return some(field);
    if (whole) return { is: 'value', field, test: { is: 'equals', value: valueIn(field, value) } };
    if (!noescape) return this.#plain(field, value);
    return queryOf(value, {
      word: (text) => this.#plain(field, text),
      phrase: (text) =>
        valueTypeOf(field.base).matches === 'words'
          ? { is: 'words', field, units: this.#phrase(text) }
          : this.#plain(field, text),
      near: (text, distance) => {
        if (!isText(field.base)) throw badSearch(`field/${field.name}`, 'Expected near words of texts only', text);
        const units = this.#phrase(text, (words) => nearUnitsOf(words, distance));
        return units.length === 0 ? none : { is: 'words', field, units };
      },
      spread: (text, distance) =>
        isText(field.base) ? spread(this.#phrase(text).flat(), distance, field) : this.#plain(field, text),
      boosted: (node, by) => this.#boosted(node, level, by),
      range: (from, to, [fromOpen, toOpen]) => {
        const end = (text: string) => ({ value: text === '*' ? '' : text });
        const rangeField = { value: [end(from), end(to)], exclusiveMinimum: fromOpen, exclusiveMaximum: toOpen };
        return this.#range(field, rangeField);
      },
    });
  }

  #plain(field: FieldForm, text: string): Node {
    if (valueTypeOf(field.base).matches !== 'words') return { is: 'value', field, test: testOf(field, text) };
    const units = this.#phrase(text, unitsOf);
    return units.length === 0 ? none : { is: 'words', field, units };
  }

  #range(field: FieldForm, range: SearchRange): Node {
    return { is: 'value', field, test: betweenOf(field, range) };
  }
}

const basesOfFacts = { text: 'string-exact', whole: 'long', date: 'date' } as const;

/** Form of the values of a fact, as of a field. */
export const formOfFact = ({ type }: Fact, name: string, { now }: Pick<Names, 'now'>): FieldForm => ({
  name,
  base: basesOfFacts[type],
  foldsCase: false,
  ...(now !== undefined && { now }),
});

/** Normalises a value of a fact to its form in the tables. */
function spelled({ of, name }: Fact, text: string): string {
  if (text.length > maxPatternLength && /[*?]/.test(text))
    throw badSearch(`field/${name}`, `Expected a pattern of at most ${maxPatternLength} characters`, text);
  if (of !== 'file') return text;
  return name === 'state' ? text.toUpperCase() : name === 'extension' || name === 'hash' ? text.toLowerCase() : text;
}

/** Combines equality tests into one. */
function inOne(nodes: readonly Node[]): readonly Node[] {
  const values: Comparable[] = [];
  const others: Node[] = [];
  let first: Extract<Node, { is: 'value' | 'fact' }> | undefined;
  for (const node of nodes) {
    if ((node.is === 'value' || node.is === 'fact') && node.test.is === 'equals') {
      first ??= node;
      values.push(node.test.value);
    } else others.push(node);
  }
  if (others.length > maxSingly)
    throw badSearch('field', `Expected at most ${maxSingly} texts and patterns for one field`);
  return first === undefined ? others : [{ ...first, test: { is: 'among', values } }, ...others];
}

const spread = (tokens: readonly SearchToken[], distance: number, field: FieldForm | undefined): Node =>
  tokens.length === 0 ? none : { is: 'near', tokens, distance, ...(field && { field }) };

const some = (field: FieldForm): Node => ({ is: 'value', field, test: { is: 'some' } });

function testOf(field: FieldForm, text: string): Test {
  if (isText(field.base) && /[*?]/.test(text)) return { is: 'like', pattern: text };
  return { is: 'equals', value: valueIn(field, text) };
}

function betweenOf(
  field: FieldForm,
  { value = [], exclusiveMinimum = false, exclusiveMaximum = false }: SearchRange,
): Test {
  if (value.length !== 2) throw badSearch('range', `Expected two values in a range of "${field.name}"`);
  const [low, high] = value;
  const end = (bound: SearchValue | undefined, open: boolean): End | undefined =>
    bound === undefined || bound.minimum || bound.maximum || (bound.value ?? '').trim() === ''
      ? undefined
      : { value: valueIn(field, bound.value!), open };
  const [from, to] = [end(low, exclusiveMinimum), end(high, exclusiveMaximum)];
  return { is: 'between', ...(from && { from }), ...(to && { to }) };
}

/** Milliseconds of a date expression, relative to the time of the search. */
export const dateOf = ({ base, now }: FieldForm, text: string): number | undefined =>
  base === 'date' && now !== undefined ? dateSought(text, now) : undefined;

function valueIn(field: FieldForm, text: string) {
  const value = comparableOf(field.base, text) ?? dateOf(field, text);
  if (value !== undefined) return value;
  throw badSearch(`field/${field.name}`, `Expected a value of the type ${field.base}`, text);
}
