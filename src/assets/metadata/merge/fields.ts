import { groupBy } from '../../../core/lib/group-by.ts';
import type { MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import { fieldKey, type GroupPath, type StoredField, type StoredValue, uuidOfInstance } from './state.ts';
import type { FieldWish, ValueWish } from './wish.ts';

/** Values by language; undefined counts as a language. */
type Lists = Map<string | undefined, StoredValue[]>;

interface NextValues {
  readonly values: readonly StoredValue[];
  /** Values of the wish, each with the instance that it matched. */
  readonly wishes: readonly ValueWish[];
}

/** Whether the wish edits single values. Otherwise it replaces all values of its languages. */
const edits = ({ mode, values }: FieldWish): boolean =>
  mode === 'add' || values.some((value) => value.mode !== undefined || value.uuid !== undefined);

/** Values of a field after a change set. */
function nextValues(merging: MetadataMerge, stored: readonly StoredValue[], wish: FieldWish): NextValues {
  const lists: Lists = groupBy(stored, ({ language }) => language);
  const met = new Map<ValueWish, string>();
  if (edits(wish)) for (const value of wish.values) edit(merging, lists, value, met);
  else
    for (const [language, values] of groupBy(wish.values, (value) => value.language)) {
      lists.set(language, replaced(merging, lists.get(language) ?? [], values, met));
    }
  return {
    values: [...lists.values()].flat(),
    wishes: wish.values.map((value) => (met.has(value) ? { ...value, at: met.get(value) } : value)),
  };
}

/** Replaces the values of one language. Values with equal text keep their instance. */
function replaced(
  merging: MetadataMerge,
  before: readonly StoredValue[],
  given: readonly ValueWish[],
  met: Map<ValueWish, string>,
): StoredValue[] {
  const isEqual = before.length === given.length && before.every(({ text }, index) => text === given[index]!.text);
  if (!isEqual && merging.protects(before)) {
    const texts = new Set(before.map(({ text }) => text));
    return besides(
      before,
      given.filter(({ text }) => !texts.has(text)).map((value) => make(merging, value)),
    );
  }
  const left = groupBy(before, ({ text }) => text);
  return given.map((value) => {
    const old = left.get(value.text)?.shift();
    if (old === undefined) return make(merging, value);
    meet(merging, old, value, met);
    return old.conflict ? settled(old) : old;
  });
}

function edit(merging: MetadataMerge, lists: Lists, wish: ValueWish, met: Map<ValueWish, string>): void {
  if (wish.uuid !== undefined) editOne(merging, lists, wish, met);
  else if (wish.mode === 'remove') removeEqual(merging, lists, wish);
  else lists.set(wish.language, [...(lists.get(wish.language) ?? []), make(merging, wish)]);
}

function removeEqual(merging: MetadataMerge, lists: Lists, wish: ValueWish): void {
  for (const [language, values] of lists) {
    const concerned = wish.language === undefined || wish.language === language;
    if (!concerned || merging.protects(values)) continue;
    lists.set(
      language,
      values.filter(({ text }) => text !== wish.text),
    );
  }
}

/** Changes or removes the value with the given uuid. */
function editOne(merging: MetadataMerge, lists: Lists, wish: ValueWish, met: Map<ValueWish, string>): void {
  for (const [language, values] of lists) {
    const index = values.findIndex((value) => uuidOfInstance(value) === wish.uuid);
    if (index < 0) continue;
    const old = values[index]!;
    meet(merging, old, wish, met);
    const to = wish.language ?? language;
    if (wish.mode !== 'remove' && old.text === wish.text && to === language) return;
    if (merging.protects([old])) {
      if (wish.mode !== 'remove') lists.set(language, besides(values, [make(merging, wish, language)]));
      return;
    }
    const others = values.toSpliced(index, 1);
    if (wish.mode === 'remove') lists.set(language, others);
    else {
      const next = {
        ...settled(old),
        text: wish.text,
        ...(to !== undefined && { language: to }),
        changed: merging.change,
      };
      if (to === language) lists.set(language, values.with(index, next));
      else lists.set(language, others).set(to, [...(lists.get(to) ?? []), next]);
    }
    return;
  }
  if (merging.strict) throw noSuchMetadataEntry(wish.uuid!);
}

function make(merging: MetadataMerge, { text, language, n }: ValueWish, inherited = language): StoredValue {
  return { text, ...(inherited !== undefined && { language: inherited }), ...merging.make(n) };
}

function meet(merging: MetadataMerge, value: StoredValue, wish: ValueWish, met: Map<ValueWish, string>): void {
  const key = merging.meet(value);
  if (key !== undefined) met.set(wish, key);
}

/** Conflict: both change sets keep their values, until another one resolves it. */
const besides = (before: readonly StoredValue[], added: readonly StoredValue[]): StoredValue[] =>
  added.length === 0 ? [...before] : [...before, ...added].map((value) => ({ ...value, conflict: true as const }));

function settled({ conflict: _settled, ...value }: StoredValue): StoredValue {
  return value;
}

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
