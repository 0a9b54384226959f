import { serialOf } from '../../../core/lib/serial.ts';
import { runAtOnce } from '../../../core/lib/turn.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { isKept } from '../allowed.ts';
import { changesBetween } from '../merge/changes.ts';
import type { MetadataState, StoredGroup } from '../merge/state.ts';
import type { MetadataOwner } from '../store.ts';
import { removeInheritedUses, removeNames, tellItemsBelow, writeNames, writeUses } from './store.ts';

/** Names that items can inherit from a state, as stored. Fields of the service itself are not inherited. */
function namesOf({ spans }: MetadataState): string {
  const names = new Set<string>();
  for (const { contents } of spans.values()) {
    for (const { name } of contents.fields.values()) if (!isKept(name)) names.add(JSON.stringify(['field', name]));
    for (const { name } of contents.groups) names.add(JSON.stringify(['group', name]));
  }
  return `[${[...names].sort().join()}]`;
}

/** Names of groups on any level. */
function groupsOf({ spans }: MetadataState): string {
  const names = new Set<string>();
  const collect = (groups: readonly StoredGroup[]): void => {
    for (const { name, contents } of groups) {
      names.add(name);
      collect(contents.groups);
    }
  };
  for (const { contents } of spans.values()) collect(contents.groups);
  return JSON.stringify([...names].sort());
}

/** Names of changed fields, and of groups that may contain them. */
function changedNames(before: MetadataState, after: MetadataState): readonly (readonly [kind: string, name: string])[] {
  const fields = new Set(runAtOnce(changesBetween(before, after)).map(({ field }) => field));
  if (fields.size === 0) return [];
  const groups = new Set(
    [before, after].flatMap(({ spans }) => [...spans.values()].flatMap(({ contents }) => contents.groups)),
  );
  return [
    ...Array.from(fields, (name) => ['field', name] as const),
    ...Array.from(new Set(Array.from(groups, ({ name }) => name)), (name) => ['group', name] as const),
  ];
}

/** Statements that store the names used to look up the entity. None if no name changed. */
export function tellNames(
  { kind, id }: MetadataOwner,
  before: MetadataState,
  after: MetadataState,
): readonly Statement[] {
  const names = kind === 'collection' ? namesOf(after) : '';
  const groups = groupsOf(after);
  const changed = kind === 'collection' ? changedNames(before, after) : [];
  return [
    ...(changed.length > 0 ? [tellItemsBelow({ id, names: changed })] : []),
    ...(kind === 'collection' && names !== namesOf(before) ? writeNames(id, JSON.parse(names)) : []),
    ...(groups === groupsOf(before) ? [] : writeUses({ kind, id, serial: serialOf(id), names: JSON.parse(groups) })),
  ];
}

export const forgetNames = ({ kind, id }: MetadataOwner): readonly Statement[] => [
  ...(kind === 'collection' ? [removeNames({ collectionId: id })] : []),
  removeInheritedUses({ ownerType: kind, ownerId: id }),
];
