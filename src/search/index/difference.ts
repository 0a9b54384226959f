import type { EmbeddedDoc, Had, IndexedValue } from './port.ts';

/** What comes and goes with a batch, as JSON. */
export interface Difference {
  /** The rows of each entity from now on, as `[entity, pairs]`. */
  readonly rows: string;
  /** The version of the rows that each was compared with, as `[entity, version]`. */
  readonly read: string;
  /** Values as `[field, entity, value, spans, folded]`. */
  readonly gone: string;
  readonly come: string;
  /** The fields of which some do, as `[field, entity]`. */
  readonly changed: string;
  /** The values that come to each entity. */
  readonly added: readonly (readonly IndexedValue[])[];
}

/** No rows have it: the database compares the values, as it does where another instance was faster. */
const uncompared = -1;

const between = '],[';

/** A value with its field. Most values are not timed and sort by themselves: those parts are left out. */
function pairOf({ field, json, spans, folded }: IndexedValue): string {
  if (folded !== undefined) return `${field},${json},${spans},${JSON.stringify(folded)}`;
  return spans === 1 ? `${field},${json}` : `${field},${json},${spans}`;
}

const rowsOf = (pairs: readonly string[]): string => (pairs.length === 0 ? '[]' : `[[${pairs.join(between)}]]`);

/** Where a text has what stands between pairs, its parts are no pairs. */
const pairsOf = (rows: string): readonly string[] => (rows === '[]' ? [] : rows.slice(2, -2).split(between));

const text = '"(?:[^"\\\\]|\\\\.)*"';
const pair = new RegExp(`^(\\d+),(${text}|[^",]+)(?:,\\d+(?:,${text})?)?$`);

/**
 * `had`: what the index has of the entities so far, as it was read. Pairs are compared as the texts that they are: to read
 * them as JSON costs more, and would round long numbers.
 */
export function differenceOf(docs: readonly EmbeddedDoc[], had: ReadonlyMap<number, Had>): Difference {
  const rows: string[] = [];
  const read: string[] = [];
  const gone: string[] = [];
  const come: string[] = [];
  const changed = new Set<string>();
  const added: (readonly IndexedValue[])[] = [];
  for (const { id, values } of docs) {
    const pairs = values.map(pairOf);
    rows.push(`[${id},${rowsOf(pairs)}]`);
    const known = had.get(id);
    const left = new Set(known && pairsOf(known.rows));
    const its = values.filter((_, index) => !left.delete(pairs[index]!));
    const parts = Array.from(left, (each) => pair.exec(each));
    if (!parts.every((part) => part !== null)) {
      read.push(`[${id},${uncompared}]`);
      added.push(values);
      continue;
    }
    read.push(`[${id},${known?.version ?? null}]`);
    added.push(its);
    for (const { field, json, spans, folded } of its) {
      come.push(`[${field},${id},${json},${spans}${folded === undefined ? '' : `,${JSON.stringify(folded)}`}]`);
      changed.add(`[${field},${id}]`);
    }
    for (const [, field, value] of parts) {
      gone.push(`[${field},${id},${value}]`);
      changed.add(`[${field},${id}]`);
    }
  }
  return {
    rows: listOf(rows),
    read: listOf(read),
    gone: listOf(gone),
    come: listOf(come),
    changed: listOf(changed),
    added,
  };
}

const listOf = (parts: Iterable<string>): string => `[${[...parts].join()}]`;
