import type { Value } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { prefixesOf } from '../../core/lib/search-pattern.ts';
import type { simpleSearchDocument, UserSearchField, UserSearchOperator } from '../documents.ts';

/** Condition of a search. */
export type UserCondition =
  | { readonly kind: 'field'; readonly name: string; readonly value: string | undefined }
  | { readonly kind: UserSearchOperator['operation']; readonly parts: readonly UserCondition[] };

export interface UserOrder {
  readonly field: string;
  readonly descending: boolean;
}

export interface UserSearch {
  readonly condition: UserCondition;
  readonly order: readonly UserOrder[];
  readonly ignoreCase: boolean;
}

const max = { conditions: 100, orders: 8 };

/** Checked: nothing in it can make the database work for longer than its size says. */
export function userSearchFrom(
  document: Value<typeof simpleSearchDocument> | undefined,
  ignoreCase: boolean,
  maxPatternLength: number,
): UserSearch {
  const { field, operator, sort = [] } = document ?? {};
  const condition = group('AND', field, operator);
  const long = fieldsIn(condition).some(({ value = '' }) => value.length > maxPatternLength);
  if (long) throw tooMuch(`values of at most ${maxPatternLength} characters`);
  if (conditionSize(condition) > max.conditions) throw tooMuch(`at most ${max.conditions} fields`);
  if (sort.length > max.orders) throw tooMuch(`at most ${max.orders} fields to sort by`);
  const order = sort.map((each) => ({ field: each.field, descending: each.order === 'descending' }));
  return { condition, order, ignoreCase };
}

function group(
  kind: UserSearchOperator['operation'],
  fields: readonly UserSearchField[] = [],
  operators: readonly UserSearchOperator[] = [],
): UserCondition {
  const nested = operators.map((each) => group(each.operation, each.field, each.operator));
  // An operator without fields says nothing.
  return { kind, parts: [...fields.map(fieldOf), ...nested.filter((each) => conditionSize(each) > 0)] };
}

const fieldOf = ({ name, value }: UserSearchField): UserCondition => ({ kind: 'field', name, value });

type FieldCondition = Extract<UserCondition, { kind: 'field' }>;

/** The comparisons of a search, in the order of its document. */
export function fieldsIn(condition: UserCondition): readonly FieldCondition[] {
  return condition.kind === 'field' ? [condition] : condition.parts.flatMap(fieldsIn);
}

/** Number of fields that it compares. */
export const conditionSize = (condition: UserCondition): number => fieldsIn(condition).length;

/** Possible prefixes of the names that match. Undefined: any. `isName`: whether a field is the name. */
export function searchReach(
  condition: UserCondition,
  ignoreCase: boolean,
  isName: (field: string) => boolean,
): readonly string[] | undefined {
  const of = (part: UserCondition) => searchReach(part, ignoreCase, isName);
  if (condition.kind === 'field') {
    const prefixes = isName(condition.name) ? prefixesOf(condition.value ?? '', ignoreCase) : [];
    return prefixes.length > 0 ? prefixes : undefined;
  }
  if (condition.kind === 'NOT' || condition.parts.length === 0) return undefined;
  const reaches = condition.parts.map(of);
  if (condition.kind === 'AND') return reaches.find((reach) => reach !== undefined);
  return reaches.includes(undefined) ? undefined : withoutNested(reaches.flatMap((reach) => reach ?? []));
}

/** No prefix that another one begins: it would reach the same names twice. */
const withoutNested = (prefixes: readonly string[]): readonly string[] => {
  const all = [...new Set(prefixes)];
  return all.filter((prefix) => !all.some((other) => other !== prefix && prefix.startsWith(other)));
};

function tooMuch(expected: string): ServiceError {
  return new ServiceError('bad-value', { context: '/SimpleSearchDocument', explanation: `Expected ${expected}` });
}

export function tooWide(limit: number): ServiceError {
  const explanation = `Expected a narrower search, such as a name that begins with letters: more than ${limit} are in reach`;
  return new ServiceError('bad-value', { context: '/SimpleSearchDocument', explanation });
}

export function tooCostly(limit: number): ServiceError {
  const explanation = `Expected a narrower search or shorter values: bytes in reach times the length of what is searched in them are more than ${limit}`;
  return new ServiceError('bad-value', { context: '/SimpleSearchDocument', explanation });
}
