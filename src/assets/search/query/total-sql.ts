import type { Reader } from '../../../core/store/statement.ts';
import type { Condition, Viewer } from '../../access/public-reading.ts';
import type { Fact } from './ast.ts';
import { always, around } from './conditions.ts';
import { valuesOfFact } from './facts-sql.ts';
import type { Counting, Total, ValueCount, ValueLimits } from './page.ts';
import { idIn, needsEntity, type Plan, rangeIn, sourceOf } from './rows-sql.ts';

type Counted = Exclude<Counting, false>;

/** Number of hits, up to a limit. */
export async function countOf(reader: Reader, plan: Plan, max?: number): Promise<number> {
  const { text, values } = countText(plan, max);
  const [row] = await reader.read(text, values);
  return Number(row?.[0] ?? 0);
}

function countText(plan: Plan, max?: number): Condition {
  const { text, values } = sourceOf(plan, { needsEntity: needsEntity(plan) });
  const hits = max === undefined ? text : `(SELECT 1 FROM ${text} LIMIT ${max})`;
  return { text: `SELECT count(*) FROM ${hits}`, values };
}

/** A total as a query writes it, in JSON. */
export type WrittenTotal = readonly [hits: number, mayBeMore: 0 | 1];

/** SQL for a `WrittenTotal`. */
export function totalText(plan: Plan, counts: Counted): Condition {
  if (counts === true) {
    const { text, values } = countText(plan);
    return { text: `SELECT json_array((${text}), 0)`, values };
  }
  const { text, values } = seenText(plan, counts + 1);
  return { text: `SELECT json_array(total(fits), total(seen) > ${counts}) FROM (${text})`, values };
}

/**
 * So many matches of the index that narrows, each with whether it is a hit. Without such an index, so many hits.
 */
function seenText(plan: Plan, max: number): Condition {
  if (plan.match !== undefined) {
    const fits = plan.where();
    const { text, values } = sourceOf({ ...plan, where: () => always }, { needsEntity: needsEntity(plan) });
    return {
      text: `SELECT 1 AS seen, ${fits.text} AS fits FROM ${text} LIMIT ${max}`,
      values: [...fits.values, ...values],
    };
  }
  if (plan.places === undefined) {
    const { text, values } = sourceOf(plan);
    return { text: `SELECT 1 AS seen, 1 AS fits FROM ${text} LIMIT ${max}`, values };
  }
  const [kind, fits] = [rangeIn(plan, undefined), plan.probe!()];
  return {
    text: `SELECT count(*) AS seen, EXISTS (
        SELECT 1 FROM search_entity AS e WHERE e.id = abs(tie) AND ${kind.text} AND ${fits.text}) AS fits
      FROM (SELECT tie FROM ${plan.places.text} LIMIT ${max}) GROUP BY abs(tie)`,
    values: [...kind.values, ...fits.values, ...plan.places.values],
  };
}

/** `timed`: number of timespans of other entities. */
export const totalFrom = ([hits, mayBeMore]: WrittenTotal, timed: number): Total => ({
  hits: hits + timed,
  ...(mayBeMore === 1 && { mayBeMore: true }),
});

export async function totalOf(reader: Reader, plan: Plan, counts: Counted, timed: number): Promise<Total> {
  const { text, values } = totalText(plan, counts);
  const [row] = await reader.read(text, values);
  return totalFrom(JSON.parse(String(row![0])), timed);
}

/** Values of a fact among the hits, the most frequent first. Several of one entity count once each. */
export async function factValuesOf(
  reader: Reader,
  plan: Plan,
  fact: Fact,
  viewer: Viewer,
  { minCount, max }: ValueLimits,
): Promise<readonly ValueCount[]> {
  const joins = around(
    ' CROSS JOIN json_each((SELECT json_group_array(DISTINCT value) FROM (@))) AS v',
    valuesOfFact(fact, idIn(plan), viewer),
  );
  const { text, values } = sourceOf(plan, { joins, needsEntity: true });
  const rows = await reader.read(
    `SELECT v.value, count(*) AS n FROM ${text} AND v.value IS NOT NULL
      GROUP BY v.value HAVING n >= ? ORDER BY n DESC, v.value LIMIT ?`,
    [...values, minCount, max],
  );
  return rows.map(([value, count]) => ({ value: String(value), count: Number(count) }));
}
