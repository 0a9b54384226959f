import { badParameter, choice, flag, list, page, text } from '../../http/parameters/index.ts';
import { type CriterionName, criterionNames } from '../counting/criteria-sql.ts';
import { everyRule, type RuleFilter } from './store.ts';

export const content = list(choice('Adds the external ids', ['external']));

export const ruleListParameters = (most: number) => ({
  content,
  filter: text('Only rules with these criteria: pairs such as `user=anna,storage=VX-3`'),
  exceeded: flag('Only rules whose usage exceeds a limit', false),
  ...page(most),
});

const isCriterion = (name: string): name is CriterionName => (criterionNames as readonly string[]).includes(name);

/** `user=anna,storage=VX-3`. A criterion that is left out is not asked for. */
export function readFilter(given = ''): RuleFilter {
  const filter: Record<CriterionName, string | null> = { ...everyRule };
  for (const pair of given.split(',').map((each) => each.trim())) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    if (at < 0) throw badParameter('filter', 'Expected pairs such as user=anna', pair);
    const name = pair.slice(0, at).trim();
    if (!isCriterion(name)) throw badParameter('filter', `Expected one of ${criterionNames.join(', ')}`, name);
    filter[name] = pair.slice(at + 1).trim();
  }
  return filter;
}
