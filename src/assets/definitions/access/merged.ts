import type { Reader } from '../../../core/store/statement.ts';
import type { FieldPermission, GroupPermission } from '../../access/public-reading.ts';
import { counterOf, loadTree } from '../groups/tree.ts';
import type { GroupDefinition } from '../known.ts';
import { type FieldLevel, type FieldReader, fieldRights, wordOf } from './rights.ts';

/** User whose effective rights are shown. */
export interface MergedAccess extends FieldReader {
  readonly username: string;
}

const entryOf = ({ username }: MergedAccess, name: string, found: FieldLevel) => ({
  name,
  permission: wordOf(found),
  username,
});

export async function mergedFields(
  reader: Reader,
  names: readonly string[],
  user: MergedAccess,
): Promise<readonly FieldPermission[]> {
  const rights = await fieldRights(reader, user, { fields: names });
  return names.map((name) => entryOf(user, name, rights.field(name)));
}

/** Effective rights in groups and all of their members. Entries of a group apply to members without own entries. */
export async function mergedGroups(
  reader: Reader,
  names: readonly string[],
  user: MergedAccess,
  most: number,
): Promise<readonly GroupPermission[]> {
  const { groups, fieldNames, groupNames } = await loadTree(reader, names, { members: true, traverse: true }, most);
  const targets = { fields: fieldNames, groups: [...new Set([...names, ...groupNames])] };
  const rights = await fieldRights(reader, user, targets);
  const { take } = counterOf(most);
  const from = (group: GroupDefinition, around: readonly string[]): GroupPermission => {
    take();
    const { name, fields, groups: inner } = group;
    const here = [name, ...around];
    const fieldGroup = inner.flatMap((member) => {
      const definition = groups.get(member.name);
      return definition ? [from(definition, here)] : [];
    });
    const field = fields.map((member) => {
      take();
      return entryOf(user, member.name, rights.field(member.name, ...here));
    });
    return {
      ...entryOf(user, name, rights.group(name, ...around)),
      ...(fieldGroup.length > 0 && { fieldGroup }),
      ...(field.length > 0 && { field }),
    };
  };
  return names.flatMap((name) => {
    const group = groups.get(name);
    return group ? [from(group, [])] : [];
  });
}
