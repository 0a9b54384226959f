import type { ChangeSet } from './replay.ts';
import {
  type Change,
  emptyState,
  type GroupPath,
  type Instance,
  type MetadataState,
  type StoredField,
  type StoredGroup,
  type StoredValue,
  spanKeyOf,
} from './state.ts';
import { sizeOfSpan } from './stored.ts';
import type { FieldWish, GroupWish, MoveWish, SpanWish, ValueWish } from './wish.ts';

/** Converts a change set to a state, for showing it in the same format. Steps of `runInSlices`. */
export function* stateOfChangeSet({ change, wish }: ChangeSet): Generator<number, MetadataState> {
  const state = {
    ...emptyState(),
    main: wish.main && { names: wish.main, changed: change },
    template: wish.template === undefined ? undefined : { text: wish.template, changed: change },
  };
  for (const span of wish.spans) {
    add(state, span, placeFrom(change, span));
    yield sizeOfSpan * (1 + span.fields.length + span.groups.length);
  }
  for (const move of wish.moves ?? []) add(state, move, emptied());
  return state;
}

const emptied = (): GroupPath => ({ fields: new Map(), groups: [] });

function add(state: MetadataState, { start, end }: SpanWish | MoveWish, place: GroupPath): void {
  const key = spanKeyOf({ start, end });
  const span = state.spans.get(key);
  if (span === undefined) state.spans.set(key, { start, end, place });
  else {
    for (const [name, field] of place.fields) span.place.fields.set(`${span.place.fields.size} ${name}`, field);
    span.place.groups.push(...place.groups);
  }
}

/** Keys are ordinals, since a document may name a field twice. */
const placeFrom = (change: Change, { fields, groups }: Pick<GroupWish, 'fields' | 'groups'>): GroupPath => ({
  fields: new Map(fields.map((field) => [String(field.n), fieldFrom(change, field)])),
  groups: groups.map((group) => groupFrom(change, group)),
});

const fieldFrom = (change: Change, field: FieldWish): StoredField => ({
  name: field.name ?? '',
  track: field.track,
  reference: field.reference,
  values: field.values.map((value) => valueFrom(change, value)),
  ...marks(change, field),
});

const valueFrom = (change: Change, value: ValueWish): StoredValue => ({
  text: value.text,
  language: value.language,
  ...marks(change, value),
});

const groupFrom = (change: Change, group: GroupWish): StoredGroup => ({
  name: group.name ?? '',
  reference: group.reference,
  place: placeFrom(change, group),
  ...marks(change, group),
});

/** Uuid of the existing instance, or of the new one. */
function marks(changed: Change, { n, at, mode }: FieldWish | GroupWish | ValueWish): Instance {
  const [id, ordinal] = at?.split(' ') ?? [];
  const creation = id === undefined ? changed : { ...changed, id };
  return { made: creation, ordinal: ordinal === undefined ? n : Number(ordinal), changed, mode };
}
