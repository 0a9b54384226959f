import { badValue, DocumentError } from '../../../core/documents/error.ts';
import { defaultLimits, readJson, readXml, simpleMetadataDocument } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { keyValuesFrom } from '../../../room/entities/key-values/rules.ts';
import { setKeyValues } from '../../../room/entities/key-values/store.ts';
import type { MetadataField } from '../documents.ts';
import { definitionOf, type FieldDefinition } from '../known.ts';
import { checkFieldName, isOfRelease } from '../names.ts';
import { nameIsNotLeaving } from '../reshaping-sql.ts';
import { type FieldType, keepsValues } from '../types.ts';
import { lookupKey } from './documents.ts';
import { type MergedFields, mergeField } from './merge.ts';
import {
  type Choice,
  type FieldRow,
  fieldUnchanged,
  fieldUnused,
  insertField,
  removeField,
  tellDeletion,
  touchField,
  updateField,
  writeValues,
} from './store.ts';

/** Maximum bytes of key-value metadata per entity, and of an enumeration. */
export interface FieldBounds {
  readonly maxMetadataBytes: number;
}

/** Creates a field, or changes the named parts. `externalIds`: statements that give it those of the document. */
export function putField(
  name: string,
  document: MetadataField,
  row: FieldRow | undefined,
  bounds: FieldBounds,
  externalIds: readonly Statement[] = [],
): CommitPlan {
  const changed = changedMeanwhile('MetadataField', name);
  if (!row) checkFieldName(name);
  const before = row && definitionOf(row);
  const merged = mergeField(name, document, before);
  if (row?.system === 1) checkSystem(name, document, merged, before!);
  const rest = JSON.stringify(merged.rest);
  const written = { name, type: merged.type, rest };
  const changes: Statement[] = row
    ? [fieldUnchanged(name, row.version, changed), ...typeMayChange(before!, merged.type), updateField(written)]
    : [nameIsNotLeaving('field', name), insertField(written, changed)];
  return changing(
    ...changes,
    ...fieldDataChanges(name, document.data, bounds, row?.system === 1),
    // Clients send back what they read: their change is in the element, and the text beside it is old.
    ...(document.values ? [writeValues(name, choicesFrom(document.values, bounds))] : []),
    ...externalIds,
  );
}

/**
 * Guards for a change of type: all values must stay valid, or the field must be unused. A reindex follows in the
 * background.
 */
function typeMayChange({ name, type }: FieldDefinition, to: FieldType): Statement[] {
  if (keepsValues(type, to)) return [];
  if (isOfRelease(name))
    throw badValue(
      '/MetadataFieldDocument/type',
      `a type that keeps values of type ${type}: the service writes this field`,
      to,
    );
  const explanation = `Expected a type that keeps the values of type ${type}, because metadata has used the field: "${to}"`;
  return [
    fieldUnused(
      { name },
      new ServiceError('field-used', { context: 'metadata-field', id: name, explanation, value: to }),
    ),
  ];
}

/** Refuses changes to system fields, on which the service relies. Documents that change nothing are accepted. */
function checkSystem(name: string, document: MetadataField, merged: MergedFields, before: MergedFields): void {
  const same =
    merged.type === before.type && JSON.stringify(merged.rest) === JSON.stringify(mergeField(name, {}, before).rest);
  // Forms send back the empty enumeration that they have read.
  if (same && (document.values?.field ?? []).length === 0) return;
  throw systemStays(name, 'no change of a system field but of its "data"');
}

export function systemStays(name: string, expected: string): ServiceError {
  const explanation = `Expected ${expected}: "${name}"`;
  return new ServiceError('bad-value', { context: 'metadata-field', id: name, explanation, value: name });
}

/** Sets the pairs of `data`; other pairs stay. */
export function dataChanges(
  type: string,
  name: string,
  data: readonly Choice[] | undefined,
  { maxMetadataBytes }: FieldBounds,
): readonly Statement[] {
  if (data === undefined || data.length === 0) return [];
  const field = data.map(({ key, value }) => ({ key, value: { value } }));
  return setKeyValues(type, name, keyValuesFrom({ field }, 'data/key', maxMetadataBytes), false);
}

/** Changes of the data of a field. Its enumeration may be among the pairs. */
function fieldDataChanges(
  name: string,
  data: readonly Choice[] = [],
  bounds: FieldBounds,
  isSystem: boolean,
): readonly Statement[] {
  const others = data.filter(({ key }) => key !== lookupKey);
  const lookup = data.findLast(({ key }) => key === lookupKey);
  return [
    ...dataChanges('metadata-field', name, others, bounds),
    ...(lookup ? lookupChanges({ name, system: isSystem ? 1 : 0 }, lookup.value, bounds) : []),
  ];
}

/** Sets the enumeration of a field to a `SimpleMetadataDocument` in a text. Without a text there is none. */
export function lookupChanges(
  field: Pick<FieldRow, 'name' | 'system'>,
  text: string | undefined,
  bounds: FieldBounds,
): readonly Statement[] {
  return putValues(field, lookupFrom(text ?? '', bounds)).changes;
}

/** A text that is read at once has no more elements than the largest enumeration. */
const lookupLimits = { ...defaultLimits, bytes: 2 * 1024 * 1024, elements: 5_000, unknown: 100, depth: 5 };

function lookupFrom(text: string, bounds: FieldBounds): readonly Choice[] {
  if (text.trim() === '') return [];
  const read = text.trimStart().startsWith('<') ? readXml : readJson;
  try {
    return choicesFrom(read(simpleMetadataDocument, text, lookupLimits), bounds);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw badValue(lookupKey, `a SimpleMetadataDocument, at ${error.place}: ${error.explanation}`, text);
  }
}

const utf8 = new TextEncoder();

/** Enumerations keep their order and may repeat a key. The value defaults to the key. */
export function choicesFrom(values: NonNullable<MetadataField['values']>, { maxMetadataBytes }: FieldBounds) {
  const choices = (values.field ?? []).map(({ key, value }): Choice => ({ key, value: value?.value ?? key }));
  const bytes = choices.reduce((sum, { key, value }) => sum + utf8.encode(key).length + utf8.encode(value).length, 0);
  if (bytes <= maxMetadataBytes) return choices;
  throw badValue('values', `at most ${maxMetadataBytes} bytes of keys and values`, String(bytes));
}

export function putValues({ name, system }: Pick<FieldRow, 'name' | 'system'>, choices: readonly Choice[]): CommitPlan {
  if (system === 1) throw systemStays(name, 'no change of a system field but of its "data"');
  return changing(touchField({ name }), writeValues(name, choices));
}

/** Deletes a field. Its name may be defined again. */
export function deleteField({ name, system }: FieldRow): CommitPlan {
  if (system === 1) throw systemStays(name, 'another field than one of the system');
  return changing(
    tellDeletion({ name }),
    ...removeField.map((statement) => statement({ name })),
    ...forgetEntity('metadata-field', name),
  );
}
