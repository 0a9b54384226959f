import { instantOf } from '../../../core/lib/time-code.ts';
import { type AppliedField, changed, idle } from './fields.ts';
import { applyPlace } from './groups.ts';
import { type MergeOptions, MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import { reshape } from './reshape.ts';
import {
  copyState,
  emptyPlace,
  fieldKey,
  type GroupPath,
  isEmpty,
  type MetadataState,
  type Span,
  spanKey,
} from './state.ts';
import { sizeOfSpan } from './stored.ts';
import { asksNothing, type MoveWish, type SpanWish, type Wish } from './wish.ts';

/** Moves a first-level field or group to another timespan. False: not moved. */
function applyMove(merging: MetadataMerge, wish: MoveWish): boolean {
  const { uuid } = wish;
  const match = merging.addresses.fieldWith(uuid) ?? merging.addresses.groupWith(uuid);
  if (match === undefined) {
    if (!merging.strict) return false;
    throw merging.addresses.valueWith(uuid) ? notMovable(uuid) : noSuchMetadataEntry(uuid);
  }
  const { state, strict, change } = merging;
  if (state.spans.get(match.spanKey)?.place !== match.place) {
    if (strict) throw notMovable(uuid);
    return false;
  }
  if ('field' in match && merging.isKept(match.field.name)) {
    if (strict) throw badMetadata(match.field.name, 'a field that callers may change', match.field.name);
    return false;
  }
  merging.meet('field' in match ? match.field : match.group);
  const key = spanKey(instantOf(wish.start)!, instantOf(wish.end)!);
  if (key === match.spanKey) return false;
  const to = state.spans.get(key) ?? { start: wish.start, end: wish.end, place: emptyPlace() };
  if ('group' in match) {
    match.place.groups = match.place.groups.filter((each) => each !== match.group);
    to.place.groups = [...to.place.groups, { ...match.group, changed: change }];
  } else {
    if (isTaken(to.place, match.fieldKey)) {
      if (strict) throw badMetadata(match.field.name, 'a timespan without this field', match.field.name);
      return false;
    }
    match.place.fields.delete(match.fieldKey);
    to.place.fields.set(fieldKey(match.field.name, match.field.track), { ...match.field, changed: change });
  }
  state.spans.set(key, to);
  return true;
}

const isTaken = ({ fields }: GroupPath, key: string): boolean => fields.has(key);

const notMovable = (uuid: string) => badMetadata(uuid, 'the uuid of a field or group of the first level', uuid);

export interface Merged {
  readonly state: MetadataState;
  /** The wish with uuids of matching instances, as the log stores it. */
  readonly wish: Wish;
  /** The wish without fields and groups that changed nothing. */
  readonly trimmed: Wish;
  readonly changed: boolean;
  /** Keys of all instances that the wish addresses. */
  readonly touched: ReadonlySet<string>;
}

/** Merges a change set into a copy of the state. Steps of `runInSlices`. */
export function* merge(state: MetadataState, wish: Wish, options: MergeOptions): Generator<number, Merged> {
  const copy = copyState(state);
  if (copy.spans.size > 1) yield copy.spans.size * sizeOfSpan;
  return yield* mergeInto(copy, wish, options);
}

/** Merges a change set into the given state, in place. Steps of `runInSlices`. */
export function* mergeInto(given: MetadataState, wish: Wish, options: MergeOptions): Generator<number, Merged> {
  const merging = new MetadataMerge(given, options, wish.revision);
  const main = mainAfter(merging, wish);
  const template = templateAfter(merging, wish);
  const spans: ReturnType<typeof applySpan>[] = [];
  for (const span of wish.spans) {
    spans.push(applySpan(merging, span));
    yield sizeOfSpan * (1 + span.fields.length + span.groups.length);
  }
  const moves = (wish.moves ?? []).filter((move) => applyMove(merging, move));
  // Timespans outside the wish can change only by uuid.
  for (const key of merging.addresses.isUsed ? given.spans.keys() : wish.spans.map(keyOfWish)) {
    const span = given.spans.get(key);
    if (span && isEmpty(span.place)) given.spans.delete(key);
  }
  const isMainChanged = main !== given.main;
  const reshaped = wish.reshape && reshape(merging, { main, template, spans: given.spans }, wish.reshape);
  const trimmed: Wish = {
    spans: spans.flatMap(({ trimmed: span }) => span ?? []),
    ...(wish.system && { system: true as const }),
    ...(isMainChanged && { main: wish.main }),
    ...(template !== given.template && { template: wish.template }),
    ...(wish.revision && { revision: wish.revision }),
    ...(moves.length > 0 && { moves }),
    ...(reshaped && { reshape: wish.reshape }),
  };
  return {
    state: reshaped ?? { main, template, spans: given.spans },
    wish: { ...wish, spans: spans.map((span) => span.wish) },
    trimmed,
    changed: !asksNothing(trimmed),
    touched: merging.touched,
  };
}

function mainAfter({ state, change }: MetadataMerge, { main: names }: Wish): MetadataState['main'] {
  const { main } = state;
  if (names === undefined || (names.length === 0 && main === undefined)) return main;
  const isSame = main?.names.length === names.length && names.every((name, index) => name === main.names[index]);
  if (isSame) return main;
  return names.length === 0 ? undefined : { names, changed: change };
}

function templateAfter({ state, change }: MetadataMerge, { template: text }: Wish): MetadataState['template'] {
  const { template } = state;
  if (text === undefined || text === (template?.text ?? '')) return template;
  return text === '' ? undefined : { text, changed: change };
}

const keyOfWish = ({ start, end }: SpanWish): string => spanKey(instantOf(start)!, instantOf(end)!);

function applySpan(merging: MetadataMerge, wish: SpanWish): AppliedField<SpanWish> {
  const { spans } = merging.state;
  const key = keyOfWish(wish);
  const spanBefore = spans.get(key);
  if (wish.clear) return spanBefore === undefined ? idle(wish) : changed(wish, clear(merging, spanBefore));
  const span = spanBefore ?? { start: wish.start, end: wish.end, place: emptyPlace() };
  spans.set(key, span);
  const applied = applyPlace(merging, { place: span.place, spanKey: key }, wish);
  return { wish: { ...wish, ...applied.wish }, trimmed: applied.trimmed && { ...wish, ...applied.trimmed } };
}

/** Removes everything that the change set may change. */
function clear(merging: MetadataMerge, { place }: Span): boolean {
  const size = sizeOf(place);
  for (const [key, field] of place.fields) {
    if (merging.isKept(field.name) || merging.protects(field.values)) continue;
    merging.meet(field);
    place.fields.delete(key);
  }
  for (const group of place.groups) merging.meet(group);
  place.groups = [];
  return sizeOf(place) < size;
}

const sizeOf = ({ fields, groups }: GroupPath): number => fields.size + groups.length;
