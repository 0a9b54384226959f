import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import { type FieldReader, fieldRights, level, type Rights } from '../access/rights.ts';
import type { MetadataField, MetadataFieldGroup } from '../documents.ts';
import { externalIdsFor, type FieldView, fieldDocuments, lookupKey, pairsFrom } from '../fields/documents.ts';
import { checkDataPage, checkValuesPage, fieldsNamed } from '../fields/store.ts';
import { type GroupDefinition, type GroupMember, withMembers } from '../known.ts';
import { checkGroupDataPage, fieldGroupsNamed, groupsBelow, type MemberKind, membersOfGroups } from './store.ts';

/** Groups with their members. */
interface GroupTree {
  /** Requested groups, their members, and with `traverse` all nested groups. */
  readonly groups: ReadonlyMap<string, GroupDefinition>;
  /** Names of all members, without duplicates. */
  readonly fieldNames: readonly string[];
  readonly groupNames: readonly string[];
}

interface Depth {
  readonly members: boolean;
  readonly traverse: boolean;
}

/** `max`: limit of members. More are refused. */
export async function loadTree(
  reader: Reader,
  names: readonly string[],
  { members, traverse }: Depth,
  max: number,
): Promise<GroupTree> {
  const parameters = { names, limit: max + 1 };
  const walked = traverse ? (await groupsBelow(reader, parameters)).map(({ name }) => name) : names;
  if (walked.length > max) throw tooManyMembers(max);
  const rows = members ? await membersOfGroups(reader, { ...parameters, names: walked }) : [];
  if (rows.length > max) throw tooManyMembers(max);
  const those = (kind: MemberKind) => [...new Set(rows.filter((row) => row.kind === kind).map((row) => row.member))];
  const groupNames = those('group');
  const all = [...new Set([...walked, ...groupNames])];
  const groups = withMembers(await fieldGroupsNamed(reader, { names: all }), rows);
  return { groups, fieldNames: those('field'), groupNames };
}

/** Limit of members in one document, which is serialised without a pause. */
const maxShown = 8000;

/** Bytes that count as one value: longer values count as several. */
const bytesOfOne = 200;

type Texts = readonly { readonly key: string; readonly value: string }[];

/** Counts shown members: a group that occurs in several groups counts each time. */
export function counterOf(maxPageValues: number) {
  const max = Math.min(maxPageValues, maxShown);
  let left = max;
  const take = (weight = 1): void => {
    left -= weight;
    if (left < 0) throw tooManyMembers(max);
  };
  return {
    take,
    /** Counts key-value metadata, or an enumeration. */
    takePairs(pairs: Texts = []): void {
      take(pairs.reduce((sum, { key, value }) => sum + 1 + Math.floor((key.length + value.length) / bytesOfOne), 0));
    },
  };
}

const tooManyMembers = (max: number): ServiceError =>
  badParameter(
    'number',
    `Expected at most ${max} members and values in one answer: ask for a smaller page, or for less`,
  );

/** Optional parts of a group document. */
interface GroupView extends FieldView {
  /** Include members, with complete definitions of fields. */
  readonly members: boolean;
  /** Include nested groups with all their members. */
  readonly traverse: boolean;
}

interface Loaded {
  readonly groups: ReadonlyMap<string, GroupDefinition>;
  readonly fields: ReadonlyMap<string, MetadataField>;
  readonly data: ReadonlyMap<string, readonly { readonly key: string; readonly value: string }[]>;
  readonly rights: Rights;
}

interface Bounds {
  readonly site: string;
  readonly schemaNamespace: string;
  readonly maxPageValues: number;
}

/** Documents of groups, in the order of the names. Groups deleted meanwhile are left out. */
export async function groupDocuments(
  reader: Reader,
  names: readonly string[],
  view: GroupView,
  asker: FieldReader,
  bounds: Bounds,
): Promise<readonly MetadataFieldGroup[]> {
  const loaded = await load(reader, names, view, asker, bounds);
  const ids = view.externalIds ? await externalIdsFor(reader, 'field-group', names) : undefined;
  const { take, takePairs } = counterOf(bounds.maxPageValues);
  return names.flatMap((name) => {
    const group = loaded.groups.get(name);
    if (!group) return [];
    const { schema = view.members ? { min: 0, max: -1, name } : undefined } = group.rest;
    const whole = {
      ...groupFrom(group, schema && { schema }),
      ...ids?.get(name),
      ...(view.members && { origin: bounds.site }),
    };
    return [whole];
  });

  function groupFrom(
    group: GroupDefinition,
    member: Pick<MetadataFieldGroup, 'schema'> | undefined,
  ): MetadataFieldGroup {
    take();
    const { name, rest } = group;
    const pairs = view.keys && pairsFrom(loaded.data.get(name), view.keys);
    takePairs(pairs);
    return {
      name,
      ...member,
      ...(pairs && { data: pairs }),
      ...(view.members && membersFrom(group)),
      ...(rest.inheritanceRule && { inheritanceRule: rest.inheritanceRule }),
      inheritance: rest.inheritance ?? 'false',
    };
  }

  function membersFrom({ fields, groups }: GroupDefinition): Pick<MetadataFieldGroup, 'field' | 'group'> {
    const field = fields.map((member): MetadataField => {
      take();
      const shown = loaded.fields.get(member.name) ?? { name: member.name };
      takePairs(shown.data);
      takePairs(shown.values?.field?.map(({ key, value }) => ({ key, value: value?.value ?? '' })));
      return { ...shown, schema: schemaOf(member, 'field') };
    });
    const group = groups.flatMap((member): MetadataFieldGroup[] => {
      const definition = loaded.groups.get(member.name);
      if (!definition || loaded.rights.group(member.name) < level.read) return [];
      const schema = { schema: schemaOf(member, 'group') };
      if (view.traverse) return [groupFrom(definition, schema)];
      take();
      return [{ name: member.name, ...schema, inheritance: definition.rest.inheritance ?? 'false' }];
    });
    return { ...(field.length > 0 && { field }), ...(group.length > 0 && { group }) };
  }
}

/** Occurrence limits of a membership. Default: any number of times. */
const schemaOf = ({ name, schema }: GroupMember, kind: MemberKind): NonNullable<MetadataField['schema']> => ({
  ...(kind === 'group' && { reference: false }),
  min: 0,
  max: -1,
  name,
  ...schema,
});

async function load(
  reader: Reader,
  names: readonly string[],
  { keys, members, traverse, includeValues }: GroupView,
  asker: FieldReader,
  { site, schemaNamespace: namespace, maxPageValues: max }: Bounds,
): Promise<Loaded> {
  const { groups, groupNames, fieldNames } = await loadTree(reader, names, { members, traverse }, max);
  const rows = fieldNames.length > 0 ? await fieldsNamed(reader, { names: fieldNames }) : [];
  if (includeValues || keys?.(lookupKey)) await checkValuesPage(reader, fieldNames, max);
  else if (keys) await checkDataPage(reader, fieldNames, max);
  const shown = [...groups.keys()];
  if (keys) await checkGroupDataPage(reader, shown, max);
  const documents = await fieldDocuments(reader, rows, { keys, namespace, includeValues }, site);
  return {
    groups,
    fields: new Map(documents.map((document) => [document.name ?? '', document])),
    data: keys ? await keyValuesOf(reader, 'field-group', shown) : new Map(),
    rights: await fieldRights(reader, asker, { groups: groupNames }),
  };
}
