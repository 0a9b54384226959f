import { attribute, document, integer, list, string, structure, type Value } from '../../core/documents/describe.ts';
import type { Reader } from '../../core/store/statement.ts';
import { type Route, role, route } from '../../http/route.ts';
import { changeStored, findDocument } from '../../identity/api-settings/public.ts';
import type { CoreContext } from '../../room/context.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { Caller } from '../../security/caller.ts';
import { schemaElement } from './documents.ts';

/** Name of the stored document. */
export const documentName = 'metadata-schema';

/** Fields and groups of a metadata group, with occurrence limits. No change of metadata is refused for them. */
const group = structure('MetadataSchemaGroupType', {
  group: list(schemaElement),
  field: list(schemaElement),
  min: attribute(integer),
  max: attribute(integer),
  name: attribute(string),
});

export const metadataSchemaGroupDocument = document('MetadataSchemaGroupDocument', group);
export const metadataSchemaDocument = document('MetadataSchemaDocument', { group: list(group) });
export type MetadataSchema = Value<typeof metadataSchemaDocument>;

/** The metadata schema. Only the check of metadata on request looks at it. */
export async function storedSchema(reader: Reader): Promise<MetadataSchema> {
  return (await schemaWithRevision(reader)).schema;
}

async function schemaWithRevision(reader: Reader) {
  const row = await findDocument(reader, { name: documentName });
  return { revision: row?.revision ?? 0, schema: JSON.parse(row?.document ?? '{}') as MetadataSchema };
}

const read = role('_metadata_field_group_read');
const write = role('_metadata_field_group_write');

/** Routes for the metadata schema, as a whole or group by group. */
export function metadataSchemaRoutes({ store }: CoreContext): readonly Route[] {
  const path = '/metadata-schema';
  const one = `${path}/:group`;

  async function change(caller: Caller, decide: (schema: MetadataSchema) => MetadataSchema | undefined): Promise<void> {
    await caller.change(async () => {
      const { revision, schema } = await schemaWithRevision(store);
      return changeStored(documentName, revision, decide(schema));
    });
  }

  const groupNamed = ({ group = [] }: MetadataSchema, name: string) => {
    const match = group.find((each) => each.name === name);
    if (!match) throw noSuchEntity({ noun: 'MetadataSchemaGroup' }, name);
    return match;
  };
  const others = ({ group = [] }: MetadataSchema, name: string) => group.filter((each) => each.name !== name);

  return [
    route({
      method: 'GET',
      path,
      says: 'The metadata schema: fields and subgroups of each group.',
      answers: metadataSchemaDocument,
      access: read,
      handle: () => storedSchema(store),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets the metadata schema: fields and subgroups of each group. Only PUT /item/{item}/metadata/validate checks metadata against it.',
      reads: metadataSchemaDocument,
      access: write,
      acting: 'refused',
      handle: (call) => change(call, () => call.body),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes the metadata schema.',
      access: write,
      acting: 'refused',
      handle: (call) => change(call, () => undefined),
    }),
    route({
      method: 'GET',
      path: one,
      says: 'The fields and subgroups of one group in the metadata schema.',
      answers: metadataSchemaGroupDocument,
      access: read,
      handle: async (_call, { group }) => groupNamed(await storedSchema(store), group),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Sets the fields and subgroups of one group in the metadata schema.',
      reads: metadataSchemaGroupDocument,
      access: write,
      acting: 'refused',
      handle: (call, { group: name }) =>
        change(call, (schema) => ({ group: [...others(schema, name), { ...call.body, name }] })),
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes one group from the metadata schema.',
      access: write,
      acting: 'refused',
      handle: (call, { group }) =>
        change(call, (schema) => {
          const { name } = groupNamed(schema, group);
          return { group: others(schema, name!) };
        }),
    }),
  ];
}
