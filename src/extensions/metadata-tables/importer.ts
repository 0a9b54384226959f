import { systemActor } from '../../core/store/contract.ts';
import { findUser } from '../../identity/public-reading.ts';
import { CommandError } from '../../room/command.ts';
import { beginServiceJob } from '../../room/jobs/contract.ts';
import { tableImport } from './job.ts';
import type { TableParts } from './parts.ts';
import type { TableProblem } from './problems.ts';
import { receiveTable, type TableOrder } from './receive.ts';
import { findTable, problemsOf } from './store.ts';

/** Problems that a command prints. */
const limit = 100;

export type TableImporter = ReturnType<typeof createTableImporter>;

/** Imports of tables for a command beside a running server: the server does the jobs, with the rights of a user. */
export function createTableImporter(parts: TableParts) {
  const { store } = parts;

  return {
    async start(
      table: ReadableStream<Uint8Array>,
      { user: name, ...order }: Pick<TableOrder, 'user' | 'dryRun' | 'separator' | 'options'>,
    ): Promise<{ readonly jobId: string; readonly tableId: string }> {
      const user = await findUser(store, { name });
      if (!user) throw new CommandError(`Expected the name of a user in --user: "${name.slice(0, 80)}"`);
      const origin = { user: name, priority: 'MEDIUM', actor: { ...systemActor, user: name } } as const;
      const reader = table.getReader();
      const read = async () => (await reader.read()).value;
      try {
        return await receiveTable(
          parts,
          {
            ...order,
            user: name,
            commit: (plan) => store.commit(plan, origin.actor),
            begin: (memo) => beginServiceJob(parts, { job: tableImport, memo }, origin),
          },
          read,
        );
      } finally {
        await reader.cancel().catch(() => undefined);
      }
    },

    /** The number of problems of an import, and the first of them. */
    async problems(tableId: string): Promise<{ readonly count: number; readonly first: readonly TableProblem[] }> {
      const [row, first] = await Promise.all([
        findTable(store, { id: tableId }),
        problemsOf(store, { tableId, ofUndo: 0, from: 0, limit }),
      ]);
      return { count: row?.problems ?? 0, first };
    },
  };
}
