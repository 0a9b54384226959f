import { badValue } from '../../../core/documents/error.ts';
import { compilePattern } from '../../../core/documents/pattern.ts';
import { booleanWords } from '../../../core/lib/words.ts';
import type { MetadataField } from '../documents.ts';
import type { FieldRest, Schema } from '../known.ts';
import { type FieldType, type Restriction, restrictionKind } from '../types.ts';
import { checkValue } from '../values.ts';

export interface MergedFields {
  readonly type: FieldType;
  readonly rest: FieldRest;
}

/** Merges a document into a definition. Missing properties keep their values, or get defaults in a new field. */
export function mergeField(name: string, document: MetadataField, before: MergedFields | undefined): MergedFields {
  const at = (part: string) => `/MetadataFieldDocument/${part}`;
  const type = document.type ?? before?.type;
  if (type === undefined) throw badValue(at('type'), `a type for the new field "${name.slice(0, 80)}"`);
  const stored = before?.rest ?? {};
  const restriction = restrictionFrom(document, type, stored.restriction);
  const defaultValue = document.defaultValue ?? stored.defaultValue;
  const rest: FieldRest = {
    schema: mergeSchema(document.schema, stored.schema, at('schema')),
    index: document.index === undefined ? stored.index : document.index === 'index' ? undefined : document.index,
    fullText: document.fullText ?? stored.fullText,
    boost: boostFrom(document.boost) ?? stored.boost,
    restriction,
    defaultValue: defaultValue && checkValue({ name, type, restriction }, defaultValue, at('defaultValue')),
    constraint: document.constraint ?? stored.constraint,
    caseSensitiveSorting: document.caseSensitiveSorting ?? stored.caseSensitiveSorting,
    sortable: document.sortable ?? stored.sortable,
    inheritance: inheritanceFrom(document.inheritance, at('inheritance')) ?? stored.inheritance,
    inheritanceRule: document.inheritanceRule ?? stored.inheritanceRule,
  };
  return { type, rest };
}

/** Boolean that clients send as text. */
export function inheritanceFrom(text: string | undefined, place: string): string | undefined {
  if (text === undefined) return undefined;
  const value = booleanWords.get(text.trim().toLowerCase());
  if (value === undefined) throw badValue(place, 'true or false', text);
  return String(value);
}

export function mergeSchema(wanted: Schema | undefined, before: Schema | undefined, place: string): Schema | undefined {
  if (wanted === undefined) return before;
  const { reference, min, max, name } = wanted;
  const named = Object.entries({ reference, min, max, name }).filter(([, value]) => value !== undefined);
  const schema: Schema = { ...before, ...Object.fromEntries(named) };
  const [least, greatest] = [schema.min ?? 0, schema.max ?? -1];
  if (least < 0) throw badValue(`${place}/min`, 'a whole number of at least 0', String(least));
  if (greatest < -1) throw badValue(`${place}/max`, 'a whole number of at least 0, or -1', String(greatest));
  if (greatest !== -1 && greatest < least)
    throw badValue(`${place}/max`, `at least ${least}, which is "min"`, String(greatest));
  return schema;
}

function boostFrom(boost: number | undefined): number | undefined {
  if (boost === undefined || boost >= 0) return boost;
  throw badValue('/MetadataFieldDocument/boost', 'a number of at least 0', String(boost));
}

/** Refuses restrictions of another type, unless they are empty: forms send empty ones. */
function restrictionFrom(
  document: MetadataField,
  type: FieldType,
  before: Restriction | undefined,
): Restriction | undefined {
  const wanted = restrictionKind(type);
  const { stringRestriction, integerRestriction, longRestriction, floatRestriction } = document;
  const restrictions = {
    string: stringRestriction,
    integer: integerRestriction,
    long: longRestriction,
    float: floatRestriction,
  } as const;
  for (const [kind, limits] of Object.entries(restrictions)) {
    if (kind === wanted || limits === undefined || Object.values(limits).every((each) => each === undefined)) continue;
    throw badValue(`/MetadataFieldDocument/${kind}Restriction`, `no such restriction of a field of type ${type}`);
  }
  const limits = wanted && restrictions[wanted];
  if (limits === undefined) return before && widened(before, wanted);
  const restriction = { of: wanted, ...limits } as Restriction;
  checkRestriction(restriction, `/MetadataFieldDocument/${wanted}Restriction`);
  return restriction;
}

/** Restrictions of integers also apply to wider number types. Others are dropped with their type. */
function widened(before: Restriction, wanted: Restriction['of'] | undefined): Restriction | undefined {
  if (before.of === wanted) return before;
  if (before.of === 'integer' && (wanted === 'long' || wanted === 'float')) return { ...before, of: wanted };
  return before.of === 'long' && wanted === 'float' ? { ...before, of: wanted } : undefined;
}

function checkRestriction(restriction: Restriction, place: string): void {
  if (restriction.of !== 'string') {
    checkOrder(restriction.minInclusive, restriction.maxInclusive, `${place}/maxInclusive`);
    return;
  }
  const { minLength, maxLength, pattern } = restriction;
  if (minLength !== undefined && minLength < 0) {
    throw badValue(`${place}/minLength`, 'a whole number of at least 0', String(minLength));
  }
  if (maxLength !== undefined && maxLength < 0) {
    throw badValue(`${place}/maxLength`, 'a whole number of at least 0', String(maxLength));
  }
  checkOrder(minLength, maxLength, `${place}/maxLength`);
  if (pattern !== undefined) compilePattern(pattern, `${place}/pattern`);
}

function checkOrder(least: number | undefined, max: number | undefined, place: string): void {
  if (least === undefined || max === undefined || least <= max) return;
  throw badValue(place, `at least ${least}, the other limit`, String(max));
}
