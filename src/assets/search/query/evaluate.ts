import { inByteOrder } from '../../../core/lib/bytes.ts';
import { type Comparable, type FieldDefinition, isText } from '../../definitions/public-reading.ts';
import { type Contents, generic, type MetadataState, type StoredGroup } from '../../metadata/public-reading.ts';
import { canonical, comparableOf, maxValueLength } from '../index/values.ts';
import { wordsOf } from '../index/words.ts';
import type { Node, Test } from './ast.ts';
import { tokensIn } from './match.ts';
import { matcherOf, type SearchToken, tokenMatcher } from './terms.ts';

/** Evaluates group criteria and timespans on the metadata itself, since the index cannot decide them. */

/** Matching timespan of an entity. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

export interface EvaluationContext {
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  /** True: members of nested groups also count for the outer group. */
  readonly mergesGroups: boolean;
  /** Numbers of entities that satisfy a node by data outside the metadata. */
  readonly facts: ReadonlyMap<Node, ReadonlySet<number>>;
}

/** Metadata of one entity, prepared once for all criteria. */
export class EvaluatedEntity {
  readonly #number: number;
  readonly #state: MetadataState;
  readonly #given: EvaluationContext;
  readonly #views = new Map<Contents, View>();

  constructor(number: number, state: MetadataState, context: EvaluationContext) {
    this.#number = number;
    this.#state = state;
    this.#given = context;
  }

  /** Whether the untimed metadata matches. */
  isGenericMatch(node: Node): boolean {
    return this.#holds(node, this.#context(generic));
  }

  /** Matching timespans. Untimed values count as well, unless only timed ones are searched. */
  spans(node: Node, timedOnly: boolean): readonly Span[] {
    const spans: Span[] = [];
    for (const [key, { start, end }] of this.#state.spans) {
      if (key === generic) continue;
      if (this.#holds(node, this.#context(key, !timedOnly))) spans.push({ start, end });
    }
    return spans;
  }

  #context(key: string, withGeneric = true): readonly Contents[] {
    const keys = key === generic || !withGeneric ? [key] : [generic, key];
    return keys.flatMap((each) => this.#state.spans.get(each)?.contents ?? []);
  }

  #holds(node: Node, all: readonly Contents[]): boolean {
    return this.#decide(
      node,
      all.map((contents) => this.#view(contents, true)),
      all.flatMap(({ groups }) => groups),
    );
  }

  #decide(node: Node, views: readonly View[], groups: readonly StoredGroup[]): boolean {
    switch (node.is) {
      case 'all':
        return true;
      case 'none':
        return false;
      case 'and':
        return node.of.every((each) => this.#decide(each, views, groups));
      case 'or':
        return node.of.some((each) => this.#decide(each, views, groups));
      case 'not':
        return !this.#decide(node.of, views, groups);
      case 'words':
        return views.some((view) => view.hasWords(node));
      case 'near':
        return views.some((view) => view.hasNear(node));
      case 'value':
        return views.some((view) => view.hasValue(node.field.name, node.test));
      case 'reference':
        return views.some((view) => view.references.has(node.uuid.toLowerCase()));
      case 'group':
        return instancesOf(node.name, groups).some((group) =>
          this.#decide(node.of, [this.#view(group.contents, this.#given.mergesGroups)], group.contents.groups),
        );
      default:
        return this.#given.facts.get(node)?.has(this.#number) === true;
    }
  }

  #view(contents: Contents, deep: boolean): View {
    const cachedView = this.#views.get(contents);
    if (cachedView) return cachedView;
    const view = new View(contents, deep, this.#given.fields);
    this.#views.set(contents, view);
    return view;
  }
}

/** Groups with the name, on all levels. */
function instancesOf(name: string | undefined, groups: readonly StoredGroup[]): readonly StoredGroup[] {
  return groups.flatMap((group) => [
    ...(name === undefined || group.name === name ? [group] : []),
    ...instancesOf(name, group.contents.groups),
  ]);
}

interface OneValue {
  readonly definition: FieldDefinition;
  readonly value: Comparable;
}

/** Values of the contents of one span or group. */
class View {
  readonly references = new Set<string>();
  readonly #byField = new Map<string, OneValue[]>();

  constructor(contents: Contents, deep: boolean, fields: ReadonlyMap<string, FieldDefinition>) {
    this.#collect(contents, deep, fields);
  }

  #collect(contents: Contents, deep: boolean, fields: ReadonlyMap<string, FieldDefinition>): void {
    for (const { name, values, reference } of contents.fields.values()) {
      if (reference !== undefined) this.references.add(reference.toLowerCase());
      const definition = fields.get(name);
      if (!definition?.searchable) continue;
      for (const { text } of values) {
        const value = text === '' ? undefined : comparableOf(definition.base, text);
        if (value === undefined) continue;
        const entries = this.#byField.get(name);
        if (entries) entries.push({ definition, value });
        else this.#byField.set(name, [{ definition, value }]);
      }
    }
    for (const { reference, contents: inner } of contents.groups) {
      if (reference !== undefined) this.references.add(reference.toLowerCase());
      if (deep) this.#collect(inner, deep, fields);
    }
  }

  hasValue(name: string, test: Test): boolean {
    return (this.#byField.get(name) ?? []).some(({ value }) => passes(value, test));
  }

  hasWords({ field, units }: Extract<Node, { is: 'words' }>): boolean {
    const tokens = tokensIn(units);
    if (tokens.length === 0) return field === undefined || this.#byField.has(field.name);
    const among = field ? (this.#byField.get(field.name) ?? []) : this.#fullText();
    return among.some(({ value }) => hasPhrase(wordsOf(String(value)).flat(), tokens));
  }

  hasNear({ field, tokens, distance }: Extract<Node, { is: 'near' }>): boolean {
    const among = field ? (this.#byField.get(field.name) ?? []) : this.#fullText();
    return among.some(({ value }) => areNear(wordsOf(String(value)).flat(), tokens, distance));
  }

  #fullText(): readonly OneValue[] {
    return [...this.#byField.values()].flat().filter(({ definition: { fullText, base } }) => fullText && isText(base));
  }
}

function passes(value: Comparable, test: Test): boolean {
  switch (test.is) {
    case 'some':
      return true;
    case 'equals':
      return canonical(value) === canonical(test.value);
    case 'among':
      return test.values.some((each) => canonical(value) === canonical(each));
    case 'like':
      return typeof value === 'string' && value.length <= maxValueLength && matcherOf(test.pattern)(value);
    case 'between':
      if (typeof value === 'string' && value.length > maxValueLength) return false;
      return (
        (test.from === undefined || isBeyond(value, test.from.value, test.from.open)) &&
        (test.to === undefined || isBeyond(test.to.value, value, test.to.open))
      );
  }
}

const isBeyond = (value: Comparable, limit: Comparable, open: boolean): boolean => {
  const order =
    typeof value === 'string' || typeof limit === 'string'
      ? inByteOrder(String(value), String(limit))
      : Number(value > limit) - Number(value < limit);
  return open ? order > 0 : order >= 0;
};

/** Whether each token matches a different word within the distance. */
function areNear(words: readonly string[], tokens: readonly SearchToken[], distance: number): boolean {
  const tests = tokens.map(tokenMatcher);
  const size = tests.length + distance;
  for (let at = 0; at + tests.length <= words.length; at++) {
    const free = words.slice(at, at + size);
    const isThere = tests.every((test) => {
      const index = free.findIndex(test);
      if (index >= 0) free.splice(index, 1);
      return index >= 0;
    });
    if (isThere) return true;
  }
  return false;
}

function hasPhrase(words: readonly string[], tokens: readonly SearchToken[]): boolean {
  const tests = tokens.map(tokenMatcher);
  for (let at = 0; at + tests.length <= words.length; at++) {
    if (tests.every((test, index) => test(words[at + index]!))) return true;
  }
  return false;
}
