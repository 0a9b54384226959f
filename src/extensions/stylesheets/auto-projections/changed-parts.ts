import type {
  MetadataDocumentValue,
  MetadataField,
  MetadataGroup,
  MetadataTimespan,
} from '../../../assets/metadata/public-reading.ts';

/**
 * Difference between two documents: the parts that are new or changed in the second. Only the difference is written, so
 * a slow rule reverts nothing that others changed meanwhile. Missing parts are left alone, as in any metadata document.
 */
export function changedParts(
  before: MetadataDocumentValue,
  after: MetadataDocumentValue,
): MetadataDocumentValue | undefined {
  const spans = new Map((before.timespan ?? []).map((span) => [spanName(span), span]));
  const timespan = (after.timespan ?? []).flatMap((span): MetadataTimespan[] => {
    const content = changedContent(spans.get(spanName(span)) ?? {}, span);
    // Empty timespans would clear existing metadata.
    return content === undefined ? [] : [{ start: span.start, end: span.end, ...content }];
  });
  const group = after.group !== undefined && !isSame(before.group, after.group) ? after.group : undefined;
  if (timespan.length === 0 && group === undefined) return undefined;
  return { ...(group && { group }), timespan };
}

const spanName = ({ start = '-INF', end = '+INF' }: MetadataTimespan): string => `${start} ${end}`;
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type Content = Pick<MetadataGroup, 'field' | 'group'>;

function changedContent(before: Content, after: Content): Content | undefined {
  const fields = new Set((before.field ?? []).map((each) => JSON.stringify(each)));
  const groups = new Map((before.group ?? []).flatMap((each) => (each.uuid ? [[each.uuid, each] as const] : [])));
  const field = (after.field ?? []).filter((each: MetadataField) => !fields.has(JSON.stringify(each)));
  const group = (after.group ?? []).flatMap((each) => changedGroup(groups.get(each.uuid ?? ''), each));
  return field.length + group.length === 0 ? undefined : { field, group };
}

function changedGroup(before: MetadataGroup | undefined, after: MetadataGroup): readonly MetadataGroup[] {
  if (before === undefined) return [after];
  const { field: _fields, group: _groups, ...own } = after;
  const { field: _oldFields, group: _oldGroups, ...oldOwn } = before;
  const content = changedContent(before, after);
  if (content === undefined && isSame(oldOwn, own)) return [];
  return [{ ...own, ...content }];
}
