import type { Addresses } from './addresses.ts';
import type { FieldRequest, GroupRequest, MetadataRequest, SpanRequest } from './request.ts';
import { sizeOfSpan } from './stored.ts';

/** Names and references in a request. */
interface NamedEntry {
  readonly fields: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
}

/** Names of all fields and groups in a request. Names of elements with only a uuid are looked up in the state. */
export function namedIn(request: MetadataRequest, addresses: Addresses): NamedEntry {
  const fields = new Set<string>();
  const groups = new Set<string>(request.main);
  const references = new Set<string>();
  const add = (names: Set<string>, name: string | undefined) => name !== undefined && names.add(name);
  for (const field of allFields(request)) {
    add(fields, field.name ?? nameOf(field, addresses));
    add(references, field.reference);
  }
  for (const group of allGroups(request)) {
    // Removing a group needs no definition.
    if (group.mode !== 'remove') add(groups, group.name ?? addresses.groupWith(group.uuid!)?.group.name);
    add(references, group.reference);
  }
  return { fields, groups, references };
}

export function nameOf({ name, uuid, values }: FieldRequest, addresses: Addresses): string | undefined {
  if (name !== undefined) return name;
  const valueUuid = values.find((value) => value.uuid !== undefined)?.uuid;
  return (uuid === undefined ? addresses.valueWith(valueUuid!) : addresses.fieldWith(uuid))?.field.name;
}

function* allFields({ spans }: MetadataRequest): Generator<FieldRequest> {
  for (const span of spans) yield* span.fields;
  for (const group of allGroups({ spans })) yield* group.fields;
}

function* allGroups({ spans }: Pick<MetadataRequest, 'spans'>): Generator<GroupRequest> {
  const waiting = spans.flatMap(({ groups }) => groups);
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    yield group;
    waiting.push(...group.groups);
  }
}

/** Maps the values of a request: `change` receives the field and each text. Steps of `runInSlices`. */
export function* withValues(
  request: MetadataRequest,
  change: (field: FieldRequest, text: string) => string,
): Generator<number, MetadataRequest> {
  const field = (each: FieldRequest): FieldRequest => ({
    ...each,
    values: each.values.map((value) => ({ ...value, text: change(each, value.text) })),
  });
  const group = (each: GroupRequest): GroupRequest => ({
    ...each,
    fields: each.fields.map(field),
    groups: each.groups.map(group),
  });
  const spans: SpanRequest[] = [];
  for (const span of request.spans) {
    spans.push({ ...span, fields: span.fields.map(field), groups: span.groups.map(group) });
    yield sizeOfSpan * (1 + span.fields.length + span.groups.length);
  }
  return { ...request, spans };
}
