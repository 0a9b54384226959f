import type { MetadataDocumentValue, MetadataField, MetadataGroup, MetadataTimespan } from '../documents/metadata.ts';
import { sizeOfSpan } from '../merge/stored.ts';

type Mode = 'add' | 'remove';

/**
 * Difference between two documents: each part with the mode by which it was added or removed. Steps of `runInSlices`.
 */
export function* compareDocuments(
  before: MetadataDocumentValue,
  after: MetadataDocumentValue,
  valuesByUuid: boolean,
): Generator<number, MetadataDocumentValue> {
  const nameOf = ({ start, end }: MetadataTimespan) => `${start} ${end}`;
  const timespan: MetadataTimespan[] = [];
  for (const [old, now] of pairs(before.timespan, after.timespan, nameOf)) {
    const content = comparePlaces(old ?? {}, now ?? {}, valuesByUuid);
    const { start, end } = (now ?? old)!;
    const { length } = content.field;
    if (length + content.group.length > 0) timespan.push({ ...content, start, end });
    yield sizeOfSpan * (1 + length + content.group.length);
  }
  return { ...(after.revision !== undefined && { revision: after.revision }), timespan };
}

type GroupContent = Pick<MetadataGroup, 'field' | 'group'>;

function comparePlaces(before: GroupContent, after: GroupContent, valuesByUuid: boolean) {
  const uuidOf = ({ uuid, name }: { readonly uuid?: string | undefined; readonly name?: string | undefined }) =>
    uuid ?? `name ${name}`;
  const field = pairs(before.field, after.field, uuidOf).flatMap(([old, now]): MetadataField[] => {
    if (!old || !now || old.name !== now.name) return cameOrWent(old, now);
    const value = compareValues(old.value ?? [], now.value ?? [], valuesByUuid);
    return value.length === 0 ? [] : [{ ...now, value }];
  });
  const group = pairs(before.group, after.group, uuidOf).flatMap(([old, now]): MetadataGroup[] => {
    if (!old || !now || old.name !== now.name) return cameOrWent(old, now);
    const content = comparePlaces(old, now, valuesByUuid);
    return content.field.length + content.group.length === 0 ? [] : [{ ...now, ...content }];
  });
  return { field, group };
}

/** Either or both: a renamed entry counts as removed and added. */
const cameOrWent = <T extends MetadataField | MetadataGroup>(old: T | undefined, now: T | undefined): T[] => [
  ...(old ? [{ ...old, mode: 'remove' as const }] : []),
  ...(now ? [{ ...now, mode: 'add' as const }] : []),
];

type Values = NonNullable<MetadataField['value']>;

function compareValues(before: Values, after: Values, valuesByUuid: boolean): Values {
  const keyOf = ({ uuid, value, lang }: Values[number]) =>
    JSON.stringify(valuesByUuid ? [uuid, value, lang] : [value, lang]);
  const marked = (values: Values, others: Values, mode: Mode) => {
    const keys = new Set(others.map(keyOf));
    return values.filter((value) => !keys.has(keyOf(value))).map((value) => ({ ...value, mode }));
  };
  return [...marked(before, after, 'remove'), ...marked(after, before, 'add')];
}

/** Pairs entries by name: first those of the newer list in its order, then removed ones. */
function pairs<T>(
  before: readonly T[] = [],
  after: readonly T[] = [],
  keyOf: (entry: T) => string,
): readonly (readonly [old: T | undefined, now: T | undefined])[] {
  const [old, now] = [before, after].map((list) => new Map(list.map((entry) => [keyOf(entry), entry])));
  const gone = before.filter((entry) => !now!.has(keyOf(entry)));
  return [
    ...after.map((entry) => [old!.get(keyOf(entry)), entry] as const),
    ...gone.map((entry) => [entry, undefined] as const),
  ];
}
