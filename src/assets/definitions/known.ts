import { Recent } from '../../core/lib/cache.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { InheritanceRules } from './documents.ts';
import { type FieldRow, fieldsNamed, fieldUnchanged, markUsed } from './fields/store.ts';
import { type FieldGroupRow, knownGroups, knownMembers, type MemberKind } from './groups/store.ts';
import { type BaseType, baseOf, type FieldType, type Restriction } from './types.ts';

/** Definitions of fields and groups as metadata needs them. */

export interface Schema {
  readonly min?: number | undefined;
  /** -1: no limit. */
  readonly max?: number | undefined;
  readonly name?: string | undefined;
  readonly reference?: boolean | undefined;
}

/** Properties of a definition that are stored as JSON. */
export interface FieldRest {
  readonly index?: 'noindex' | 'extend' | undefined;
  readonly fullText?: boolean | undefined;
  readonly boost?: number | undefined;
  readonly sortable?: boolean | undefined;
  readonly caseSensitiveSorting?: boolean | undefined;
  readonly inheritance?: string | undefined;
  readonly inheritanceRule?: InheritanceRules | undefined;
  readonly defaultValue?: string | undefined;
  readonly restriction?: Restriction | undefined;
  readonly schema?: Schema | undefined;
  readonly constraint?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface FieldDefinition {
  readonly name: string;
  readonly type: FieldType;
  /** Type without its suffix for index and sorting. */
  readonly base: BaseType;
  /** True: only the service writes values. */
  readonly system: boolean;
  /** Increments with each change of the definition. */
  readonly version: number;
  /** True: metadata has had values of the field since it was defined. */
  readonly used: boolean;
  /** True: field searches find its values. */
  readonly searchable: boolean;
  readonly sortable: boolean;
  /** True: full-text searches find its values. */
  readonly fullText: boolean;
  /** True: items inherit values from collections. */
  readonly inheritance: boolean;
  readonly defaultValue: string | undefined;
  readonly restriction: Restriction | undefined;
  /** Properties as stored. */
  readonly rest: FieldRest;
}

export interface GroupMember {
  readonly name: string;
  readonly schema: Schema;
}

export interface GroupDefinition {
  readonly name: string;
  readonly inheritance: boolean;
  /** Members in the order in which they were added. */
  readonly fields: readonly GroupMember[];
  readonly groups: readonly GroupMember[];
  readonly rest: GroupRest;
}

interface GroupRest {
  readonly inheritance?: string | undefined;
  readonly inheritanceRule?: InheritanceRules | undefined;
  readonly schema?: Schema | undefined;
}

/** Limit of parsed definitions, and of characters of one that is kept. */
const [maxParsed, maxParsedLength] = [2_000, 2_000];
const cachedDefinitions = new Recent<string, { readonly row: FieldRow; readonly definition: FieldDefinition }>(
  maxParsed,
);

/** The definition of a row, parsed once as long as the row is the same. */
export function definitionOf(row: FieldRow): FieldDefinition {
  const entry = cachedDefinitions.get(row.name, 0);
  if (entry && isSame(entry.row, row)) return entry.definition;
  const definition = parse(row);
  if (row.rest.length <= maxParsedLength)
    cachedDefinitions.set(row.name, { row, definition }, Number.POSITIVE_INFINITY);
  return definition;
}

const isSame = (one: FieldRow, other: FieldRow): boolean =>
  one.rest === other.rest &&
  one.type === other.type &&
  one.version === other.version &&
  one.used === other.used &&
  one.system === other.system;

function parse({ name, type: text, system, version, used, rest: json }: FieldRow): FieldDefinition {
  const rest = JSON.parse(json) as FieldRest;
  const type = text as FieldType;
  const searchable = rest.index !== 'noindex' && !type.endsWith('-noindex');
  return {
    name,
    type,
    base: baseOf(type),
    system: system === 1,
    version,
    used: used === 1,
    searchable,
    sortable: rest.sortable ?? type.endsWith('-sortable'),
    fullText: searchable && rest.fullText !== false,
    inheritance: rest.inheritance === 'true',
    defaultValue: rest.defaultValue,
    restriction: rest.restriction,
    rest,
  };
}

/** Definitions of fields by name, without unknown ones: see `noSuchField`. */
export async function loadFields(
  reader: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, FieldDefinition>> {
  if (names.length === 0) return new Map();
  const rows = await fieldsNamed.named(reader, [...new Set(names)]);
  return new Map(rows.map((row) => [row.name, definitionOf(row)]));
}

/** Definitions of groups by name, with the names of their members. */
export async function loadGroups(
  reader: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, GroupDefinition>> {
  if (names.length === 0) return new Map();
  const parameters = { names: [...new Set(names)] };
  const rows = await knownGroups(reader, parameters);
  if (rows.length === 0) return new Map();
  return withMembers(rows, await knownMembers(reader, { ...parameters, limit: -1 }));
}

type Member = { readonly groupName: string; readonly kind: string; readonly member: string; readonly schema: string };

export function withMembers(
  rows: readonly FieldGroupRow[],
  members: readonly Member[],
): ReadonlyMap<string, GroupDefinition> {
  const byGroup = groupBy(members, ({ groupName }) => groupName);
  return new Map(
    rows.map(({ name, rest: json }) => {
      const rest = JSON.parse(json) as GroupRest;
      const own = byGroup.get(name) ?? [];
      const those = (kind: MemberKind): readonly GroupMember[] =>
        own.filter((each) => each.kind === kind).map((each) => ({ name: each.member, schema: schemaOf(each.schema) }));
      const inheritance = rest.inheritance === 'true';
      return [name, { name, inheritance, fields: those('field'), groups: those('group'), rest }];
    }),
  );
}

const schemaOf = (json: string): Schema => JSON.parse(json) as Schema;

/**
 * Statements for the commit that writes values: mark fields as used, which fixes their types. Fields already in use
 * need none.
 */
export const firstUses = (definitions: Iterable<FieldDefinition>): readonly Statement[] =>
  Array.from(definitions)
    .filter(({ used, system }) => !used && !system)
    .flatMap(({ name, version }) => [
      fieldUnchanged(name, version, changedMeanwhile('MetadataField', name)),
      markUsed({ name }),
    ]);

/** Error 404: metadata names an unknown field. */
export const noSuchField = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'metadata-field', id: name.slice(0, 80) });

/** Error 404: metadata names an unknown group. */
export const noSuchFieldGroup = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'metadata-field-group', id: name.slice(0, 80) });
