import type { QuotaHistoryDocument, QuotaRuleDocument } from 'portico/types';
import type { Tone } from '../jobs/jobs.ts';

export const criteria = ['user', 'group', 'collection', 'library', 'storage', 'storageGroup', 'tag'] as const;
export const resources = ['item', 'storage'] as const;
export type Resource = (typeof resources)[number];

/** A rule as its form has it: limits by their resources. */
export interface Rule extends Omit<QuotaRuleDocument, 'resource'> {
  readonly limit: Readonly<Partial<Record<Resource, number>>>;
  readonly usage: Readonly<Partial<Record<Resource, number>>>;
}

export function ruleOf({ resource = [], ...rest }: QuotaRuleDocument): Rule {
  const by = (what: 'limit' | 'usage') => Object.fromEntries(resource.map((each) => [each.name, each[what]]));
  return { ...rest, limit: by('limit'), usage: by('usage') };
}

export function documentOfRule({ limit = {}, usage: _, lastUpdate: _at, ...rest }: Rule): QuotaRuleDocument {
  const resource = resources.flatMap((name) => (limit[name] === undefined ? [] : [{ name, limit: limit[name] }]));
  return { ...rest, resource };
}

/** Share of a limit that is used, from 0. A limit of nothing is exceeded by anything. */
export const shareOf = ({ limit, usage }: Rule, name: Resource): number | undefined => {
  const max = limit[name];
  if (max === undefined) return undefined;
  const used = usage[name] ?? 0;
  return max === 0 ? (used > 0 ? 2 : 1) : used / max;
};

export const fullest = (rule: Rule): number => Math.max(0, ...resources.map((name) => shareOf(rule, name) ?? 0));

export const toneOf = (share: number): Extract<Tone, 'warn' | 'bad'> | undefined =>
  share > 1 ? 'bad' : share >= 0.9 ? 'warn' : undefined;

const day = 86_400_000;

/** Days until a limit is reached, if usage grows as it did. Undefined: it does not grow, or too little is known. */
export function daysLeft(rule: Rule, name: Resource, { day: days = [] }: QuotaHistoryDocument, now: number) {
  const points = days.filter((each) => each[name] !== undefined && each.date !== undefined);
  const first = points.toSorted((one, other) => Date.parse(one.date!) - Date.parse(other.date!))[0];
  const [limit, used] = [rule.limit[name], rule.usage[name] ?? 0];
  if (first === undefined || limit === undefined || used >= limit) return undefined;
  const passed = (now - Date.parse(first.date!)) / day;
  const growth = (used - first[name]!) / passed;
  return passed >= 1 && growth > 0 ? Math.ceil((limit - used) / growth) : undefined;
}
