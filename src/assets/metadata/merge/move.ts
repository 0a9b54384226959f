import { instantOf } from '../../../core/lib/time-code.ts';
import type { MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import { emptyPlace, fieldKey, type GroupPath, spanKey } from './state.ts';
import type { MoveWish } from './wish.ts';

/** Moves a first-level field or group to another timespan. False: not moved. */
export function applyMove(merging: MetadataMerge, wish: MoveWish): boolean {
  const { uuid } = wish;
  const found = merging.addresses.fieldWith(uuid) ?? merging.addresses.groupWith(uuid);
  if (found === undefined) {
    if (!merging.strict) return false;
    throw merging.addresses.valueWith(uuid) ? notMovable(uuid) : noSuchMetadataEntry(uuid);
  }
  const { state, strict, change } = merging;
  if (state.spans.get(found.spanKey)?.place !== found.place) {
    if (strict) throw notMovable(uuid);
    return false;
  }
  if ('field' in found && merging.isKept(found.field.name)) {
    if (strict) throw badMetadata(found.field.name, 'a field that callers may change', found.field.name);
    return false;
  }
  merging.meet('field' in found ? found.field : found.group);
  const key = spanKey(instantOf(wish.start)!, instantOf(wish.end)!);
  if (key === found.spanKey) return false;
  const to = state.spans.get(key) ?? { start: wish.start, end: wish.end, place: emptyPlace() };
  if ('group' in found) {
    found.place.groups = found.place.groups.filter((each) => each !== found.group);
    to.place.groups = [...to.place.groups, { ...found.group, changed: change }];
  } else {
    if (isTaken(to.place, found.fieldKey)) {
      if (strict) throw badMetadata(found.field.name, 'a timespan without this field', found.field.name);
      return false;
    }
    found.place.fields.delete(found.fieldKey);
    to.place.fields.set(fieldKey(found.field.name, found.field.track), { ...found.field, changed: change });
  }
  state.spans.set(key, to);
  return true;
}

const isTaken = ({ fields }: GroupPath, key: string): boolean => fields.has(key);

const notMovable = (uuid: string) => badMetadata(uuid, 'the uuid of a field or group of the first level', uuid);
