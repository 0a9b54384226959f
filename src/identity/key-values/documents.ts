import type { SimpleMetadata } from '../../documents/index.ts';
import { checkKey } from './rules.ts';
import type { KeyValues } from './store.ts';

/** What the document says, checked. A key without a value has nothing to keep. */
export function keyValuesFrom(metadata: SimpleMetadata | undefined, place: string, prefix = ''): KeyValues {
  return (metadata?.field ?? []).flatMap((field) => {
    const key = field.key && `${prefix}${field.key}`;
    checkKey(key, place);
    if (field.value === undefined) return [];
    const { value, mode } = field.value;
    return [mode?.toLowerCase() === 'add' ? [key, value, 'add' as const] : [key, value]];
  });
}

export function metadataOf(rows: readonly { key: string; value: string }[] | undefined): SimpleMetadata | undefined {
  return rows && rows.length > 0 ? fieldsOf(rows) : undefined;
}

export function fieldsOf(rows: readonly { key: string; value: string }[]): SimpleMetadata {
  return { field: rows.map((row) => ({ key: row.key, value: { value: row.value } })) };
}
