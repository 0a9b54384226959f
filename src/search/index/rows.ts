import type { EmbeddedDoc, IndexedValue } from './port.ts';

/** The rows of a batch, as JSON. */
export interface ValueRows {
  /** The entities of which all values are written, and all fields of which each has one: a list, as text, by its number. */
  readonly whole: readonly number[];
  readonly fields: string;
  /** The fields of others whose values go, as `[field, entity]`. */
  readonly left: string;
  /** Values that come, as `[field, entity, value, spans, folded]`. */
  readonly come: string;
  /** Their fields, as `[field, entity]`. */
  readonly placed: string;
  /** The values that come to each. */
  readonly added: readonly (readonly IndexedValue[])[];
}

/**
 * What is written of the values of a batch. A change names its fields, so nothing has to be read: all rows of a field go,
 * and those that it has from now on come.
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
