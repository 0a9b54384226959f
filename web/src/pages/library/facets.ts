import type { FacetRequestType, FacetType, MetadataFieldType } from 'portico/types';
import { me } from '../../api/session.ts';

/** State of the latest version under review, and of the rights of use. No metadata field that a person sees has such a name. */
export const approvalField = '__approval';
export const usageField = '__usage';
/** Whether the page itself counts the values of a facet. */
export const isOfPage = (field: string): boolean => field.startsWith('__');

/** How a field is narrowed: by its values, or by bounds. */
type FacetKind = 'values' | 'number' | 'date';

export interface Facet {
  readonly field: string;
  readonly label: string;
  readonly kind: FacetKind;
  readonly isStars?: boolean;
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
  /** Whether its values are stars: whole numbers from 1 to 10 at most. */
  readonly isStars: boolean;
}

/** Values that are shown before "more". */
export const shownValues = 8;
/** Values that are asked for. */
const askedValues = 50;

function dataOf(field: MetadataFieldType, key: string): string | undefined {
  return field.data?.find((pair) => pair.key === key)?.value;
}

function hasStars({ type, integerRestriction: { minInclusive, maxInclusive = 0 } = {} }: MetadataFieldType): boolean {
  return /^integer/.test(type ?? '') && minInclusive === 1 && maxInclusive > 1 && maxInclusive <= 10;
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
      isStars: hasStars(field),
    }))
    .sort((a, b) => a.order - b.order || a.label.localeCompare(b.label, language));
}

export function kindOf(type: string): FacetKind {
  if (type.startsWith('date')) return 'date';
  return /^(integer|long|float)/.test(type) ? 'number' : 'values';
}

/** Fields of the service that searches are ordered by, and those that the name stands for where it is one of them. */
const sortableOwn = new Set(['created', 'durationSeconds', 'mediaType']);
const naming = new Set(['title', 'originalFilename']);

export function isSortable({ type, name }: FieldInfo): boolean {
  const sortsNames = me.value?.sortsNames === true;
  return type.endsWith('-sortable') || sortableOwn.has(name) || (sortsNames ? name === '__name' : naming.has(name));
}

/** A field of many words has too many values to choose from. */
export function facetsOf(fields: readonly FieldInfo[], own: readonly Facet[]): readonly Facet[] {
  const configured = fields
    .filter((field) => field.isFacet && !field.type.endsWith('-noindex'))
    .map(({ name, label, type, isStars }) => ({
      ...{ field: name, label, ...(isStars && { isStars }) },
      kind: isStars ? ('values' as const) : kindOf(type),
    }));
  return [...configured, ...own.filter(({ field }) => !configured.some((each) => each.field === field))];
}

/** A facet ignores its own filter, so that further values can be chosen. */
export function facetRequest({ field, kind }: Facet): FacetRequestType[] {
  return kind === 'values' && !isOfPage(field)
    ? [{ field, name: field, exclude: [field], maxResults: askedValues, minCount: 1 }]
    : [];
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
