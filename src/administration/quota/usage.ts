import type { Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { criteriaOf, firstCountOf, recountOf } from './counting/recount-sql.ts';
import { correctRule, forgetPoints, keepPoint, type QuotaRuleRow, type RuleValues } from './quota-rules/store.ts';

export interface Usage {
  readonly items: number;
  readonly bytes: number;
}

/** Result of a recount, and the values of the row at that time. */
interface Recount extends Usage {
  readonly before: Usage;
  readonly marked: number;
  readonly recounts: number;
}

export const isExact = ({ marked, counted }: Pick<QuotaRuleRow, 'marked' | 'counted'>): boolean => marked === counted;

/** Whether the row was exact: triggers follow all changes, so that a recount should find the same. */
export const wasExact = (row: QuotaRuleRow, found: Recount): boolean => row.counted === found.marked;

/** Undefined: the rule is gone. */
export async function recount(reader: Reader, row: QuotaRuleRow): Promise<Recount | undefined> {
  const [counted] = await reader.read(recountOf(criteriaOf(row)), [row.id], 'one');
  if (!counted) return undefined;
  const [itemsBefore = 0, bytesBefore = 0, marked = 0, recounts = 0, items = 0, bytes = 0] = counted.map(Number);
  return { items, bytes, before: { items: itemsBefore, bytes: bytesBefore }, marked, recounts };
}

/** Right as of now, also where triggers could not follow what happened. */
export const usageOfRule = async (reader: Reader, row: QuotaRuleRow): Promise<Usage> =>
  isExact(row) ? row : ((await recount(reader, row)) ?? row);

export async function firstUsage(reader: Reader, rule: RuleValues): Promise<Usage> {
  const { text, values } = firstCountOf(rule);
  const [[items = 0, bytes = 0] = []] = (await reader.read(text, values, 'one')).map((row) => row.map(Number));
  return { items: rule.itemLimit === null ? 0 : items, bytes: rule.storageLimit === null ? 0 : bytes };
}

/** Drift of the triggers' counts. */
export const driftOf = ({ items, bytes, before }: Recount): Usage => ({
  items: items - before.items,
  bytes: bytes - before.bytes,
});

const dayLength = 86_400_000;
/** Days that the history of a rule goes back. */
export const keptDays = 400;
export const dayOf = (time: number): number => Math.floor(time / dayLength);
export const startOfDay = (day: number): number => day * dayLength;

export function settled(id: string, found: Recount, now: number): readonly Statement[] {
  const { marked: counted, recounts } = found;
  const day = dayOf(now);
  return [
    correctRule({ id, ...driftOf(found), counted, recounts, now }),
    keepPoint({ id, day }),
    forgetPoints({ id, day: day - keptDays }),
  ];
}
