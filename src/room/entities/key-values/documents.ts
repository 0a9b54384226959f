import type { SimpleMetadata } from '../../../core/documents/index.ts';
import { checkKey } from './rules.ts';
import type { KeyValue, KeyValues } from './store.ts';

/** Validated key-value pairs of a document. Keys without a value are dropped. */
export function keyValuesFrom(
  metadata: SimpleMetadata | undefined,
  place: string,
  mostBytes: number,
  prefix = '',
): KeyValues {
  const pairs = (metadata?.field ?? []).flatMap((field): KeyValue[] => {
    const key = field.key && `${prefix}${field.key}`;
    checkKey(key, place);
    if (field.value === undefined) return [];
    const { value, mode } = field.value;
    return [mode?.toLowerCase() === 'add' ? [key, value, 'add'] : [key, value]];
  });
  return { pairs, mostBytes };
}

export function metadataOf(rows: readonly { key: string; value: string }[] | undefined): SimpleMetadata | undefined {
  return rows && rows.length > 0 ? simpleMetadata(rows) : undefined;
}

export function simpleMetadata(rows: readonly { key: string; value: string }[]): SimpleMetadata {
  return { field: rows.map((row) => ({ key: row.key, value: { value: row.value } })) };
}
