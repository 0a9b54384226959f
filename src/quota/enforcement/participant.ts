import { ServiceError } from '../../lib/errors.ts';
import type { Committing, Participant, Statement } from '../../store/contract.ts';
import { evaluate } from '../evaluation/evaluate.ts';
import type { QuotaParts } from '../parts.ts';
import { allExact, clearBegan, enforcedRules, noRuleExceeded, ruleFits } from './store.ts';

/** Commits behind this attempt do without the usage of rules that change faster than anybody can count them. */
const patient = 4;

export const exceeded = (id?: string): ServiceError => {
  const explanation = 'Expected a change within the limits of the quota rule, which is enforced';
  return new ServiceError('quota-exceeded', { type: 'quota-rule', ...(id !== undefined && { id }), explanation });
};

/**
 * Refuses what a request would add beyond the limits of an enforced rule. The triggers have counted the commit by then,
 * so the guard judges what would be. The first attempt asks for all rules at once, and a second one names the rule.
 */
export function enforcement(parts: Pick<QuotaParts, 'store' | 'clock' | 'log'>): Participant {
  const { store } = parts;
  const stale = exceeded();

  async function named(attempt: number): Promise<readonly Statement[]> {
    const rules = await enforcedRules(store, {});
    for (const { id, exact } of rules) if (exact === 0 && attempt < patient) await evaluate(parts, store, id);
    const exact = attempt < patient ? [allExact({}, stale)] : [];
    return [...exact, ...rules.map(({ id }) => ruleFits({ id }, exceeded(id)))];
  }

  return {
    name: 'quota',
    concerns: ['request'],
    stale,
    before: () => [clearBegan({})],
    after({ attempt, touches }: Committing) {
      // The bytes are there, and their room was asked for before they came.
      if (touches.some(({ aspect }) => aspect === 'published')) return [];
      return attempt === 1 ? [allExact({}, stale), noRuleExceeded({}, stale)] : named(attempt);
    },
  };
}
