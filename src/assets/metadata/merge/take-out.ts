import type { FieldRequest, GroupRequest, MetadataRequest } from './request.ts';
import { type Contents, everyContents, isEmpty, type MetadataState } from './state.ts';

/** Removes all fields with these names, in groups of any depth, and timespans left empty. */
export function takeOut({ spans }: MetadataState, names: ReadonlySet<string>): void {
  if (names.size === 0) return;
  for (const [key, { contents }] of spans) if (emptied(contents, names) && isEmpty(contents)) spans.delete(key);
}

function emptied({ fields, groups }: Contents, names: ReadonlySet<string>): boolean {
  let isAny = false;
  for (const [key, { name }] of fields) if (names.has(name)) isAny = fields.delete(key);
  for (const { contents } of groups) if (emptied(contents, names)) isAny = true;
  return isAny;
}

export function fieldNamesIn(state: MetadataState): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { contents } of everyContents(state)) for (const { name } of contents.fields.values()) names.add(name);
  return names;
}

/** Names that change sets give to fields, including those of renames. */
export function fieldNamesOf(requests: Iterable<MetadataRequest>): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = ({
    fields,
    groups,
  }: {
    readonly fields: readonly FieldRequest[];
    readonly groups: readonly GroupRequest[];
  }) => {
    for (const { name } of fields) if (name !== undefined) names.add(name);
    groups.forEach(collect);
  };
  for (const { spans, reshape = [] } of requests) {
    spans.forEach(collect);
    for (const step of reshape) if (step.do === 'rename') names.add(step.to);
  }
  return names;
}
