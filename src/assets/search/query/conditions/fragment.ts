import type { SqlValue } from '../../../../core/store/contract.ts';
import type { Condition } from '../../viewer.ts';

/** SQL fragments with question marks, and their values in order. */

export const fragment = (text: string, ...values: readonly SqlValue[]): Condition => ({ text, values });

export const always = fragment('1');
export const never = fragment('0');

export function joined(conditions: readonly Condition[], word: 'AND' | 'OR'): Condition {
  if (conditions.length === 0) return word === 'AND' ? always : never;
  if (conditions.length === 1) return conditions[0]!;
  return {
    text: `(${conditions.map(({ text }) => text).join(` ${word} `)})`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Joins terms with an operator, such as those of a sum. */
export const joinedBy = (terms: readonly Condition[], sign: string): Condition => ({
  text: `(${terms.map(({ text }) => text).join(sign)})`,
  values: terms.flatMap(({ values }) => values),
});

/** Inserts a condition in place of `@`. */
export const around = (text: string, inner: Condition, ...before: readonly SqlValue[]): Condition => ({
  text: text.replace('@', () => inner.text),
  values: [...before, ...inner.values],
});
