import { deepest, type MetadataFieldGroup } from '../../assets/definitions/public-reading.ts';
import { badValue } from '../../core/documents/error.ts';
import type { Hierarchy } from './documents.ts';

/** A field or group with the names of the groups around it, the outermost first. */
export interface PathOf {
  readonly of: 'field' | 'group';
  readonly name: string;
  readonly groups: readonly string[];
}

/** Document of a path, with names only. */
export const hierarchyOf = ({ of, name, groups }: PathOf): Hierarchy =>
  groups.reduceRight<Hierarchy>(
    (inside, around) => ({
      group: { name: around, ...(inside.field ? { field: [inside.field] } : { group: [inside.group!] }) },
    }),
    { [of]: { name } },
  );

/** Parses nested groups into a path: the innermost element is the subject. */
export function pathIn({ group, field }: Hierarchy, context: string): PathOf {
  if ((group === undefined) === (field === undefined)) throw badValue(context, 'a field, or a group');
  if (field !== undefined) return { of: 'field', name: nameOf(field.name, context), groups: [] };
  const groups: string[] = [];
  let at: MetadataFieldGroup = group!;
  for (;;) {
    const name = nameOf(at.name, context);
    const inside = [...(at.field ?? []), ...(at.group ?? [])];
    if (inside.length === 0) return { of: 'group', name, groups };
    if (inside.length > 1) throw badValue(context, 'at most one field or group in a group', name);
    groups.push(name);
    if (groups.length > deepest) throw badValue(context, `groups nested at most ${deepest} deep`, name);
    const next = at.group?.[0];
    if (next === undefined) return { of: 'field', name: nameOf(inside[0]!.name, context), groups };
    at = next;
  }
}

function nameOf(name: string | undefined, context: string): string {
  if (name !== undefined && name !== '') return name;
  throw badValue(context, 'a name of each field and group');
}
