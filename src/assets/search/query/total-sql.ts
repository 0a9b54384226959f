import type { Reader } from '../../../core/store/statement.ts';
import type { Condition } from '../../access/public-reading.ts';
import { always } from './conditions.ts';
import type { Counting } from './page.ts';
import { needsEntity, type Plan, sourceOf } from './rows-sql.ts';

/** Number of hits, up to a limit. */
export async function countOf(reader: Reader, plan: Plan, most?: number): Promise<number> {
  const { text, values } = countText(plan, most);
  const [row] = await reader.read(text, values);
  return Number(row?.[0] ?? 0);
}

export function countText(plan: Plan, most?: number): Condition {
  const { text, values } = sourceOf(plan, { needsEntity: needsEntity(plan) });
  const counted = most === undefined ? `SELECT count(*) FROM ${text}` : undefined;
  return { text: counted ?? `SELECT count(*) FROM (SELECT 1 FROM ${text} LIMIT ${most})`, values };
}

/** Number of hits, below 0 where a bound left matches out. Plans without a text index are counted to their end. */
export function totalText(plan: Plan, counts: Exclude<Counting, false>): Condition {
  if (counts === true || plan.match === undefined) return countText(plan);
  const fits = plan.where();
  const { text, values } = sourceOf({ ...plan, where: () => always }, { needsEntity: needsEntity(plan) });
  return {
    text: `SELECT CASE WHEN count(*) > ${counts} THEN -1 - total(fits) ELSE total(fits) END
      FROM (SELECT ${fits.text} AS fits FROM ${text} LIMIT ${counts + 1})`,
    values: [...fits.values, ...values],
  };
}

export async function totalIn(
  reader: Reader,
  plan: Plan,
  counts: Exclude<Counting, false>,
  timed: number,
): Promise<Total> {
  const { text, values } = totalText(plan, counts);
  const [row] = await reader.read(text, values);
  return totalOf(Number(row?.[0] ?? 0), timed);
}

interface Total {
  readonly hits: number;
  readonly mayBeMore?: boolean;
}

/** The total that `totalText` tells, with so many timespans of other entities. */
export const totalOf = (counted: number, timed: number): Total =>
  counted < 0 ? { hits: -1 - counted + timed, mayBeMore: true } : { hits: counted + timed };
