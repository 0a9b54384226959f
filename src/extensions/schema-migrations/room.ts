import { below } from '../../http/route-group.ts';
import type { ItemsContext } from '../../items/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { metadataSchemaMigrationDocument, metadataSchemaMigrationListDocument } from './documents.ts';
import { schemaMigrationKind } from './kind.ts';
import { schemaMigrationRoutes } from './routes.ts';

/** Renames, moves and deletions of fields and groups, with the metadata that has them. */
export const schemaMigrations = defineRoom({
  name: 'schema-migrations',
  extension: { says: 'Renames, moves and deletions of metadata fields and groups with the metadata that has them.' },
  documents: [metadataSchemaMigrationDocument, metadataSchemaMigrationListDocument],
  open(parts: ItemsContext) {
    return {
      routes: [below('metadata', () => schemaMigrationRoutes(parts))],
      workers: [schemaMigrationKind(parts)],
    };
  },
});
