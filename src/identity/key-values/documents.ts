import type { SimpleMetadata } from '../../documents/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { KeyValues } from './store.ts';

const longestKey = 255;

/** What the document says, checked. A key without a value has nothing to keep. */
export function keyValuesFrom(metadata: SimpleMetadata | undefined, place: string): KeyValues {
  return (metadata?.field ?? []).flatMap((field) => {
    if (!field.key || field.key.length > longestKey || /[\0-\x1f\x7f*]/.test(field.key)) {
      const explanation = `Expected a key of 1 to ${longestKey} characters without control characters and "*"`;
      throw new ServiceError('bad-value', { context: place, explanation, value: field.key.slice(0, 80) });
    }
    return field.value === undefined ? [] : [[field.key, field.value.value] as const];
  });
}

export function metadataOf(rows: readonly { key: string; value: string }[] | undefined): SimpleMetadata | undefined {
  if (!rows || rows.length === 0) return undefined;
  return { field: rows.map((row) => ({ key: row.key, value: { value: row.value } })) };
}
