import type { ItemsContext } from '../../assets/items/public.ts';
import { tableConcern } from '../../core/store/contract.ts';
import type { WorkKind } from '../../core/work/work-kind.ts';
import { steps } from '../../core/work/work-kind.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import * as documents from './documents.ts';
import { migrateSlice } from './migrate.ts';
import { schemaMigrationRoutes } from './routes.ts';
import { migrationsDue } from './store.ts';

const schemaMigrationKind = (parts: ItemsContext): WorkKind =>
  steps({
    name: 'schema-migrations',
    says: 'Applies renames, moves and deletions of fields and groups to all metadata',
    priority: 69,
    clock: parts.clock,
    rest: 2000,
    due: () => migrationsDue,
    wokenBy: [tableConcern('schema_migration')],
    step: () => migrateSlice(parts),
  });

/** Renames, moves and deletions of fields and groups, with the metadata that has them. */
export const schemaMigrations = defineRoom({
  name: 'schema-migrations',
  extension: { says: 'Renames, moves and deletions of metadata fields and groups with the metadata that has them.' },
  documents: [documents],
  open(parts: ItemsContext) {
    return {
      routes: [below('metadata', () => schemaMigrationRoutes(parts))],
      workers: [schemaMigrationKind(parts)],
    };
  },
});
