import type { Addresses } from './addresses.ts';
import { sizeOfSpan } from './stored.ts';
import type { FieldWish, GroupWish, SpanWish, Wish } from './wish.ts';

/** Names and references in a wish. */
interface NamedEntry {
  readonly fields: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
}

/** Names of all fields and groups in a wish. Names of elements with only a uuid are looked up in the state. */
export function namedIn(wish: Wish, addresses: Addresses): NamedEntry {
  const fields = new Set<string>();
  const groups = new Set<string>(wish.main);
  const references = new Set<string>();
  const add = (names: Set<string>, name: string | undefined) => name !== undefined && names.add(name);
  for (const field of allFields(wish)) {
    add(fields, field.name ?? nameOf(field, addresses));
    add(references, field.reference);
  }
  for (const group of allGroups(wish)) {
    // Removing a group needs no definition.
    if (group.mode !== 'remove') add(groups, group.name ?? addresses.groupWith(group.uuid!)?.group.name);
    add(references, group.reference);
  }
  return { fields, groups, references };
}

export function nameOf({ name, uuid, values }: FieldWish, addresses: Addresses): string | undefined {
  if (name !== undefined) return name;
  const valueUuid = values.find((value) => value.uuid !== undefined)?.uuid;
  return (uuid === undefined ? addresses.valueWith(valueUuid!) : addresses.fieldWith(uuid))?.field.name;
}

function* allFields({ spans }: Wish): Generator<FieldWish> {
  for (const span of spans) yield* span.fields;
  for (const group of allGroups({ spans })) yield* group.fields;
}

function* allGroups({ spans }: Pick<Wish, 'spans'>): Generator<GroupWish> {
  const waiting = spans.flatMap(({ groups }) => groups);
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    yield group;
    waiting.push(...group.groups);
  }
}

/** Maps the values of a wish: `change` receives the field and each text. Steps of `runInSlices`. */
export function* withValues(wish: Wish, change: (field: FieldWish, text: string) => string): Generator<number, Wish> {
  const field = (each: FieldWish): FieldWish => ({
    ...each,
    values: each.values.map((value) => ({ ...value, text: change(each, value.text) })),
  });
  const group = (each: GroupWish): GroupWish => ({
    ...each,
    fields: each.fields.map(field),
    groups: each.groups.map(group),
  });
  const spans: SpanWish[] = [];
  for (const span of wish.spans) {
    spans.push({ ...span, fields: span.fields.map(field), groups: span.groups.map(group) });
    yield sizeOfSpan * (1 + span.fields.length + span.groups.length);
  }
  return { ...wish, spans };
}
