import { groupBy } from '../../../core/lib/group-by.ts';
import type { MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import type { FieldRequest, ValueRequest } from './request.ts';
import { type Contents, fieldKey, type StoredField, type StoredValue, uuidOfInstance } from './state.ts';

/** Values by language; undefined counts as a language. */
type Lists = Map<string | undefined, StoredValue[]>;

interface NextValues {
  readonly values: readonly StoredValue[];
  /** Values of the request, each with the instance that it matched. */
  readonly requests: readonly ValueRequest[];
}

/** Whether the request edits single values. Otherwise it replaces all values of its languages. */
const edits = ({ mode, values }: FieldRequest): boolean =>
  mode === 'add' || values.some((value) => value.mode !== undefined || value.uuid !== undefined);

/** Values of a field after a change set. */
function nextValues(merging: MetadataMerge, stored: readonly StoredValue[], request: FieldRequest): NextValues {
  const lists: Lists = groupBy(stored, ({ language }) => language);
  const met = new Map<ValueRequest, string>();
  if (edits(request)) for (const value of request.values) edit(merging, lists, value, met);
  else
    for (const [language, values] of groupBy(request.values, (value) => value.language)) {
      lists.set(language, replaced(merging, lists.get(language) ?? [], values, met));
    }
  return {
    values: [...lists.values()].flat(),
    requests: request.values.map((value) => (met.has(value) ? { ...value, at: met.get(value) } : value)),
  };
}

/** Replaces the values of one language. Values with equal text keep their instance. */
function replaced(
  merging: MetadataMerge,
  before: readonly StoredValue[],
  requests: readonly ValueRequest[],
  met: Map<ValueRequest, string>,
): StoredValue[] {
  const isEqual =
    before.length === requests.length && before.every(({ text }, index) => text === requests[index]!.text);
  if (!isEqual && merging.protects(before)) {
    const texts = new Set(before.map(({ text }) => text));
    return besides(
      before,
      requests.filter(({ text }) => !texts.has(text)).map((value) => make(merging, value)),
    );
  }
  // The first of equal ones is the last here: taking the first of a long array moves all others.
  const left = groupBy(before.toReversed(), ({ text }) => text);
  return requests.map((value) => {
    const old = left.get(value.text)?.pop();
    if (old === undefined) return make(merging, value);
    meet(merging, old, value, met);
    return old.conflict ? settled(old) : old;
  });
}

function edit(merging: MetadataMerge, lists: Lists, request: ValueRequest, met: Map<ValueRequest, string>): void {
  if (request.uuid !== undefined) editOne(merging, lists, request, met);
  else if (request.mode === 'remove') removeEqual(merging, lists, request);
  else lists.set(request.language, [...(lists.get(request.language) ?? []), make(merging, request)]);
}

function removeEqual(merging: MetadataMerge, lists: Lists, request: ValueRequest): void {
  for (const [language, values] of lists) {
    const concerned = request.language === undefined || request.language === language;
    if (!concerned || merging.protects(values)) continue;
    lists.set(
      language,
      values.filter(({ text }) => text !== request.text),
    );
  }
}

/** Changes or removes the value with the given uuid. */
function editOne(merging: MetadataMerge, lists: Lists, request: ValueRequest, met: Map<ValueRequest, string>): void {
  for (const [language, values] of lists) {
    const index = values.findIndex((value) => uuidOfInstance(value) === request.uuid);
    if (index < 0) continue;
    const old = values[index]!;
    meet(merging, old, request, met);
    const to = request.language ?? language;
    if (request.mode !== 'remove' && old.text === request.text && to === language) return;
    if (merging.protects([old])) {
      if (request.mode !== 'remove') lists.set(language, besides(values, [make(merging, request, language)]));
      return;
    }
    const others = values.toSpliced(index, 1);
    if (request.mode === 'remove') lists.set(language, others);
    else {
      const next = {
        ...settled(old),
        text: request.text,
        ...(to !== undefined && { language: to }),
        changed: merging.change,
      };
      if (to === language) lists.set(language, values.with(index, next));
      else lists.set(language, others).set(to, [...(lists.get(to) ?? []), next]);
    }
    return;
  }
  if (merging.strict) throw noSuchMetadataEntry(request.uuid!);
}

function make(merging: MetadataMerge, { text, language, n }: ValueRequest, inherited = language): StoredValue {
  return { text, ...(inherited !== undefined && { language: inherited }), ...merging.make(n) };
}

function meet(merging: MetadataMerge, value: StoredValue, request: ValueRequest, met: Map<ValueRequest, string>): void {
  const key = merging.meet(value);
  if (key !== undefined) met.set(request, key);
}

/** Conflict: both change sets keep their values, until another one resolves it. */
const besides = (before: readonly StoredValue[], added: readonly StoredValue[]): StoredValue[] =>
  added.length === 0 ? [...before] : [...before, ...added].map((value) => ({ ...value, conflict: true as const }));

function settled({ conflict: _settled, ...value }: StoredValue): StoredValue {
  return value;
}

/** Result of applying a part of a request. */
export interface AppliedField<W> {
  readonly request: W;
  /** Parts of the request that changed the state. */
  readonly trimmed: W | undefined;
}

/** Default location of elements without a uuid. */
export interface Spot {
  readonly contents: Contents;
  readonly spanKey: string;
}

interface Target {
  readonly contents: Contents;
  readonly key: string;
  readonly field: StoredField | undefined;
}

export const idle = <W>(request: W): AppliedField<W> => ({ request, trimmed: undefined });
export const changed = <W>(request: W, isChanged = true): AppliedField<W> => ({
  request,
  trimmed: isChanged ? request : undefined,
});

export function applyField(merging: MetadataMerge, spot: Spot, request: FieldRequest): AppliedField<FieldRequest> {
  const target = targetOf(merging, spot, request);
  if (target === undefined) return idle(request);
  const { contents, key, field } = target;
  if (merging.isKept(field?.name ?? request.name ?? '')) return idle(request);
  const at = (field && merging.meet(field)) ?? request.at;
  const met = { ...request, name: field?.name ?? request.name, at };
  const isGiven = request.values.length > 0 || request.reference !== undefined;
  if (request.mode === 'remove' || (request.mode === undefined && !isGiven)) return removed(merging, target, met);
  if (!isGiven) return idle(met);

  const before = field?.reference === undefined ? (field?.values ?? []) : [];
  const { values, requests } = request.reference === undefined ? nextValues(merging, before, request) : nothing;
  const next = { ...met, values: requests };
  if (field !== undefined && field.reference === request.reference && isSame(values, field.values)) return idle(next);
  if (values.length === 0 && request.reference === undefined) {
    return changed(next, field !== undefined && contents.fields.delete(key));
  }
  contents.fields.set(key, {
    name: field?.name ?? request.name!,
    ...trackOf(field ?? request),
    ...(request.reference !== undefined && { reference: request.reference }),
    values,
    ...(field ? { made: field.made, ordinal: field.ordinal, changed: merging.change } : merging.make(request.n)),
  });
  return changed(next);
}

const nothing = { values: [], requests: [] };

const trackOf = ({ track }: { readonly track?: string | undefined }) => (track === undefined ? {} : { track });

/** Unchanged values are identical objects. */
const isSame = (a: readonly StoredValue[], b: readonly StoredValue[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

function removed(
  merging: MetadataMerge,
  { contents, key, field }: Target,
  request: FieldRequest,
): AppliedField<FieldRequest> {
  if (field === undefined || merging.protects(field.values)) return idle(request);
  return changed(request, contents.fields.delete(key));
}

/** Undefined: the target is gone, during a replay of the log. */
function targetOf(merging: MetadataMerge, spot: Spot, request: FieldRequest): Target | undefined {
  const valueUuid = request.values.find(({ uuid }) => uuid !== undefined)?.uuid;
  const uuid = request.uuid ?? valueUuid;
  if (uuid === undefined) {
    const key = fieldKey(request.name!, request.track);
    return { contents: spot.contents, key, field: spot.contents.fields.get(key) };
  }
  const located = request.uuid === undefined ? merging.addresses.valueWith(uuid) : merging.addresses.fieldWith(uuid);
  if (located === undefined) {
    if (merging.strict) throw noSuchMetadataEntry(uuid);
    return undefined;
  }
  const { contents, fieldKey: key, field } = located;
  if (merging.strict) {
    expectSpan(located.spanKey, spot.spanKey, uuid);
    if (request.name !== undefined && request.name !== field.name)
      throw badMetadata(uuid, `the field "${field.name}"`, request.name);
  }
  return { contents, key, field };
}

/** Only a move changes the timespan of an instance. */
export function expectSpan(own: string, spanKey: string, uuid: string): void {
  if (own !== spanKey) throw badMetadata(uuid, 'the timespan that the instance has', uuid);
}
