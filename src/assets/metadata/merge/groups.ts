import { type AppliedField, applyField, changed, expectSpan, idle, type Spot } from './fields.ts';
import type { MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import { emptyPlace, type GroupPath, type StoredGroup } from './state.ts';
import type { GroupWish } from './wish.ts';

type Content = Pick<GroupWish, 'fields' | 'groups'>;

/** Merges the fields and groups of a timespan or a group. */
export function applyPlace(merging: MetadataMerge, spot: Spot, wish: Content): AppliedField<Content> {
  const plain = wish.groups.filter(({ uuid, mode }) => uuid === undefined && mode === undefined);
  const often = (name: string | undefined) => plain.filter((group) => group.name === name).length > 1;
  const fields = wish.fields.map((field) => applyField(merging, spot, field));
  const groups = wish.groups.map((group) => applyGroup(merging, spot, group, often(group.name)));
  const trimmed = {
    fields: fields.flatMap((field) => field.trimmed ?? []),
    groups: groups.flatMap((group) => group.trimmed ?? []),
  };
  const isChanged = trimmed.fields.length + trimmed.groups.length > 0;
  return { wish: { fields: wishesOf(fields), groups: wishesOf(groups) }, trimmed: isChanged ? trimmed : undefined };
}

const wishesOf = <W>(applied: readonly AppliedField<W>[]): readonly W[] => applied.map(({ wish }) => wish);

interface Target {
  readonly parent: GroupPath;
  readonly spanKey: string;
  readonly group: StoredGroup | undefined;
}

/** `often`: the document has the group several times in this place, without uuid or mode. */
function applyGroup(merging: MetadataMerge, spot: Spot, wish: GroupWish, often: boolean): AppliedField<GroupWish> {
  if (wish.mode === 'remove') return removed(merging, spot, wish);
  const target = targetOf(merging, spot, wish, often);
  if (target === undefined) return idle(wish);
  const { parent, spanKey, group } = target;
  if (group === undefined) return made(merging, spot, wish);
  const at = merging.meet(group);
  const inside = applyPlace(merging, { place: group.place, spanKey }, wish);
  const refers = wish.reference !== undefined && wish.reference !== group.reference;
  if (refers) {
    parent.groups = parent.groups.map((each) =>
      each === group ? { ...group, reference: wish.reference, place: emptyPlace(), changed: merging.change } : each,
    );
  }
  const met = { ...wish, name: group.name, ...(at !== undefined && { at }) };
  const trimmed = refers || inside.trimmed ? { ...met, ...(inside.trimmed ?? noContent) } : undefined;
  return { wish: { ...met, ...inside.wish }, trimmed };
}

const noContent: Content = { fields: [], groups: [] };

function made(merging: MetadataMerge, { place: parent, spanKey }: Spot, wish: GroupWish): AppliedField<GroupWish> {
  const { name, reference } = wish;
  const place = emptyPlace();
  const group = { name: name!, ...(reference !== undefined && { reference }), place, ...merging.make(wish.n) };
  parent.groups = [...parent.groups, group];
  const inside = applyPlace(merging, { place, spanKey }, wish);
  return changed({ ...wish, ...inside.wish });
}

function removed(merging: MetadataMerge, spot: Spot, wish: GroupWish): AppliedField<GroupWish> {
  if (wish.uuid === undefined) {
    const others = spot.place.groups.filter(({ name }) => name !== wish.name);
    const isChanged = others.length < spot.place.groups.length;
    for (const group of spot.place.groups) if (group.name === wish.name) merging.meet(group);
    spot.place.groups = others;
    return changed(wish, isChanged);
  }
  const target = addressed(merging, spot, wish, wish.uuid);
  if (target?.group === undefined) return idle(wish);
  const at = merging.meet(target.group);
  target.parent.groups = target.parent.groups.filter((each) => each !== target.group);
  return changed({ ...wish, name: target.group.name, ...(at !== undefined && { at }) });
}

/** Undefined: the group is gone, during a replay of the log. */
function targetOf(merging: MetadataMerge, spot: Spot, wish: GroupWish, often: boolean): Target | undefined {
  if (wish.uuid !== undefined) return addressed(merging, spot, wish, wish.uuid);
  const { place: parent, spanKey } = spot;
  if (wish.mode === 'add') return { parent, spanKey, group: undefined };
  const stored = parent.groups.filter((group) => group.name === wish.name && !merging.isOwn(group));
  if (merging.strict && stored.length > 0 && (often || stored.length > 1)) {
    const which = 'a uuid, or the mode "add" or "remove", where a timespan has or gets several groups of one name';
    throw badMetadata(wish.name, which, wish.name);
  }
  return { parent, spanKey, group: often ? undefined : stored[0] };
}

function addressed(merging: MetadataMerge, spot: Spot, wish: GroupWish, uuid: string): Target | undefined {
  const located = merging.addresses.groupWith(uuid);
  if (located === undefined) {
    if (merging.strict) throw noSuchMetadataEntry(uuid);
    return undefined;
  }
  const { place: parent, spanKey, group } = located;
  if (merging.strict) {
    expectSpan(spanKey, spot.spanKey, uuid);
    if (wish.name !== undefined && wish.name !== group.name)
      throw badMetadata(uuid, `the group "${group.name}"`, wish.name);
  }
  return { parent, spanKey, group };
}
