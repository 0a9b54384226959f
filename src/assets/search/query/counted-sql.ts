import type { SqlValue } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Condition, Viewer } from '../../access/public-reading.ts';
import { fieldNumber } from '../index/keys.ts';
import type { FieldForm } from '../index/values.ts';
import { indexedKinds, type SearchKind } from './ast.ts';
import { fragment } from './conditions.ts';
import type { ValueCount, ValueLimits } from './page.ts';

/**
 * Values of a field among everything that the viewer may read, the most frequent first, from counts by context.
 * Undefined: more than contexts decides what the viewer may see of the field.
 */
export async function countedValues(
  reader: Reader,
  viewer: Viewer,
  kind: SearchKind,
  { name, closed }: FieldForm,
  { minCount, max }: ValueLimits,
): Promise<readonly ValueCount[] | undefined> {
  const counts = countsOf(viewer, kind, name, closed);
  if (counts === undefined) return undefined;
  const rows = await reader.read(
    `SELECT CAST(val AS TEXT), sum(n) AS n FROM (${counts.text}) GROUP BY val HAVING sum(n) >= max(?, 1) ORDER BY 2 DESC, val LIMIT ?`,
    [...counts.values, minCount, max],
  );
  return rows.map(([value, count]) => ({ value: String(value), count: Number(count) }));
}

/** Values with their counts, each any number of times. */
function countsOf(viewer: Viewer, kind: SearchKind, name: string, closed: FieldForm['closed']): Condition | undefined {
  const number = fieldNumber(name);
  const fields = `[${kind === 'collection' ? -number : kind === 'both' ? `${number},${-number}` : number}]`;
  const ofFields = (contexts: string, sign = ''): Condition =>
    fragment(
      `SELECT count.val, ${sign}count.n AS n FROM json_each(?) AS context CROSS JOIN json_each(?) AS field
        CROSS JOIN search_count AS count ON count.field = field.value AND count.context = context.value`,
      contexts,
      fields,
    );
  const unreadable = closed ? undefined : unreadableOf(viewer, kind);
  if (unreadable) {
    const all = ofFields('[0]');
    return unreadable.length === 0 ? all : united([all, ofFields(JSON.stringify(unreadable), '-')]);
  }
  const alone = kind === 'collection' ? undefined : viewer.contexts?.alone('READ');
  if (closed && (alone || closed.alone)) return undefined;
  const readable = viewer.contexts?.having('READ') ?? '[]';
  const contexts = ofFields(closed ? without(readable, closed.contexts) : readable);
  if (!alone) return contexts;
  // Items of libraries count by themselves, whatever their contexts say.
  const those = (list: string, n: string, more: string, ...values: SqlValue[]): Condition =>
    fragment(
      `SELECT v.val, ${n} AS n FROM json_each(?) AS given CROSS JOIN item ON item.id = given.value
        CROSS JOIN search_value AS v ON v.field = ${number} AND v.entity = item.serial WHERE ${more}`,
      list,
      ...values,
    );
  return united([
    contexts,
    those(alone.having, '1', 'TRUE'),
    those(alone.all, '-1', 'item.context IN (SELECT value FROM json_each(?))', readable),
  ]);
}

const united = (parts: readonly Condition[]): Condition => ({
  text: parts.map(({ text }) => text).join(' UNION ALL '),
  values: parts.flatMap(({ values }) => values),
});

/** The few contexts that the viewer may not read. Undefined: they are many, or more than contexts decides. */
function unreadableOf(viewer: Viewer, kind: SearchKind): readonly number[] | undefined {
  if (viewer.administrator) return [];
  const lists = indexedKinds(kind).map((each) => viewer.contexts?.unreadable(each));
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => JSON.parse(list!) as readonly number[]);
}

function without(contexts: string, others: string): string {
  const left = new Set(JSON.parse(others) as readonly number[]);
  return JSON.stringify((JSON.parse(contexts) as readonly number[]).filter((context) => !left.has(context)));
}
