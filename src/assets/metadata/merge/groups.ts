import { type AppliedField, applyField, changed, expectSpan, idle, type Spot } from './fields.ts';
import type { MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import type { GroupRequest } from './request.ts';
import { type Contents, emptyContents, type StoredGroup } from './state.ts';

type Content = Pick<GroupRequest, 'fields' | 'groups'>;

/** Merges the fields and groups of a timespan or a group. */
export function applyContents(merging: MetadataMerge, spot: Spot, request: Content): AppliedField<Content> {
  const plain = request.groups.filter(({ uuid, mode }) => uuid === undefined && mode === undefined);
  const often = (name: string | undefined) => plain.filter((group) => group.name === name).length > 1;
  const fields = request.fields.map((field) => applyField(merging, spot, field));
  const groups = request.groups.map((group) => applyGroup(merging, spot, group, often(group.name)));
  const trimmed = {
    fields: fields.flatMap((field) => field.trimmed ?? []),
    groups: groups.flatMap((group) => group.trimmed ?? []),
  };
  const isChanged = trimmed.fields.length + trimmed.groups.length > 0;
  return {
    request: { fields: requestsOf(fields), groups: requestsOf(groups) },
    trimmed: isChanged ? trimmed : undefined,
  };
}

const requestsOf = <W>(applied: readonly AppliedField<W>[]): readonly W[] => applied.map(({ request }) => request);

interface Target {
  readonly parent: Contents;
  readonly spanKey: string;
  readonly group: StoredGroup | undefined;
}

/** `often`: the document has the group several times in this place, without uuid or mode. */
function applyGroup(
  merging: MetadataMerge,
  spot: Spot,
  request: GroupRequest,
  often: boolean,
): AppliedField<GroupRequest> {
  if (request.mode === 'remove') return removed(merging, spot, request);
  const target = targetOf(merging, spot, request, often);
  if (target === undefined) return idle(request);
  const { parent, spanKey, group } = target;
  if (group === undefined) return made(merging, spot, request);
  const at = merging.meet(group);
  const inside = applyContents(merging, { contents: group.contents, spanKey }, request);
  const refers = request.reference !== undefined && request.reference !== group.reference;
  if (refers) {
    parent.groups = parent.groups.map((each) =>
      each === group
        ? { ...group, reference: request.reference, contents: emptyContents(), changed: merging.change }
        : each,
    );
  }
  const met = { ...request, name: group.name, ...(at !== undefined && { at }) };
  const trimmed = refers || inside.trimmed ? { ...met, ...(inside.trimmed ?? noContent) } : undefined;
  return { request: { ...met, ...inside.request }, trimmed };
}

const noContent: Content = { fields: [], groups: [] };

function made(
  merging: MetadataMerge,
  { contents: parent, spanKey }: Spot,
  request: GroupRequest,
): AppliedField<GroupRequest> {
  const { name, reference } = request;
  const contents = emptyContents();
  const group = {
    name: name!,
    ...(reference !== undefined && { reference }),
    contents,
    ...merging.make(request.n),
  };
  parent.groups = [...parent.groups, group];
  const inside = applyContents(merging, { contents, spanKey }, request);
  return changed({ ...request, ...inside.request });
}

function removed(merging: MetadataMerge, spot: Spot, request: GroupRequest): AppliedField<GroupRequest> {
  if (request.uuid === undefined) {
    const others = spot.contents.groups.filter(({ name }) => name !== request.name);
    const isChanged = others.length < spot.contents.groups.length;
    for (const group of spot.contents.groups) if (group.name === request.name) merging.meet(group);
    spot.contents.groups = others;
    return changed(request, isChanged);
  }
  const target = addressed(merging, spot, request, request.uuid);
  if (target?.group === undefined) return idle(request);
  const at = merging.meet(target.group);
  target.parent.groups = target.parent.groups.filter((each) => each !== target.group);
  return changed({ ...request, name: target.group.name, ...(at !== undefined && { at }) });
}

/** Undefined: the group is gone, during a replay of the log. */
function targetOf(merging: MetadataMerge, spot: Spot, request: GroupRequest, often: boolean): Target | undefined {
  if (request.uuid !== undefined) return addressed(merging, spot, request, request.uuid);
  const { contents: parent, spanKey } = spot;
  if (request.mode === 'add') return { parent, spanKey, group: undefined };
  const stored = parent.groups.filter((group) => group.name === request.name && !merging.isOwn(group));
  if (merging.strict && stored.length > 0 && (often || stored.length > 1)) {
    const which = 'a uuid, or the mode "add" or "remove", where a timespan has or gets several groups of one name';
    throw badMetadata(request.name, which, request.name);
  }
  return { parent, spanKey, group: often ? undefined : stored[0] };
}

function addressed(merging: MetadataMerge, spot: Spot, request: GroupRequest, uuid: string): Target | undefined {
  const located = merging.addresses.groupWith(uuid);
  if (located === undefined) {
    if (merging.strict) throw noSuchMetadataEntry(uuid);
    return undefined;
  }
  const { contents: parent, spanKey, group } = located;
  if (merging.strict) {
    expectSpan(spanKey, spot.spanKey, uuid);
    if (request.name !== undefined && request.name !== group.name)
      throw badMetadata(uuid, `the group "${group.name}"`, request.name);
  }
  return { parent, spanKey, group };
}
