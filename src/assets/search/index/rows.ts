import type { EmbeddedDoc, IndexedValue } from './port.ts';

/** Rows of a batch, as JSON. */
interface ValueRows {
  /** Numbers of entities that are written completely; `fields`: JSON object of their field lists. */
  readonly whole: readonly number[];
  readonly fields: string;
  /** Fields of the other entities whose values are deleted, as `[field, entity]`. */
  readonly left: string;
  /** New values, as `[field, entity, value, spans, folded]`. */
  readonly come: string;
  /** Fields with new values, as `[field, entity]`. */
  readonly placed: string;
  /** New values by document. */
  readonly added: readonly (readonly IndexedValue[])[];
}

/**
 * Rows to write for a batch. Changes name their fields, so nothing is read: all rows of a field are deleted, and the
 * new ones inserted.
 */
export function valueRowsOf(docs: readonly EmbeddedDoc[]): ValueRows {
  const whole: number[] = [];
  const fields: string[] = [];
  const left: string[] = [];
  const come: string[] = [];
  const placed = new Set<string>();
  const added: (readonly IndexedValue[])[] = [];
  for (const { id, values, changed } of docs) {
    const its = changed === undefined ? values : values.filter(({ field }) => changed.has(field));
    added.push(its);
    for (const { field, json, spans, folded } of its) {
      come.push(`[${field},${id},${json},${spans}${folded === undefined ? '' : `,${JSON.stringify(folded)}`}]`);
      placed.add(`[${field},${id}]`);
    }
    if (changed === undefined) {
      whole.push(id);
      fields.push(`"${id}":"[${[...new Set(values.map(({ field }) => field))].join()}]"`);
    } else {
      for (const field of changed) left.push(`[${field},${id}]`);
    }
  }
  return { whole, fields: `{${fields.join()}}`, left: listOf(left), come: listOf(come), placed: listOf(placed), added };
}

const listOf = (parts: Iterable<string>): string => `[${[...parts].join()}]`;
