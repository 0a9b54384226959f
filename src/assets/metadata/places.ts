import type { Reader } from '../../core/store/statement.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Access, role } from '../../http/route.ts';
import type { Entity } from '../../room/entity.ts';
import type { RequiredLevel } from '../access/public-reading.ts';
import { collectionAt, collectionName, itemAt, itemName } from '../items/contract/entities.ts';
import { globalOwner, type MetadataOwner, type OwnerKind } from './store.ts';

/**
 * Location of metadata in the API: an item, a collection, a global document, or global metadata. All have the same
 * routes.
 */
export interface MetadataResource {
  /** Kind of the owner, and the name of its segment in the path. */
  readonly kind: OwnerKind;
  /** Word for the owner in refusals. */
  readonly noun: string;
  /** Path of the entity. */
  readonly path: string;
  readonly metadataPath: string;
  readonly of: string;
  readonly read: Access;
  readonly write: Access;
  /** Entity that owns the metadata. Left out: global metadata. */
  entity?(level: RequiredLevel): PathEntity<Entity>;
}

/** Entities in the paths of a place, with the level that the caller needs. */
export const entitiesOf = (
  { kind, entity }: MetadataResource,
  level: RequiredLevel,
): Readonly<Record<string, PathEntity<Entity>>> => (entity ? { [kind]: entity(level) } : {});

/** Owner of the metadata that a path names. */
export function ownerIn({ kind }: MetadataResource, segments: Readonly<Record<string, Entity>>): MetadataOwner {
  const entity = segments[kind];
  return entity ? { kind, id: entity.id } : globalOwner;
}

const read = role('_metadata_read');
const write = role('_metadata_write');

export const itemPlace = (reader: Reader): MetadataResource => ({
  kind: 'item',
  noun: itemName.noun,
  path: '/item/:item',
  metadataPath: '/item/:item/metadata',
  of: 'of an item',
  read,
  write,
  entity: (level) => itemAt(reader)(level, 'METADATA'),
});

export const collectionPlace = (reader: Reader): MetadataResource => ({
  kind: 'collection',
  noun: collectionName.noun,
  path: '/collection/:collection',
  metadataPath: '/collection/:collection/metadata',
  of: 'of a collection',
  read,
  write,
  entity: (level) => collectionAt(reader)(level, 'METADATA'),
});

export const globalPlace: MetadataResource = {
  kind: 'global',
  noun: 'Metadata',
  path: '',
  metadataPath: '/metadata',
  of: 'that belongs to no entity',
  read: role('_metadata_global_read'),
  write: role('_metadata_global_write'),
};
