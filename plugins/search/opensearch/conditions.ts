import type { EngineCondition, EngineEnd, EngineField, EngineTest, EngineValue } from '../../../src/spi/index.ts';
import { both, type Dsl, either, everything, nothing, scoreless } from './dsl.ts';
import { fieldNames, writtenValue } from './fields.ts';
import { escapedPattern, phraseDsl } from './phrases.ts';

/** Query that finds what meets the condition, without a score. */
export function filterDsl(condition: EngineCondition): Dsl {
  switch (condition.is) {
    case 'all':
      return everything;
    case 'none':
      return nothing;
    case 'and':
      return andDsl(partsOf('and', condition));
    case 'or':
      return either(partsOf('or', condition).map(filterDsl));
    case 'not':
      return condition.of.is === 'not' ? filterDsl(condition.of.of) : { bool: { must_not: [filterDsl(condition.of)] } };
    case 'phrase':
      return phraseDsl(condition);
    case 'key':
      return either(sidesOf(condition.spans).map((side) => ({ term: { [`${side}k`]: condition.key } })));
    case 'value': {
      const { field, spans, test } = condition;
      const { untimed, timed } = fieldNames(field);
      return either(sidesOf(spans).map((side) => testDsl(side === 'u' ? untimed : timed, field, test)));
    }
    case 'number':
      return condition.of === 'id' ? terms('id', condition.among) : terms('context', condition.among.map(String));
    case 'name':
      return terms(condition.of === 'entityId' ? 'entity' : condition.of, condition.among);
    case 'kind':
      return { term: { kind: condition.kind } };
    case 'timed':
      return { term: { timed: true } };
  }
}

const sidesOf = (spans: 'untimed' | 'timed' | 'all'): readonly ('u' | 't')[] =>
  spans === 'all' ? ['u', 't'] : [spans === 'untimed' ? 'u' : 't'];

/** Conditions of nested ANDs or ORs, as one list. */
function partsOf(is: 'and' | 'or', condition: EngineCondition): readonly EngineCondition[] {
  return condition.is === is
    ? (condition.of as readonly EngineCondition[]).flatMap((each) => partsOf(is, each))
    : [condition];
}

function andDsl(parts: readonly EngineCondition[]): Dsl {
  const wanted = parts.filter(({ is }) => is !== 'not').map(filterDsl);
  const refused = parts.flatMap((each) => (each.is === 'not' ? [filterDsl(each.of)] : []));
  if (refused.length === 0) return both(wanted);
  return { bool: { ...(wanted.length > 0 && { filter: wanted }), must_not: refused } };
}

const terms = (field: string, values: readonly unknown[]): Dsl =>
  values.length === 0
    ? nothing
    : values.length === 1
      ? { term: { [field]: values[0] } }
      : { terms: { [field]: values } };

/** Query whose score is that of the phrases in the condition. */
export function scoredDsl(condition: EngineCondition): Dsl {
  if (condition.is === 'phrase') return phraseDsl(condition);
  if (!hasPhrases(condition)) return scoreless(filterDsl(condition));
  if (condition.is === 'or') return either(partsOf('or', condition).map(scoredDsl));
  const parts = partsOf('and', condition);
  const unscored = parts.filter((part) => !hasPhrases(part));
  const filter = unscored.length > 0 ? { filter: [andDsl(unscored)] } : {};
  return { bool: { must: parts.filter(hasPhrases).map(scoredDsl), ...filter } };
}

/** Whether phrases give a score: not below a NOT. */
const hasPhrases = (condition: EngineCondition): boolean =>
  condition.is === 'phrase' || ((condition.is === 'and' || condition.is === 'or') && condition.of.some(hasPhrases));

/** Limits of 64-bit numbers. */
export const leastLong = -(2n ** 63n);
export const maxLong = 2n ** 63n - 1n;

function testDsl(name: string, field: EngineField, test: EngineTest): Dsl {
  switch (test.is) {
    case 'some':
      return { exists: { field: name } };
    case 'among':
      return terms(
        name,
        test.values.flatMap((value) => comparable(field, value) ?? []),
      );
    case 'like':
      return field.type === 'text' ? { wildcard: { [name]: { value: escapedPattern(test.pattern) } } } : nothing;
    case 'between':
      return rangeDsl(name, field, test);
  }
}

/** Value as the field has it. Undefined: no value of the field equals it. */
function comparable({ type }: EngineField, value: EngineValue): string | number | undefined {
  if (type === 'text') return typeof value === 'string' ? value : undefined;
  if (typeof value === 'string') return undefined;
  if (type === 'decimal') return Number(value);
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  return isWhole && value >= leastLong && value <= maxLong ? writtenValue(value) : undefined;
}

interface Range {
  readonly from?: EngineEnd;
  readonly to?: EngineEnd;
}

/** Query for values in the range. */
function rangeDsl(name: string, field: EngineField, { from, to }: Range): Dsl {
  const isPossible = [from, to].every((end) => end === undefined || isOfType(field, end.value));
  if (!isPossible) return nothing;
  const ends: Record<string, string | number> = {};
  if (from !== undefined && !isBelowAll(field, from.value)) {
    if (isAboveAll(field, from.value)) return nothing;
    ends[from.open ? 'gt' : 'gte'] = endOf(field, from.value);
  }
  if (to !== undefined && !isAboveAll(field, to.value)) {
    if (isBelowAll(field, to.value)) return nothing;
    ends[to.open ? 'lt' : 'lte'] = endOf(field, to.value);
  }
  return Object.keys(ends).length === 0 ? { exists: { field: name } } : { range: { [name]: ends } };
}

const isOfType = ({ type }: EngineField, value: EngineValue) => (typeof value === 'string') === (type === 'text');
const isBelowAll = ({ type }: EngineField, value: EngineValue) =>
  type === 'integer' && typeof value !== 'string' && value < leastLong;
const isAboveAll = ({ type }: EngineField, value: EngineValue) =>
  type === 'integer' && typeof value !== 'string' && value > maxLong;
const endOf = ({ type }: EngineField, value: EngineValue) => (type === 'decimal' ? Number(value) : writtenValue(value));

/** Query for entities with a value in the range, for facets. */
export function facetRangeDsl(field: EngineField, range: Range): Dsl {
  const { untimed, timed } = fieldNames(field);
  return either([untimed, timed].map((name) => rangeDsl(name, field, range)));
}
