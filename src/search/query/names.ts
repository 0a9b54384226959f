import { fieldRights, level } from '../../assets/definitions/access/rights.ts';
import { type FieldDefinition, loadFields } from '../../assets/definitions/known.ts';
import { lookupsOf, type Reader } from '../../store/statement.ts';
import { type FieldForm, formOf } from '../index/values.ts';
import type { Viewer } from '../viewer.ts';
import { deniedNames, fullTextFields, someGuarded } from './names/store.ts';

/** What the names of a search mean to its caller. */
export interface Names {
  /** Undefined: nobody may search the field, the caller may not read it, or it is not defined. */
  field(name: string): FieldForm | undefined;
  /** Where a text may not be looked for everywhere: the fields in which the caller may find it. */
  readonly readable: readonly FieldForm[] | undefined;
  /** The time of the search. */
  readonly now: number | undefined;
}

/** Fields that one text can be looked for in. */
const mostFields = 500;

export async function loadNames(
  reader: Reader,
  viewer: Viewer,
  names: readonly string[],
  now?: number,
): Promise<Names> {
  const definitions = await loadFields(lookupsOf(reader), names);
  const denied = await deniedTo(reader, viewer);
  const allows = ({ name, searchable }: FieldDefinition) => searchable && !denied.has(name);
  const known = new Map(
    [...definitions]
      .filter(([, each]) => allows(each))
      .map(([name, each]) => {
        const { boost } = each.rest;
        return [name, { ...formOf(each), ...(now !== undefined && { now }), ...(boost !== undefined && { boost }) }];
      }),
  );
  const open = denied.size === 0 ? undefined : await fullTextFields(reader, mostFields);
  return { field: (name) => known.get(name), readable: open?.filter((each) => allows(each)).map(formOf), now };
}

/** The fields that a caller may not read. A field of a group that is closed counts as closed wherever it stands. */
async function deniedTo(reader: Reader, { administrator, userId }: Viewer): Promise<ReadonlySet<string>> {
  if (administrator || !(await someGuarded(lookupsOf(reader), {}))) return new Set();
  const guarded = await deniedNames(reader);
  const asker = { userId, administers: false };
  const groups = [...new Set(guarded.groups.map(({ group }) => group))];
  const fields = [...new Set([...guarded.fields, ...guarded.groups.map(({ field }) => field)])];
  const rights = await fieldRights(reader, asker, { fields, groups });
  const denied = new Set(guarded.fields.filter((name) => rights.field(name) < level.read));
  for (const { field, group } of guarded.groups) if (rights.field(field, group) < level.read) denied.add(field);
  return denied;
}
