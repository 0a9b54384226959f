import { badValue } from '../../../core/documents/error.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import type { MetadataField, MetadataFieldGroup } from '../documents.ts';
import type { MemberKind } from './store.ts';

export const root = '/MetadataFieldGroupDocument';

/** The groups of a document by name, each with everything that the document says of it. The group of the path is first. */
export function groupsIn(name: string, document: MetadataFieldGroup): ReadonlyMap<string, MetadataFieldGroup> {
  const parts: (readonly [name: string, part: MetadataFieldGroup])[] = [[name, document]];
  for (const [, { group = [] }] of parts) {
    for (const member of group) parts.push([nameOf(member.name, 'group'), member]);
  }
  const byName = groupBy(parts, ([each]) => each);
  return new Map(
    Array.from(byName, ([each, named]) => [
      each,
      named.length === 1 ? named[0]![1] : joint(named.map(([, part]) => part)),
    ]),
  );
}

/** A group that a document describes in several places: all members, and the rest from the first place. */
const joint = (parts: readonly MetadataFieldGroup[]): MetadataFieldGroup => ({
  ...parts.toReversed().reduce((whole, part) => Object.assign(whole, part), {}),
  field: parts.flatMap(({ field = [] }) => field),
  group: parts.flatMap(({ group = [] }) => group),
});

export function nameOf(name: string | undefined, list: MemberKind): string {
  if (name !== undefined && name !== '') return name;
  throw badValue(`${root}/${list}/name`, `the name of the ${list}`);
}

/** Fields without a definition, without duplicates. */
export function missingFields(
  fields: readonly MetadataField[],
  defined: ReadonlySet<string>,
): readonly MetadataField[] {
  const missing = fields.filter(({ name = '' }) => name !== '' && !defined.has(name));
  return [...new Map(missing.toReversed().map((field) => [field.name, field])).values()].toReversed();
}
