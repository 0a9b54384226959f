import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type Statement, systemActor } from '../../core/store/contract.ts';
import { steps, type WorkKind } from '../../core/work/work-kind.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import type { JobType } from '../../room/jobs/job-type.ts';
import { checkStep } from './check-step.ts';
import { tableCommands } from './commands.ts';
import * as documents from './documents.ts';
import { createTableImporter } from './importer.ts';
import { tableImport } from './job.ts';
import { openTableParts, type TableContext, type TableParts, tableSettings } from './parts.ts';
import { tableRoutes } from './routes.ts';
import {
  endTable,
  nextDue,
  removeParts,
  removeProblems,
  removeRows,
  removeTable,
  restTable,
  tableSchema,
  tablesDue,
} from './store.ts';
import * as tables from './tables.ts';
import { undoType } from './undo-job.ts';
import { writeStep } from './write-step.ts';

const importType = (parts: TableParts): JobType<typeof tableImport.memo> => ({
  ...tableImport,
  takesLong: () => true,
  // The rows of the table go when the job ends.
  async restart() {
    const explanation = 'Expected the table once more: POST /import/metadata-table';
    throw new ServiceError('job-state', { type: 'Job', explanation });
  },
  steps: [checkStep(parts), writeStep(parts)],
  ended: async ({ memo: { tableId: id } }) => changing(endTable({ id })),
});

/** Parts and rows that go in one commit. */
const [maxParts, maxRows] = [20, 1_000];

/** Removes the rows of tables whose imports have ended, of uploads that broke off, and all that is left of deleted jobs. */
function cleaningKind({ store, clock }: TableParts): WorkKind {
  async function removed(statement: Statement): Promise<boolean> {
    const [rows = []] = await store.commit(changing(statement), systemActor);
    return rows.length > 0;
  }

  return steps({
    name: 'metadata-tables',
    says: 'Removes the rows of imported tables of metadata',
    hosts: ['loop', 'edge'],
    priority: 90,
    clock,
    rest: 10_000,
    due: () => tablesDue,
    async step() {
      const table = await nextDue(store, { now: clock.now() });
      if (!table) return false;
      const { id, jobId, gone } = table;
      if (await removed(removeParts({ tableId: id, limit: maxParts }))) return true;
      if (jobId !== null && gone === 0) {
        await store.commit(changing(restTable({ id })), systemActor);
        return true;
      }
      if (await removed(removeRows({ tableId: id, limit: maxRows }))) return true;
      await store.commit(changing(removeProblems({ tableId: id }), removeTable({ id })), systemActor);
      return true;
    },
  });
}

/** Tables of metadata, as lists of items and spreadsheets write them, that come in. */
export const metadataTables = defineRoom({
  name: 'metadata-tables',
  extension: { says: 'Imports of metadata from tables (CSV), with a check of each row ahead, and an undo.' },
  settings: tableSettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : tableSchema(),
  documents: [documents],
  commands: globalThis.isEdgeModule ? {} : tableCommands(),
  open(context: TableContext) {
    const parts = openTableParts(context);
    return {
      routes: [below('import', () => tableRoutes(parts))],
      jobTypes: [importType(parts), undoType(parts)],
      workers: [cleaningKind(parts)],
      provides: globalThis.isEdgeModule ? {} : { tables: createTableImporter(parts) },
    };
  },
});
