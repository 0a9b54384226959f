import { existing } from '../../../core/lib/checks.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { isKept } from '../allowed.ts';
import { deletionsIn } from '../deleted-fields.ts';
import type { MetadataDocumentValue, MetadataField, MetadataGroup, MetadataTimespan } from '../documents.ts';
import type { Loaded } from '../load.ts';
import { noSuchChangeSet } from '../merge/refusals.ts';
import { type ChangeSet, replay, statesAround } from '../merge/replay.ts';
import type { FieldRequest, GroupRequest, MoveRequest, SpanRequest, ValueRequest } from '../merge/request.ts';
import {
  type Change,
  type Contents,
  emptyContents,
  emptyState,
  type Instance,
  type MetadataState,
  type StoredField,
  type StoredGroup,
  type StoredValue,
  spanKeyOf,
} from '../merge/state.ts';
import { sizeOfSpan } from '../merge/stored.ts';
import type { MetadataOwner } from '../store.ts';
import { loadLog } from './change.ts';

/**
 * State after the newest of the given change sets. Replaying only the given ones would be wrong: removals need the
 * earlier values.
 */
export async function stateAt(
  reader: Reader,
  owner: MetadataOwner,
  revision: readonly string[],
): Promise<Pick<Loaded, 'state' | 'changedAt'>> {
  const log = await loadLog(reader, owner);
  for (const id of revision) if (!log.some(({ change }) => change.id === id)) throw noSuchChangeSet(id);
  const newest = Math.max(...revision.map(serialOf));
  const sets = log.filter(({ change }) => serialOf(change.id) <= newest);
  const { state } = await replay(sets, isKept, await deletionsIn(reader, log));
  return { state, changedAt: sets.at(-1)?.change.at };
}

/** States after two change sets. Without an older one: the state before the newer one. */
export async function statesOfSets(
  reader: Reader,
  owner: MetadataOwner,
  newer: string,
  older: string | undefined,
): Promise<{ readonly before: MetadataState; readonly after: MetadataState }> {
  const log = await loadLog(reader, owner);
  const deletions = await deletionsIn(reader, log);
  const around = existing(await statesAround(log, newer, isKept, deletions), noSuchChangeSet, newer);
  if (older === undefined) return around;
  const before = existing((await statesAround(log, older, isKept, deletions))?.after, noSuchChangeSet, older);
  return { before, after: around.after };
}

/** Converts a change set to a state, for showing it in the same format. Steps of `runInSlices`. */
export function* stateOfChangeSet({ change, request }: ChangeSet): Generator<number, MetadataState> {
  const state = {
    ...emptyState(),
    main: request.main && { names: request.main, changed: change },
    template: request.template === undefined ? undefined : { text: request.template, changed: change },
  };
  for (const span of request.spans) {
    add(state, span, contentsFrom(change, span));
    yield sizeOfSpan * (1 + span.fields.length + span.groups.length);
  }
  for (const move of request.moves ?? []) add(state, move, emptyContents());
  return state;
}

function add(state: MetadataState, { start, end }: SpanRequest | MoveRequest, contents: Contents): void {
  const key = spanKeyOf({ start, end });
  const span = state.spans.get(key);
  if (span === undefined) state.spans.set(key, { start, end, contents });
  else {
    for (const [name, field] of contents.fields)
      span.contents.fields.set(`${span.contents.fields.size} ${name}`, field);
    span.contents.groups.push(...contents.groups);
  }
}

/** Keys are ordinals, since a document may name a field twice. */
const contentsFrom = (change: Change, { fields, groups }: Pick<GroupRequest, 'fields' | 'groups'>): Contents => ({
  fields: new Map(fields.map((field) => [String(field.n), fieldFrom(change, field)])),
  groups: groups.map((group) => groupFrom(change, group)),
});

const fieldFrom = (change: Change, field: FieldRequest): StoredField => ({
  name: field.name ?? '',
  track: field.track,
  reference: field.reference,
  values: field.values.map((value) => valueFrom(change, value)),
  ...marks(change, field),
});

const valueFrom = (change: Change, value: ValueRequest): StoredValue => ({
  text: value.text,
  language: value.language,
  ...marks(change, value),
});

const groupFrom = (change: Change, group: GroupRequest): StoredGroup => ({
  name: group.name ?? '',
  reference: group.reference,
  contents: contentsFrom(change, group),
  ...marks(change, group),
});

/** Uuid of the existing instance, or of the new one. */
function marks(changed: Change, { n, at, mode }: FieldRequest | GroupRequest | ValueRequest): Instance {
  const [id, ordinal] = at?.split(' ') ?? [];
  const creation = id === undefined ? changed : { ...changed, id };
  return { made: creation, ordinal: ordinal === undefined ? n : Number(ordinal), changed, mode };
}

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
