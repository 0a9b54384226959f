import type { MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import { fieldKey, type GroupPath, type StoredField, type StoredValue } from './state.ts';
import { nextValues } from './values.ts';
import type { FieldWish } from './wish.ts';

/** Result of applying a part of a wish. */
export interface AppliedField<W> {
  readonly wish: W;
  /** Parts of the wish that changed the state. */
  readonly trimmed: W | undefined;
}

/** Default location of elements without a uuid. */
export interface Spot {
  readonly place: GroupPath;
  readonly spanKey: string;
}

interface Target {
  readonly place: GroupPath;
  readonly key: string;
  readonly field: StoredField | undefined;
}

export const idle = <W>(wish: W): AppliedField<W> => ({ wish, trimmed: undefined });
export const changed = <W>(wish: W, isChanged = true): AppliedField<W> => ({
  wish,
  trimmed: isChanged ? wish : undefined,
});

export function applyField(merging: MetadataMerge, spot: Spot, wish: FieldWish): AppliedField<FieldWish> {
  const target = targetOf(merging, spot, wish);
  if (target === undefined) return idle(wish);
  const { place, key, field } = target;
  if (merging.isKept(field?.name ?? wish.name ?? '')) return idle(wish);
  const at = (field && merging.meet(field)) ?? wish.at;
  const met = { ...wish, name: field?.name ?? wish.name, at };
  const isGiven = wish.values.length > 0 || wish.reference !== undefined;
  if (wish.mode === 'remove' || (wish.mode === undefined && !isGiven)) return removed(merging, target, met);
  if (!isGiven) return idle(met);

  const before = field?.reference === undefined ? (field?.values ?? []) : [];
  const { values, wishes } = wish.reference === undefined ? nextValues(merging, before, wish) : nothing;
  const next = { ...met, values: wishes };
  if (field !== undefined && field.reference === wish.reference && isSame(values, field.values)) return idle(next);
  if (values.length === 0 && wish.reference === undefined) {
    return changed(next, field !== undefined && place.fields.delete(key));
  }
  place.fields.set(key, {
    name: field?.name ?? wish.name!,
    ...trackOf(field ?? wish),
    ...(wish.reference !== undefined && { reference: wish.reference }),
    values,
    ...(field ? { made: field.made, ordinal: field.ordinal, changed: merging.change } : merging.make(wish.n)),
  });
  return changed(next);
}

const nothing = { values: [], wishes: [] };

const trackOf = ({ track }: { readonly track?: string | undefined }) => (track === undefined ? {} : { track });

/** Unchanged values are identical objects. */
const isSame = (a: readonly StoredValue[], b: readonly StoredValue[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

function removed(merging: MetadataMerge, { place, key, field }: Target, wish: FieldWish): AppliedField<FieldWish> {
  if (field === undefined || merging.protects(field.values)) return idle(wish);
  return changed(wish, place.fields.delete(key));
}

/** Undefined: the target is gone, during a replay of the log. */
function targetOf(merging: MetadataMerge, spot: Spot, wish: FieldWish): Target | undefined {
  const valueUuid = wish.values.find(({ uuid }) => uuid !== undefined)?.uuid;
  const uuid = wish.uuid ?? valueUuid;
  if (uuid === undefined) {
    const key = fieldKey(wish.name!, wish.track);
    return { place: spot.place, key, field: spot.place.fields.get(key) };
  }
  const located = wish.uuid === undefined ? merging.addresses.valueWith(uuid) : merging.addresses.fieldWith(uuid);
  if (located === undefined) {
    if (merging.strict) throw noSuchMetadataEntry(uuid);
    return undefined;
  }
  const { place, fieldKey: key, field } = located;
  if (merging.strict) {
    expectSpan(located.spanKey, spot.spanKey, uuid);
    if (wish.name !== undefined && wish.name !== field.name)
      throw badMetadata(uuid, `the field "${field.name}"`, wish.name);
  }
  return { place, key, field };
}

/** Only a move changes the timespan of an instance. */
export function expectSpan(own: string, given: string, uuid: string): void {
  if (own !== given) throw badMetadata(uuid, 'the timespan that the instance has', uuid);
}
