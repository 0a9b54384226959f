import type { FacetRequestType, FacetType, MetadataFieldType } from 'portico/types';

/** How a field is narrowed: by its values, or by bounds. */
type FacetKind = 'values' | 'number' | 'date';

export interface Facet {
  readonly field: string;
  readonly label: string;
  readonly kind: FacetKind;
}

/** A field that a person may see as a column, sort by, or narrow by. */
export interface FieldInfo {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly order: number;
  readonly isFacet: boolean;
  /** Only the service writes it: most of these say nothing to a person. */
  readonly isSystem: boolean;
}

/** Values that are shown before "more". */
export const shownValues = 8;
/** Values that are asked for. */
const askedValues = 50;

function dataOf(field: MetadataFieldType, key: string): string | undefined {
  return field.data?.find((pair) => pair.key === key)?.value;
}

/** The fields that pages show, in the order of `ui_order`. Labels are data of the definition: label_en, label_sv. */
export function fieldInfos(fields: readonly MetadataFieldType[], language: string): readonly FieldInfo[] {
  return fields
    .filter(
      (field) =>
        field.name && !/^(?:__|representativeThumbnail)/.test(field.name) && dataOf(field, 'ui_hidden') !== 'true',
    )
    .map((field) => ({
      name: field.name ?? '',
      label: dataOf(field, `label_${language}`) ?? dataOf(field, 'label_en') ?? field.name ?? '',
      type: field.type ?? 'string',
      order: Number(dataOf(field, 'ui_order') ?? 1e6),
      isFacet: dataOf(field, 'facet') === 'true',
      isSystem: field.system === 'true',
    }))
    .sort((a, b) => a.order - b.order || a.label.localeCompare(b.label, language));
}

export function kindOf(type: string): FacetKind {
  if (type.startsWith('date')) return 'date';
  return /^(integer|long|float)/.test(type) ? 'number' : 'values';
}

/** Fields of the service that every search can be ordered by. */
const sortableOwn = new Set(['title', 'created', 'durationSeconds', 'mediaType', 'originalFilename']);

export function isSortable({ type, name }: FieldInfo): boolean {
  return type.endsWith('-sortable') || sortableOwn.has(name);
}

/** A field of many words has too many values to choose from. */
export function facetsOf(fields: readonly FieldInfo[], own: readonly Facet[]): readonly Facet[] {
  const configured = fields
    .filter((field) => field.isFacet && !field.type.endsWith('-noindex'))
    .map(({ name, label, type }) => ({ field: name, label, kind: kindOf(type) }));
  return [...configured, ...own.filter(({ field }) => !configured.some((each) => each.field === field))];
}

/** A facet ignores its own filter, so that further values can be chosen. */
export function facetRequest({ field, kind }: Facet): FacetRequestType[] {
  return kind === 'values' ? [{ field, name: field, exclude: [field], maxResults: askedValues, minCount: 1 }] : [];
}

interface FacetValue {
  readonly value: string;
  /** `undefined`: chosen, but the answer has no count of it. */
  readonly count: number | undefined;
  readonly chosen: boolean;
}

/** The values of a facet with their counts. A chosen value stays in the list, even if nothing has it any more. */
export function facetValues(answer: FacetType | undefined, picks: readonly string[]): readonly FacetValue[] {
  const counted = (answer?.count ?? []).map(({ fieldValue = '', count, value }) => ({
    value: fieldValue,
    count: count ?? value,
    chosen: picks.includes(fieldValue),
  }));
  const lost = picks.filter((pick) => !counted.some(({ value }) => value === pick));
  return [...lost.map((value) => ({ value, count: answer ? 0 : undefined, chosen: true })), ...counted];
}
