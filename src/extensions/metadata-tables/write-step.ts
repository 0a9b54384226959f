import { itemName } from '../../assets/items/contract/entities.ts';
import { itemMustExist } from '../../assets/items/contract/store.ts';
import { changeMetadata, itemPlace } from '../../assets/metadata/public.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { inSlices } from '../../core/lib/turn.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { JobFails, type JobStep, type LeasedJob } from '../../room/jobs/job-type.ts';
import type { Caller } from '../../security/caller.ts';
import { tableOfJob } from './check-step.ts';
import {
  type ExaminedRow,
  examine,
  itemOfTarget,
  openTable,
  percent,
  problemFor,
  rowsOfPart,
  writerOf,
} from './examine.ts';
import type { TableMemo } from './job.ts';
import type { TableParts } from './parts.ts';
import { problemChanges, refusalOf, type TableProblem } from './problems.ts';
import type { ReadTable } from './row-change.ts';
import { changeRow, rowsBetween, writePart } from './store.ts';

/** Items changed at once: their commits share a sync of the disk. */
export const itemsAtOnce = 10;

/** Writes the rows that differ from their items, with a change set and a commit each. */
export const writeStep = (parts: TableParts): JobStep<TableMemo> => ({
  step: 200,
  description: 'Writing the rows of the table',
  settled: ({ memo: { dryRun } }) => (dryRun ? {} : undefined),
  async run(job) {
    const { store } = parts;
    const { tableId } = job.memo;
    const checked = await tableOfJob(parts, tableId);
    if (checked.writtenTo === 0 && checked.problems > 0) {
      throw new JobFails(`Expected a table without problems: ${checked.problems}. Nothing was changed`);
    }
    await job.begins();
    let table = checked;
    for (;;) {
      job.signal.throwIfAborted();
      const rows = await rowsOfPart(parts, tableId, table.writtenTo);
      if (!rows) break;
      const call = await writerOf(parts, job);
      const read = await openTable(parts, call, job.memo);
      const problems = await writeRows(parts, job, call, read, rows);
      const moved = writePart({ id: tableId, writtenTo: table.writtenTo + 1 });
      await store.commit(changing(job.mine, moved, ...problemChanges(tableId, 0, problems)), job.actor);
      job.progress(...percent(rows.at(-1)!.number - 1, table.rows));
      table = await tableOfJob(parts, tableId);
    }
    const { changed, problems } = table;
    return {
      data: Object.entries({ changed, problems }).map(([key, value]) => [key, String(value)] as const),
      says: [`Rows that were written: ${changed}. Problems: ${problems}`],
      warns: problems > 0,
    };
  },
});

async function writeRows(
  parts: TableParts,
  job: LeasedJob<TableMemo>,
  call: Caller,
  table: ReadTable,
  rows: NonNullable<Awaited<ReturnType<typeof rowsOfPart>>>,
): Promise<readonly TableProblem[]> {
  const { tableId } = job.memo;
  const numbers = { from: rows[0]!.number, to: rows.at(-1)!.number };
  const checked = new Map((await rowsBetween(parts.store, { tableId, ...numbers })).map((each) => [each.row, each]));
  const targeted = rows.flatMap((row) => {
    const { target, changeSet } = checked.get(row.number) ?? {};
    // An attempt before this one may have written the row.
    if (target === undefined || changeSet !== null) return [];
    return [{ row, id: itemOfTarget(target), target }];
  });
  const examined = await examine(parts, call, table, targeted);
  const refused = await inSlices(
    examined.filter(({ request }) => request !== undefined),
    (some) => askEach(some, (each) => writeRow(parts, job, call, table, each)),
    itemsAtOnce,
  );
  return [...examined.flatMap(({ problems }) => problems), ...refused.flatMap((problem) => problem ?? [])];
}

/** Writes a row by the rules of `PUT /item/{id}/metadata`. Answers its problem. */
async function writeRow(
  parts: TableParts,
  job: LeasedJob<TableMemo>,
  call: Caller,
  table: ReadTable,
  { row, id, request }: ExaminedRow,
): Promise<TableProblem | undefined> {
  const { tableId } = job.memo;
  const place = itemPlace(parts.store);
  let changeSet = '';
  const [record, count] = changeRow;
  const writer: Caller = {
    ...call,
    commit: ({ changes, ...plan }) => {
      const ahead = [job.mine, itemMustExist(id, noSuchEntity(itemName, id))];
      const behind = [record({ tableId, row: row.number, changeSet }), count({ id: tableId })];
      return call.commit({ ...plan, changes: [...ahead, ...changes, ...behind] });
    },
  };
  try {
    await place.entity!('WRITE').find(id, call, {});
    await changeMetadata(parts, place, writer, { kind: 'item', id }, request!, {
      before: async ({ prepared }) => {
        changeSet = prepared.changeSets[0] ?? '';
      },
    });
    return undefined;
  } catch (error) {
    return problemFor(table, row, refusalOf(error, job.mine));
  }
}
