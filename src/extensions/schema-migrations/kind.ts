import type { ItemsContext } from '../../items/public.ts';
import { tableConcern } from '../../store/contract.ts';
import type { WorkKind } from '../../work/kind.ts';
import { steps } from '../../work/steps.ts';
import { migrateSlice } from './carry-out.ts';
import { migrationsDue } from './store.ts';

export const schemaMigrationKind = (parts: ItemsContext): WorkKind =>
  steps({
    name: 'schema-migrations',
    says: 'Applies renames, moves and deletions of fields and groups to all metadata',
    hosts: ['loop', 'edge'],
    priority: 69,
    clock: parts.clock,
    rest: 2000,
    due: () => migrationsDue,
    wokenBy: [tableConcern('schema_migration')],
    step: () => migrateSlice(parts),
  });
