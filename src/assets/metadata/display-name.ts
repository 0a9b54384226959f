import type { Reader } from '../../core/store/statement.ts';
import { oneLine } from '../../http/reply.ts';
import { createProperties, keptProperty } from '../../identity/api-settings/public-reading.ts';
import type { KnownProperties, KnownProperty } from '../../room/properties.ts';
import { type Contents, generic, type MetadataState, type StoredGroup } from './merge/state.ts';
import type { GroupRow, StateRows, StoredFieldRow, ValueRow } from './merge/stored.ts';

/** Computed field with the name of an item or collection. Answers have it where a request names it. */
export const displayName = '__name';

/** Field that names what has no other name. Imports write it when they make the item. */
const lastResort = 'originalFilename';

const maxFields = 10;
/** Maximum characters of a name. Lists, indexes and headers repeat it. */
const maxLength = 250;

const displayNameFields: KnownProperty<readonly string[]> = {
  fallback: ['title'],
  says: 'Fields that name items and collections, with commas between: the first that is not blank, else `originalFilename`.',
  expected: `1 to ${maxFields} names of fields with commas between`,
  read(text) {
    const names = text.split(',').map((name) => name.trim());
    return names.length <= maxFields && names.every((name) => /^(?!__)\w{1,32}$/.test(name)) ? names : undefined;
  },
};
export const namingProperty = 'displayNameFields';
export const displayNameProperties = { displayNameFields } as const satisfies KnownProperties;

/** Fields that name, the preferred one first. */
export async function namingFields(reader: Reader): Promise<readonly string[]> {
  const names = await createProperties(reader, displayNameProperties, keptProperty)('displayNameFields');
  return [...new Set([...names, lastResort])];
}

/** A name in one line. Undefined: the text is blank. */
function nameFrom(text: string): string | undefined {
  // A long text is cut twice: control characters shrink, and blanks in front go.
  const line = oneLine(text.slice(0, 4 * maxLength)).trim();
  const cut = line.length > maxLength ? line.slice(0, maxLength).trimEnd() : line;
  return cut === '' ? undefined : cut.toWellFormed();
}

type IsReadable = (name: string, groups: readonly string[]) => boolean;
const always: IsReadable = () => true;

/**
 * Name by the first naming field with untimed text that the caller may read. `states`: the own metadata, then what is
 * inherited. Undefined: no field names.
 */
export function nameInStates(
  states: readonly (MetadataState | undefined)[],
  fields: readonly string[],
  isReadable = always,
): string | undefined {
  for (const field of fields) {
    for (const state of states) {
      const contents = state?.spans.get(generic)?.contents;
      const name = contents && nameIn(contents, field, isReadable, []);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

function nameIn(
  { fields, groups }: Contents,
  field: string,
  isReadable: IsReadable,
  around: readonly string[],
): string | undefined {
  const stored = fields.get(field);
  if (stored && isReadable(field, around)) {
    for (const { text } of stored.values) {
      const name = nameFrom(text);
      if (name !== undefined) return name;
    }
  }
  return firstIn(groups, ({ name, contents }: StoredGroup) => nameIn(contents, field, isReadable, [name, ...around]));
}

/** Name in a stored state that the caller may read whole. */
export function nameInRows({ s }: StateRows, fields: readonly string[]): string | undefined {
  const span = s.find(([times]) => times === 0);
  return span && firstIn(fields, (field) => nameAmong(span[1], span[2] ?? [], field));
}

function nameAmong(rows: readonly StoredFieldRow[], groups: readonly GroupRow[], field: string): string | undefined {
  for (const [name, , values, track] of rows) {
    const nameOf = (value: ValueRow) => nameFrom(typeof value === 'string' ? value : value[0]);
    const text = name === field && track == null ? firstIn(values, nameOf) : undefined;
    if (text !== undefined) return text;
  }
  return firstIn(groups, (group) => nameAmong(group[2], group[3], field));
}

function firstIn<T>(list: readonly T[], nameOf: (each: T) => string | undefined): string | undefined {
  for (const each of list) {
    const name = nameOf(each);
    if (name !== undefined) return name;
  }
  return undefined;
}
