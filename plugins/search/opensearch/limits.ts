import type { EngineCondition, EngineEnd, EngineQuery, EngineTest } from '../../../src/spi/index.ts';
import { filterDsl } from './conditions.ts';
import { sizeOf } from './dsl.ts';
import { phraseDefect } from './phrases.ts';
import { maxHits, queryDsl } from './search.ts';

/** Limits that an engine has unless its operator raises them, and the deepest page. */
const max = {
  maxDepth: 100_000,
  terms: 65_536,
  depth: 20,
  clauses: 1_000,
  values: 10_000,
  ranges: 1_000,
  bytes: 900,
};

/** True, or why the engine does not answer the query. */
export function canAnswer(query: EngineQuery): true | string {
  const { where, boosts, offset, limit, facets } = query;
  const window = offset + limit;
  if (window > max.maxDepth) return `Expected a page that ends within the first ${max.maxDepth} hits: ${window}`;
  if (limit > maxHits) return `Expected a page of at most ${maxHits} hits: ${limit}`;
  const negative = boosts.find(({ by }) => !(by >= 0));
  if (negative) return `Expected boosts of at least 0: ${negative.by}`;
  for (const facet of facets) {
    if (facet.is === 'values' && facet.max > max.values)
      return `Expected a facet of at most ${max.values} values: ${facet.max}`;
    if (facet.is === 'ranges' && facet.ranges.length > max.ranges)
      return `Expected a facet of at most ${max.ranges} ranges: ${facet.ranges.length}`;
    const defect = facet.is === 'ranges' ? firstOf(facet.ranges, rangeDefect) : undefined;
    if (defect !== undefined) return defect;
    if (facet.is === 'conditions' && facet.of.length > max.ranges)
      return `Expected a facet of at most ${max.ranges} conditions: ${facet.of.length}`;
  }
  const others = facets.flatMap((facet) => [
    ...(facet.where ? [facet.where] : []),
    ...(facet.is === 'conditions' ? facet.of : []),
  ]);
  const conditions = [where, ...boosts.map((boost) => boost.where), ...others];
  const defect = firstOf(conditions, conditionDefect);
  if (defect !== undefined) return defect;
  return firstOf([queryDsl(query), ...others.map(filterDsl)], sizeDefect) ?? true;
}

function firstOf<T>(list: readonly T[], look: (each: T) => string | undefined): string | undefined {
  for (const each of list) {
    const defect = look(each);
    if (defect !== undefined) return defect;
  }
  return undefined;
}

function conditionDefect(condition: EngineCondition): string | undefined {
  switch (condition.is) {
    case 'and':
    case 'or':
      return firstOf(condition.of, conditionDefect);
    case 'not':
      return conditionDefect(condition.of);
    case 'phrase':
      return phraseDefect(condition) ?? firstOf(condition.tokens, ({ text }) => textDefect(text));
    case 'number':
    case 'name':
      return termsDefect(condition.among.length);
    case 'value':
      return testDefect(condition.test);
    default:
      return undefined;
  }
}

function testDefect(test: EngineTest): string | undefined {
  if (test.is === 'among') return termsDefect(test.values.length);
  if (test.is === 'like') return textDefect(test.pattern);
  return test.is === 'between' ? rangeDefect(test) : undefined;
}

const rangeDefect = ({ from, to }: { readonly from?: EngineEnd; readonly to?: EngineEnd }): string | undefined =>
  firstOf([from, to], (end) => (typeof end?.value === 'string' ? textDefect(end.value) : undefined));

/** Texts of ranges and patterns become automata, whose states the engine limits. */
function textDefect(text: string): string | undefined {
  const bytes = text.length * 3 <= max.bytes ? 0 : new TextEncoder().encode(text).byteLength;
  return bytes > max.bytes
    ? `Expected texts of at most ${max.bytes} bytes in patterns and ranges: ${bytes}`
    : undefined;
}

const termsDefect = (count: number): string | undefined =>
  count > max.terms ? `Expected at most ${max.terms} values in a condition: ${count}` : undefined;

function sizeDefect(query: unknown): string | undefined {
  const { depth, leaves } = sizeOf(query);
  if (depth > max.depth) return `Expected conditions of at most ${max.depth} levels: ${depth}`;
  return leaves > max.clauses ? `Expected at most ${max.clauses} conditions: ${leaves}` : undefined;
}
