import type {
  ExternalIdentifierNamespaceListDocument,
  MetadataFieldGroupListDocument,
  MetadataFieldGroupType,
  MetadataFieldListDocument,
  MetadataFieldType,
  TranscodePresetDocument,
  URIListDocument,
} from '../../types.ts';
import { accessParts, putAccess } from './access.ts';
import { carry, type Migration } from './carry.ts';
import { many } from './original.ts';

type Field = MetadataFieldType & { readonly access?: unknown };
type Group = MetadataFieldGroupType;

const fieldPath = (name: string): string => `/metadata-field/${encodeURIComponent(name)}`;
const groupPath = (name: string): string => `/metadata-field/field-group/${encodeURIComponent(name)}`;

/** Fields that each service defines itself. */
const isSystem = ({ system }: Field): boolean => String(system) === 'true';

export const fieldsOf = async ({ original }: Migration): Promise<readonly Field[]> =>
  many((await original.api.read<MetadataFieldListDocument>('/metadata-field?data=all&includeValues=true')).field);

export const fieldGroupsOf = async ({ original }: Migration): Promise<readonly Group[]> => {
  const query = 'content=true&data=all';
  return many((await original.api.read<MetadataFieldGroupListDocument>(`/metadata-field/field-group?${query}`)).group);
};

export const shapeTagsOf = async ({ original }: Migration): Promise<readonly string[]> =>
  many((await original.api.read<URIListDocument>('/shape-tag')).uri).map(lastOf);

/** Namespaces of external ids. A login that may not read them has none. */
export const namespacesOf = async ({ original }: Migration) =>
  many((await original.api.find<ExternalIdentifierNamespaceListDocument>('/external-id'))?.namespace);

/** Name or id at the end of an address, or alone. A name that is not in an address may have any characters. */
export function lastOf(uri: string): string {
  const last = /[^/]+(?=\/*$)/.exec(uri)?.[0] ?? uri;
  return uri.includes('/') && /^(?:[^%]|%[0-9a-f]{2})*$/i.test(last) ? decodeURIComponent(last) : last;
}

const nameOf = ({ name }: { readonly name?: string | undefined }) => name;
const asMember = ({ name, schema }: Group) => ({ name, schema });

/** Namespaces of external ids, fields, groups of fields, and shape tags with their presets and scripts. */
export async function carryDefinitions(migration: Migration): Promise<void> {
  const { original, target, report, journal } = migration;

  await carry(migration, {
    kind: 'external-id-namespace',
    entries: await namespacesOf(migration),
    idOf: ({ name = '' }) => name,
    partsOf: ({ pattern, priority }) => ({ own: { pattern, priority } }),
    async put({ name = '' }, { parts }) {
      await target.write('PUT', `/external-id/${encodeURIComponent(name)}`, parts['own'] as object);
      return name;
    },
  });

  const own = await target.read<MetadataFieldListDocument>('/metadata-field');
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
    async partsOf({ origin: _origin, system: _system, access: _access, ...definition }) {
      return { own: definition, ...(await accessParts(migration, fieldPath(definition.name ?? ''))) };
    },
    async put({ name = '' }, difference) {
      if (difference.changed.has('own')) await target.write('PUT', fieldPath(name), difference.parts['own'] as object);
      await putAccess(migration, fieldPath(name), name, difference);
      return name;
    },
  });

  const groups = await fieldGroupsOf(migration);
  // Groups may be in groups that come later.
  for (const { name = '' } of groups)
    if (!journal.find('field-group', name)) await target.write('PUT', groupPath(name));
  const here = new Set(many((await target.read<MetadataFieldListDocument>('/metadata-field')).field).map(nameOf));
  await carry<Group>(migration, {
    kind: 'field-group',
    entries: groups,
    idOf: ({ name = '' }) => name,
    async partsOf({ name = '', schema, data, inheritance, field, group, externalId }) {
      const members = many(field).filter((member) => here.has(member.name));
      for (const member of many(field))
        if (!here.has(member.name)) report.remark(`The field "${member.name}" of the group is not here`, name);
      return {
        own: { schema, data, inheritance, externalId, field: members.map(asMember), group: many(group).map(asMember) },
        ...(await accessParts(migration, groupPath(name))),
      };
    },
    async put({ name = '' }, difference) {
      if (difference.changed.has('own'))
        await target.write('PUT', `${groupPath(name)}?clear=true`, difference.parts['own'] as object);
      await putAccess(migration, groupPath(name), name, difference);
      return name;
    },
  });

  await carry(migration, {
    kind: 'shape-tag',
    entries: (await shapeTagsOf(migration)).filter((tag) => tag !== 'original'),
    idOf: (tag) => tag,
    async partsOf(tag) {
      const path = `/shape-tag/${encodeURIComponent(tag)}`;
      const preset = (await original.api.find<TranscodePresetDocument>(path)) ?? {};
      const script = await original.api.find<string>(`${path}/script`).catch(() => undefined);
      return { own: preset, ...(typeof script === 'string' && script !== '' && { script }) };
    },
    async put(tag, { parts, changed }) {
      const path = `/shape-tag/${encodeURIComponent(tag)}`;
      if (changed.has('own')) await target.write('PUT', path, parts['own'] as object);
      const script = parts['script'];
      if (changed.has('script')) await target.write('PUT', `${path}/script`, script as string);
      return tag;
    },
  });
}
