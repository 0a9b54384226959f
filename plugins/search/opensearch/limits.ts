import type { EngineCondition, EngineEnd, EngineQuery, EngineTest } from '../../../src/spi/index.ts';
import { filterDsl } from './conditions.ts';
import { sizeOf } from './dsl.ts';
import { phraseDefect } from './phrases.ts';
import { mostHits, queryDsl } from './search.ts';

/** Limits that an engine has unless its operator raises them, and the deepest page. */
const most = {
  deepest: 100_000,
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
  if (window > most.deepest) return `Expected a page that ends within the first ${most.deepest} hits: ${window}`;
  if (limit > mostHits) return `Expected a page of at most ${mostHits} hits: ${limit}`;
  const negative = boosts.find(({ by }) => !(by >= 0));
  if (negative) return `Expected boosts of at least 0: ${negative.by}`;
  for (const facet of facets) {
    if (facet.is === 'values' && facet.most > most.values)
      return `Expected a facet of at most ${most.values} values: ${facet.most}`;
    if (facet.is === 'ranges' && facet.ranges.length > most.ranges)
      return `Expected a facet of at most ${most.ranges} ranges: ${facet.ranges.length}`;
    const defect = facet.is === 'ranges' ? firstOf(facet.ranges, rangeDefect) : undefined;
    if (defect !== undefined) return defect;
    if (facet.is === 'conditions' && facet.of.length > most.ranges)
      return `Expected a facet of at most ${most.ranges} conditions: ${facet.of.length}`;
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
  const bytes = text.length * 3 <= most.bytes ? 0 : new TextEncoder().encode(text).byteLength;
  return bytes > most.bytes
    ? `Expected texts of at most ${most.bytes} bytes in patterns and ranges: ${bytes}`
    : undefined;
}

const termsDefect = (count: number): string | undefined =>
  count > most.terms ? `Expected at most ${most.terms} values in a condition: ${count}` : undefined;

function sizeDefect(query: unknown): string | undefined {
  const { depth, leaves } = sizeOf(query);
  if (depth > most.depth) return `Expected conditions of at most ${most.depth} levels: ${depth}`;
  return leaves > most.clauses ? `Expected at most ${most.clauses} conditions: ${leaves}` : undefined;
}
