import { type Had, type IndexDoc, type IndexedValue, uncompared } from './port.ts';

/** What comes and goes with a batch, as JSON. */
export interface Difference {
  /** The rows of each entity from now on, as `[entity, pairs]`. */
  readonly rows: string;
  /** Values as `[field, entity, value, spans, folded]`. */
  readonly gone: string;
  readonly come: string;
  /** The fields of which some do, as `[field, entity]`. */
  readonly changed: string;
}

/** A value with its field. Most values are not timed and sort by themselves: those parts are left out. */
function pairOf({ field, json, spans, folded }: IndexedValue): string {
  if (folded !== undefined) return `[${field},${json},${spans},${JSON.stringify(folded)}]`;
  return spans === 1 ? `[${field},${json}]` : `[${field},${json},${spans}]`;
}

const nothing: Had = { rows: '[]', version: 0 };

type Pair = readonly [field: number, value: string | number, spans?: number, folded?: string];

/** `had`: what the index has of the entities so far, as it was read. */
export function differenceOf(docs: readonly IndexDoc[], had: ReadonlyMap<number, Had>): Difference {
  const rows: string[] = [];
  const gone: string[] = [];
  const come: string[] = [];
  const changed = new Set<string>();
  for (const { id, values } of docs) {
    const pairs = values.map(pairOf);
    rows.push(`[${id},[${pairs.join()}]]`);
    const { rows: old, version } = had.get(id) ?? nothing;
    if (version === uncompared) continue;
    const left = new Map<string, Pair>();
    for (const pair of JSON.parse(old) as readonly Pair[]) left.set(JSON.stringify(pair), pair);
    for (const [index, each] of values.entries()) {
      if (left.delete(pairs[index]!)) continue;
      const { field, json, spans, folded } = each;
      come.push(`[${field},${id},${json},${spans}${folded === undefined ? '' : `,${JSON.stringify(folded)}`}]`);
      changed.add(`[${field},${id}]`);
    }
    for (const [field, value] of left.values()) {
      gone.push(`[${field},${id},${JSON.stringify(value)}]`);
      changed.add(`[${field},${id}]`);
    }
  }
  return {
    rows: listOf(rows),
    gone: listOf(gone),
    come: listOf(come),
    changed: listOf(changed),
  };
}

const listOf = (parts: Iterable<string>): string => `[${[...parts].join()}]`;
