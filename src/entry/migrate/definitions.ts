import type {
  ExternalIdentifierNamespaceType,
  MetadataFieldGroupType,
  MetadataFieldListDocument,
  MetadataFieldType,
  TranscodePresetDocument,
} from '../../types.ts';
import { accessParts, putAccess } from './access.ts';
import { carry, ifTold, listIfTold, type Migration, makeEmpty, namesIn } from './carry.ts';
import { externalIdParts, putExternalIds } from './items.ts';
import { many } from './original.ts';
import { at, type Path } from './places.ts';

type Field = MetadataFieldType & { readonly access?: unknown };
type Group = MetadataFieldGroupType;
type Namespace = ExternalIdentifierNamespaceType;

const fieldPath = (name: string): Path => at`/metadata-field/${name}`;
const groupPath = (name: string): Path => at`/metadata-field/field-group/${name}`;

/** Fields that each service defines itself. */
const isSystem = ({ system }: Field): boolean => String(system) === 'true';

export const fieldsOf = async ({ original }: Migration): Promise<readonly Field[]> =>
  (await original.list<Field>(at`/metadata-field?data=all&includeValues=true`, 'field')).entries;

export const fieldGroupsOf = async ({ original }: Migration): Promise<readonly Group[]> => {
  const path = at`/metadata-field/field-group?content=true&data=all`;
  return (await original.list<Group>(path, 'group')).entries;
};

export const shapeTagsOf = async (migration: Migration): Promise<readonly string[]> =>
  namesIn(migration, 'shape-tag', (await migration.original.list<string>(at`/shape-tag`, 'uri')).entries);

/** Namespaces of external ids. */
export const namespacesOf = async (migration: Migration) =>
  (await listIfTold<Namespace>(migration, 'namespaces', '/external-id', at`/external-id`, 'namespace')) ?? [];

const nameOf = ({ name }: { readonly name?: string | undefined }) => name;
const asMember = ({ name, schema }: Group) => ({ name, schema });

/** Namespaces of external ids, fields, groups of fields, and shape tags with their presets and scripts. */
export async function carryDefinitions(migration: Migration): Promise<void> {
  const { original, target, report } = migration;

  await carry(migration, {
    kind: 'external-id-namespace',
    entries: await namespacesOf(migration),
    idOf: ({ name = '' }) => name,
    partsOf: ({ pattern, priority }) => ({ own: { pattern, priority } }),
    async put({ name = '' }, { parts }) {
      await target.write('PUT', at`/external-id/${name}`, parts['own'] as object);
      return name;
    },
  });

  /** Lists have the names alone, and not all releases have them in lists. */
  const namedParts = (path: Path, name: string, ids: readonly string[] | undefined) =>
    externalIdParts(migration, path, name, ids && many(ids).map((externalId) => ({ externalId })));
  const own = await target.read<MetadataFieldListDocument>(at`/metadata-field`);
  const systemNames = new Set(
    many(own.field)
      .filter(isSystem)
      .map(({ name }) => name),
  );
  const openNames = new Set(many(own.field).map(nameOf));
  const fields = (await fieldsOf(migration)).filter((field) => {
    if (isSystem(field) || systemNames.has(field.name)) return false;
    // Names without an underscore are of the service, of either one.
    if (field.name?.includes('_') || openNames.has(field.name)) return true;
    report.remark('Fields of the service that are not here', field.name ?? '');
    return false;
  });
  await carry<Field>(migration, {
    kind: 'field',
    entries: fields,
    idOf: ({ name = '' }) => name,
    async partsOf({ origin: _origin, system: _system, access: _access, externalId, ...definition }) {
      const { name = '' } = definition;
      return {
        own: definition,
        ...(await namedParts(fieldPath(name), name, externalId)),
        ...(await accessParts(migration, fieldPath(name), name)),
      };
    },
    async put({ name = '' }, difference) {
      if (difference.changed.has('own')) await target.write('PUT', fieldPath(name), difference.parts['own'] as object);
      await putExternalIds(migration, fieldPath(name), name, difference);
      await putAccess(migration, fieldPath(name), name, difference);
      return name;
    },
  });

  const groups = await fieldGroupsOf(migration);
  // Groups may be in groups that come later.
  const names = groups.map(({ name = '' }) => name);
  await makeEmpty(migration, 'field-group', names, groupPath);
  const here = new Set(many((await target.read<MetadataFieldListDocument>(at`/metadata-field`)).field).map(nameOf));
  await carry<Group>(migration, {
    kind: 'field-group',
    entries: groups,
    idOf: ({ name = '' }) => name,
    async partsOf({ name = '', schema, data, inheritance, field, group, externalId }) {
      const members = many(field).filter((member) => here.has(member.name));
      for (const member of many(field))
        if (!here.has(member.name)) report.remark(`The field "${member.name}" of the group is not here`, name);
      return {
        own: { schema, data, inheritance, field: members.map(asMember), group: many(group).map(asMember) },
        ...(await namedParts(groupPath(name), name, externalId)),
        ...(await accessParts(migration, groupPath(name), name)),
      };
    },
    async put({ name = '' }, difference) {
      if (difference.changed.has('own'))
        await target.write('PUT', at`${groupPath(name)}?clear=true`, difference.parts['own'] as object);
      await putExternalIds(migration, groupPath(name), name, difference);
      await putAccess(migration, groupPath(name), name, difference);
      return name;
    },
  });

  await carry(migration, {
    kind: 'shape-tag',
    entries: (await shapeTagsOf(migration)).filter((tag) => tag !== 'original'),
    idOf: (tag) => tag,
    async partsOf(tag) {
      const path = at`/shape-tag/${tag}`;
      const preset = (await original.api.find<TranscodePresetDocument>(path)) ?? {};
      const script = await ifTold(migration, 'scripts', tag, () => original.api.text(at`${path}/script`));
      return { own: preset, ...(script && { script }) };
    },
    async put(tag, { parts, changed }) {
      const path = at`/shape-tag/${tag}`;
      if (changed.has('own')) await target.write('PUT', path, parts['own'] as object);
      const script = parts['script'];
      if (changed.has('script')) await target.write('PUT', at`${path}/script`, script as string);
      return tag;
    },
  });
}
