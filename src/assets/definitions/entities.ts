import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { role } from '../../http/route.ts';
import { entityNamed, pathEntity } from '../../room/entities/find.ts';
import { type EntityPath, type EntityResource, entityAt } from '../../room/entities/place.ts';
import type { Entity, EntityKind, KindName } from '../../room/entity.ts';
import { administrator } from '../../security/subject.ts';
import { type FieldRow, fieldMustExist, findField } from './fields/store.ts';
import { fieldGroupMustExist, findFieldGroup } from './groups/store.ts';

/** Fields and groups as entities, with the name as id. */

/** Type in refusals for unknown fields and groups, as clients expect. Metadata uses another one. */
const noun = 'namespace';

export type FieldEntity = Entity & { readonly row: FieldRow };

export const fieldKind = (reader: Reader): EntityKind<FieldEntity> => ({
  type: 'metadata-field',
  noun,
  async find(name) {
    const row = await findField(reader, { name });
    return row && { id: name, row };
  },
  mustExist: fieldMustExist,
});

export const fieldGroupKind = (reader: Reader): EntityKind<Entity> => ({
  type: 'field-group',
  noun,
  async find(name) {
    const row = await findFieldGroup(reader, { name });
    return row && { id: name };
  },
  mustExist: fieldGroupMustExist,
});

export const noSuchName = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: noun, id: name.slice(0, 80) });

export const readField = role('_metadata_field_read');
export const writeField = role('_metadata_field_write');
export const readFieldGroup = role('_metadata_field_group_read');
export const writeFieldGroup = role('_metadata_field_group_write');
export const administers = role(administrator);

export const onField = '/metadata-field/:field';
export const allGroups = '/metadata-field/field-group';
export const onGroup = `${allGroups}/:group`;

const fields: EntityPath = { path: onField, read: readField, write: writeField, acting: 'allowed' };
export const groupPath: EntityPath = { path: onGroup, read: readFieldGroup, write: writeFieldGroup, acting: 'allowed' };

export const fieldName: KindName = { type: 'metadata-field', noun: 'metadata-field' };
export const groupName: KindName = { type: 'field-group', noun: 'field-group' };

/** Routes use the name of the kind, refusals the noun that clients know. */
export const fieldPlace = (reader: Reader): EntityResource<FieldEntity> => ({
  ...entityAt(reader, fieldKind(reader), fields),
  kind: fieldName,
});

/** Fields and field groups in paths. */
export const fieldAt = (reader: Reader) => pathEntity(reader, fieldKind(reader));
export const fieldGroupAt = (reader: Reader) => pathEntity(reader, fieldGroupKind(reader));

/** Finds a field by name or external id; 404 if there is none. */
export const fieldNamed = async (reader: Reader, name: string): Promise<FieldRow> =>
  (await entityNamed(reader, fieldKind(reader), name)).row;
