import { instantOf } from '../../../core/lib/time-code.ts';
import type { MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import { emptyPlace, fieldKey, type GroupPath, spanKey } from './state.ts';
import type { MoveWish } from './wish.ts';

/** Moves a first-level field or group to another timespan. False: not moved. */
export function applyMove(merging: MetadataMerge, wish: MoveWish): boolean {
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
